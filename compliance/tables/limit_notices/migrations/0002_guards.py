"""Database triggers: states change in the allowed order, no other column changes, and rows are never deleted."""

from django.db import migrations

GUARDS = """
CREATE FUNCTION notices_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.state, NEW.state) NOT IN (
        ('scheduled', 'sign-up'), ('scheduled', 'in-force'), ('scheduled', 'withdrawn'), ('scheduled', 'lapsed'),
        ('sign-up', 'scheduled'), ('sign-up', 'in-force'), ('sign-up', 'withdrawn'), ('sign-up', 'lapsed')
    ) THEN
        RAISE EXCEPTION 'A notice that is % does not become %.', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
    END IF;
    IF to_jsonb(OLD) - 'state' <> to_jsonb(NEW) - 'state' THEN
        RAISE EXCEPTION 'A notice is kept as it was announced.' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER notices_moves BEFORE UPDATE ON notices_limitnotice FOR EACH ROW EXECUTE FUNCTION notices_moves();
CREATE TRIGGER floor_no_delete BEFORE DELETE ON notices_limitnotice FOR EACH ROW EXECUTE FUNCTION floor_refuse();
CREATE TRIGGER floor_no_truncate BEFORE TRUNCATE ON notices_limitnotice EXECUTE FUNCTION floor_refuse();
ALTER TABLE notices_limitnotice ENABLE ALWAYS TRIGGER notices_moves, ENABLE ALWAYS TRIGGER floor_no_delete,
    ENABLE ALWAYS TRIGGER floor_no_truncate;
CALL floor_guard('notices_noticestep', '');
CALL floor_guard('notices_playerlimit', 'ended_by_id', 'ended_at');
CALL floor_guard('notices_underminimumwarning', '');
"""
REMOVE = """
DROP TRIGGER notices_moves ON notices_limitnotice;
DROP FUNCTION notices_moves();
"""


class Migration(migrations.Migration):
    dependencies = [("notices", "0001_notices"), ("floor", "0002_guards")]
    operations = [migrations.RunSQL(GUARDS, REMOVE)]
