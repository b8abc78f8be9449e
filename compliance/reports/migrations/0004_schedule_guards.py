"""Database triggers: a schedule's settings never change, and its states follow the transitions of states.py."""

from django.db import migrations

GUARDS = """
CREATE OR REPLACE FUNCTION reports_may_follow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    asked text[] := ARRAY['casino_id', 'kind', 'chosen', 'asked_by_id', 'asked_by_name', 'asked_at', 'schedule_id', 'scheduled_on'];
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

CREATE FUNCTION reports_schedule_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF to_jsonb(OLD) - 'state' - 'next_on' <> to_jsonb(NEW) - 'state' - 'next_on' OR NEW.next_on < OLD.next_on THEN
        RAISE EXCEPTION 'A schedule stays as it was set up, and never goes back.' USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (
        ('active', 'paused'), ('active', 'stopped'), ('paused', 'active'), ('paused', 'stopped')
    ) THEN
        RAISE EXCEPTION 'A schedule that is % does not become %.', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER reports_schedule_moves BEFORE UPDATE ON reports_schedule
    FOR EACH ROW EXECUTE FUNCTION reports_schedule_moves();
CREATE TRIGGER reports_no_delete BEFORE DELETE ON reports_schedule FOR EACH ROW EXECUTE FUNCTION reports_refuse();
CREATE TRIGGER reports_no_truncate BEFORE TRUNCATE ON reports_schedule EXECUTE FUNCTION reports_refuse();
CREATE TRIGGER reports_no_update BEFORE UPDATE OR DELETE ON reports_schedulestep
    FOR EACH ROW EXECUTE FUNCTION reports_refuse();
CREATE TRIGGER reports_no_truncate BEFORE TRUNCATE ON reports_schedulestep EXECUTE FUNCTION reports_refuse();
ALTER TABLE reports_schedule ENABLE ALWAYS TRIGGER reports_schedule_moves, ENABLE ALWAYS TRIGGER reports_no_delete,
    ENABLE ALWAYS TRIGGER reports_no_truncate;
ALTER TABLE reports_schedulestep ENABLE ALWAYS TRIGGER reports_no_update, ENABLE ALWAYS TRIGGER reports_no_truncate;
"""

REMOVE = """
DROP FUNCTION reports_schedule_moves() CASCADE;
DROP TRIGGER reports_no_delete ON reports_schedule;
DROP TRIGGER reports_no_truncate ON reports_schedule;
DROP TRIGGER reports_no_update ON reports_schedulestep;
DROP TRIGGER reports_no_truncate ON reports_schedulestep;
"""


class Migration(migrations.Migration):
    dependencies = [("reports", "0003_schedules")]
    operations = [migrations.RunSQL(GUARDS, REMOVE)]
