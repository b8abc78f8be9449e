"""Trigger: a round from paper is decided once and otherwise never changed."""

from django.db import migrations

GUARDS = """
CREATE FUNCTION intake_paper_decides() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state <> 'entered' OR NEW.state NOT IN ('confirmed', 'refused')
       OR (NEW.id, NEW.casino_id, NEW.table_id, NEW.body, NEW.played_at, NEW.why, NEW.entered_by_id, NEW.entered_at)
          IS DISTINCT FROM
          (OLD.id, OLD.casino_id, OLD.table_id, OLD.body, OLD.played_at, OLD.why, OLD.entered_by_id, OLD.entered_at)
    THEN
        RAISE EXCEPTION 'A round from paper is decided once and never changed otherwise.'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER intake_paper_only_decided BEFORE UPDATE ON intake_paperround
    FOR EACH ROW EXECUTE FUNCTION intake_paper_decides();
CREATE TRIGGER intake_paper_no_delete BEFORE DELETE ON intake_paperround
    FOR EACH ROW EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER intake_paper_no_truncate BEFORE TRUNCATE ON intake_paperround EXECUTE FUNCTION ledger_refuse();
ALTER TABLE intake_paperround ENABLE ALWAYS TRIGGER intake_paper_only_decided;
ALTER TABLE intake_paperround ENABLE ALWAYS TRIGGER intake_paper_no_delete;
ALTER TABLE intake_paperround ENABLE ALWAYS TRIGGER intake_paper_no_truncate;
"""
REMOVE = """
DROP TRIGGER intake_paper_only_decided ON intake_paperround;
DROP TRIGGER intake_paper_no_delete ON intake_paperround;
DROP TRIGGER intake_paper_no_truncate ON intake_paperround;
DROP FUNCTION intake_paper_decides();
"""


class Migration(migrations.Migration):
    dependencies = [("intake", "0003_paper")]

    operations = [migrations.RunSQL(GUARDS, REMOVE)]
