"""Database triggers: the request of a report never changes, and states follow the transitions of `states.py`."""

from django.db import migrations

GUARDS = """
CREATE FUNCTION reports_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: reports are kept for ever', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION reports_may_follow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    asked text[] := ARRAY['casino_id', 'kind', 'chosen', 'asked_by_id', 'asked_by_name', 'asked_at'];
    made text[] := ARRAY['title', 'made_at', 'pages', 'pages_sha256', 'document_sha256', 'log', 'entry_index'];
    before jsonb := to_jsonb(OLD);
    after jsonb := to_jsonb(NEW);
BEGIN
    IF EXISTS (SELECT FROM unnest(asked) AS name WHERE before -> name <> after -> name)
        OR (OLD.entry_index IS NOT NULL AND EXISTS (SELECT FROM unnest(made) AS name WHERE before -> name <> after -> name))
        OR (OLD.state = 'ready' AND before <> after) THEN
        RAISE EXCEPTION 'UPDATE of % is refused: what was asked and what was recorded stay as they are', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (
        ('waiting', 'making'), ('making', 'recorded'), ('making', 'failed'), ('recorded', 'ready')
    ) THEN
        RAISE EXCEPTION 'a report does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER reports_may_follow BEFORE UPDATE ON reports_report
    FOR EACH ROW EXECUTE FUNCTION reports_may_follow();
CREATE TRIGGER reports_no_delete BEFORE DELETE ON reports_report FOR EACH ROW EXECUTE FUNCTION reports_refuse();
CREATE TRIGGER reports_no_truncate BEFORE TRUNCATE ON reports_report EXECUTE FUNCTION reports_refuse();
ALTER TABLE reports_report ENABLE ALWAYS TRIGGER reports_may_follow, ENABLE ALWAYS TRIGGER reports_no_delete,
    ENABLE ALWAYS TRIGGER reports_no_truncate;
"""

REMOVE = """
DROP FUNCTION reports_refuse() CASCADE;
DROP FUNCTION reports_may_follow() CASCADE;
"""


class Migration(migrations.Migration):
    dependencies = [("reports", "0001_reports")]
    operations = [migrations.RunSQL(GUARDS, REMOVE)]
