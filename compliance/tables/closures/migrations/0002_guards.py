"""Database triggers: states change in the allowed order, no other column changes, and rows are never deleted."""

from django.db import migrations

GUARDS = """
CREATE FUNCTION closures_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.state, NEW.state) NOT IN (
        ('announced', 'closed'), ('announced', 'withdrawn'), ('closed', 'reopened')
    ) THEN
        RAISE EXCEPTION 'A closing that is % does not become %.', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
    END IF;
    IF to_jsonb(OLD) - 'state' <> to_jsonb(NEW) - 'state' THEN
        RAISE EXCEPTION 'A closing is kept as it was announced.' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER closures_moves BEFORE UPDATE ON closures_closure FOR EACH ROW EXECUTE FUNCTION closures_moves();
CREATE TRIGGER floor_no_delete BEFORE DELETE ON closures_closure FOR EACH ROW EXECUTE FUNCTION floor_refuse();
CREATE TRIGGER floor_no_truncate BEFORE TRUNCATE ON closures_closure EXECUTE FUNCTION floor_refuse();
ALTER TABLE closures_closure ENABLE ALWAYS TRIGGER closures_moves, ENABLE ALWAYS TRIGGER floor_no_delete,
    ENABLE ALWAYS TRIGGER floor_no_truncate;
CALL floor_guard('closures_closurestep', '');
"""
REMOVE = """
DROP TRIGGER closures_moves ON closures_closure;
DROP FUNCTION closures_moves();
"""


class Migration(migrations.Migration):
    dependencies = [("closures", "0001_closures"), ("floor", "0002_guards")]
    operations = [migrations.RunSQL(GUARDS, REMOVE)]
