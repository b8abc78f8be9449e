"""A showing goes on if the removal that completed it was withdrawn."""

from django.db import migrations

REOPENS = """
CREATE FUNCTION signs_showing_reopens() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    completing text[] := ARRAY['until_at', 'was_lost', 'removed_index'];
BEGIN
    IF OLD.removed_index IS NULL OR NEW.removed_index IS NOT NULL
        OR NOT ledger_is_taken_back(OLD.log, OLD.removed_index)
        OR to_jsonb(OLD) - completing <> to_jsonb(NEW) - completing
    THEN
        RAISE EXCEPTION 'UPDATE of signs_showing is refused: it is completed once, unless its removal is withdrawn'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
DROP TRIGGER floor_no_change ON signs_showing;
CREATE TRIGGER floor_no_change BEFORE UPDATE ON signs_showing FOR EACH ROW
    WHEN (OLD.removed_index IS NULL OR NEW.removed_index IS NOT NULL)
    EXECUTE FUNCTION floor_completes('until_at', 'was_lost', 'removed_index');
CREATE TRIGGER signs_showing_reopens BEFORE UPDATE ON signs_showing FOR EACH ROW
    WHEN (OLD.removed_index IS NOT NULL AND NEW.removed_index IS NULL)
    EXECUTE FUNCTION signs_showing_reopens();
ALTER TABLE signs_showing ENABLE ALWAYS TRIGGER floor_no_change, ENABLE ALWAYS TRIGGER signs_showing_reopens;
"""
UNDO = """
DROP TRIGGER signs_showing_reopens ON signs_showing;
DROP FUNCTION signs_showing_reopens();
DROP TRIGGER floor_no_change ON signs_showing;
CREATE TRIGGER floor_no_change BEFORE UPDATE ON signs_showing FOR EACH ROW
    EXECUTE FUNCTION floor_completes('until_at', 'was_lost', 'removed_index');
ALTER TABLE signs_showing ENABLE ALWAYS TRIGGER floor_no_change;
"""


class Migration(migrations.Migration):
    dependencies = [("signs", "0003_removal"), ("ledger", "0006_one_standing_row")]
    operations = [migrations.RunSQL(REOPENS, UNDO)]
