"""Database triggers: records are append-only, and a signed checklist cannot change."""

from django.db import migrations

GROWING = ("sample", "draw", "roundcheck", "checklist", "clauseanswer", "signoff")

FUNCTIONS = """
CREATE FUNCTION checklists_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: what was recorded stays as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION checklists_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM checklists_signoff WHERE checklist_id = coalesce(NEW.checklist_id, OLD.checklist_id)) THEN
        RAISE EXCEPTION 'a checklist that is signed off does not change' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN coalesce(NEW, OLD);
END $$;

CREATE FUNCTION checklists_only_verdict_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.sample_id, OLD.place, OLD.round_index, OLD."table", OLD.started_at)
        IS DISTINCT FROM (NEW.sample_id, NEW.place, NEW.round_index, NEW."table", NEW.started_at)
        OR NEW.checked_times < OLD.checked_times THEN
        RAISE EXCEPTION 'a sample keeps the rounds it drew, and no look is forgotten'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""

GUARDS = "\n".join(
    f"""
CREATE TRIGGER checklists_no_change BEFORE UPDATE OR DELETE ON checklists_{name}
    FOR EACH ROW EXECUTE FUNCTION checklists_refuse();
CREATE TRIGGER checklists_no_truncate BEFORE TRUNCATE ON checklists_{name} EXECUTE FUNCTION checklists_refuse();
ALTER TABLE checklists_{name} ENABLE ALWAYS TRIGGER checklists_no_change,
    ENABLE ALWAYS TRIGGER checklists_no_truncate;
"""
    for name in GROWING
)

MORE = """
CREATE TRIGGER checklists_frozen BEFORE INSERT OR UPDATE OR DELETE ON checklists_draftanswer
    FOR EACH ROW EXECUTE FUNCTION checklists_frozen();
CREATE TRIGGER checklists_frozen BEFORE INSERT ON checklists_clauseanswer
    FOR EACH ROW EXECUTE FUNCTION checklists_frozen();
CREATE TRIGGER checklists_only_verdict_moves BEFORE UPDATE ON checklists_sampledround
    FOR EACH ROW EXECUTE FUNCTION checklists_only_verdict_moves();
CREATE TRIGGER checklists_no_delete BEFORE DELETE ON checklists_sampledround
    FOR EACH ROW EXECUTE FUNCTION checklists_refuse();
ALTER TABLE checklists_draftanswer ENABLE ALWAYS TRIGGER checklists_frozen;
ALTER TABLE checklists_clauseanswer ENABLE ALWAYS TRIGGER checklists_frozen;
ALTER TABLE checklists_sampledround ENABLE ALWAYS TRIGGER checklists_only_verdict_moves,
    ENABLE ALWAYS TRIGGER checklists_no_delete;
"""

REMOVE = """
DROP FUNCTION checklists_refuse() CASCADE;
DROP FUNCTION checklists_frozen() CASCADE;
DROP FUNCTION checklists_only_verdict_moves() CASCADE;
"""


class Migration(migrations.Migration):
    dependencies = [("checklists", "0001_checklists")]
    operations = [migrations.RunSQL(FUNCTIONS + GUARDS + MORE, REMOVE)]
