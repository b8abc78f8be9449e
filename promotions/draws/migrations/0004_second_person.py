"""Who scheduled or postponed a draw does not validate it."""

from django.db import migrations

SECOND_PERSON = """
CREATE FUNCTION draws_validated_by_another() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM draws_draw WHERE id = NEW.draw_id AND by_id = NEW.by_id) OR NEW.by_id = (
        SELECT by_id FROM draws_drawstep WHERE draw_id = NEW.draw_id
            AND NOT ledger_is_taken_back(log, entry_index) ORDER BY step DESC LIMIT 1
    )
    THEN
        RAISE EXCEPTION 'who scheduled or postponed a draw does not validate it' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER draws_validated_by_another BEFORE INSERT ON draws_drawstep FOR EACH ROW WHEN (NEW.act = 'validated')
    EXECUTE FUNCTION draws_validated_by_another();
ALTER TABLE draws_drawstep ENABLE ALWAYS TRIGGER draws_validated_by_another;
"""


class Migration(migrations.Migration):
    dependencies = [("draws", "0003_withdrawn_steps")]
    operations = [migrations.RunSQL(SECOND_PERSON, "DROP FUNCTION draws_validated_by_another() CASCADE;")]
