"""Triggers: coverage is append-only and its ranges never overlap; a finding can be superseded once, nothing else changes."""

from django.db import migrations

FUNCTIONS = """
CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: the audit keeps what was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

-- A finding is superseded once: these columns may go from nothing to something, no other may change.
CREATE FUNCTION audit_superseded_once() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    before jsonb := to_jsonb(OLD);
    after jsonb := to_jsonb(NEW);
    completing text[] := ARRAY['superseded_at', 'superseded_index', 'superseded_reason', 'superseded_by_id'];
BEGIN
    IF before - completing <> after - completing OR EXISTS (
        SELECT FROM unnest(completing) AS name
        WHERE coalesce(before ->> name, '') <> '' AND before -> name <> after -> name
    ) THEN
        RAISE EXCEPTION 'UPDATE of % is refused: a finding is superseded once, never rewritten', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

-- Two workers that cover one log wait here for each other, so neither misses the other's range.
CREATE FUNCTION audit_no_overlap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(1129272658, hashtext(NEW.log));
    IF EXISTS (
        SELECT FROM audit_coverage
        WHERE log = NEW.log AND generation = NEW.generation AND first < NEW.last AND last > NEW.first
    ) THEN
        RAISE EXCEPTION 'entries % to % of % are covered already', NEW.first, NEW.last - 1, NEW.log
            USING ERRCODE = 'exclusion_violation';
    END IF;
    RETURN NEW;
END $$;
"""

GUARDS = """
CREATE TRIGGER audit_no_change BEFORE UPDATE OR DELETE ON audit_coverage
    FOR EACH ROW EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit_coverage EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_no_overlap BEFORE INSERT ON audit_coverage FOR EACH ROW EXECUTE FUNCTION audit_no_overlap();
CREATE TRIGGER audit_no_change BEFORE UPDATE ON audit_finding
    FOR EACH ROW EXECUTE FUNCTION audit_superseded_once();
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit_finding FOR EACH ROW EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit_finding EXECUTE FUNCTION audit_refuse();
ALTER TABLE audit_coverage ENABLE ALWAYS TRIGGER audit_no_change, ENABLE ALWAYS TRIGGER audit_no_truncate,
    ENABLE ALWAYS TRIGGER audit_no_overlap;
ALTER TABLE audit_finding ENABLE ALWAYS TRIGGER audit_no_change, ENABLE ALWAYS TRIGGER audit_no_delete,
    ENABLE ALWAYS TRIGGER audit_no_truncate;
"""

REMOVE = """
DROP FUNCTION audit_refuse() CASCADE;
DROP FUNCTION audit_superseded_once() CASCADE;
DROP FUNCTION audit_no_overlap() CASCADE;
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_audit")]
    operations = [migrations.RunSQL(FUNCTIONS + GUARDS, REMOVE)]
