"""Who logged a dispute or took a step of the operator in it does not determine the complaint about it."""

from django.db import migrations

SECOND_PERSON = """
CREATE FUNCTION disputes_determined_by_another() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM disputes_dispute WHERE id = NEW.dispute_id AND logged_by_id = NEW.by_id
    ) OR EXISTS (
        SELECT FROM disputes_step WHERE dispute_id = NEW.dispute_id AND by_id = NEW.by_id
            AND role NOT IN ('inspector', 'authority-officer') AND NOT ledger_is_taken_back(log, entry_index)
    )
    THEN
        RAISE EXCEPTION 'who handled a dispute does not determine the complaint about it' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER disputes_determined_by_another BEFORE INSERT ON disputes_step FOR EACH ROW WHEN (NEW.kind = 'dispute-outcome')
    EXECUTE FUNCTION disputes_determined_by_another();
ALTER TABLE disputes_step ENABLE ALWAYS TRIGGER disputes_determined_by_another;
"""


class Migration(migrations.Migration):
    dependencies = [("disputes", "0006_withdrawn_steps")]
    operations = [migrations.RunSQL(SECOND_PERSON, "DROP FUNCTION disputes_determined_by_another() CASCADE;")]
