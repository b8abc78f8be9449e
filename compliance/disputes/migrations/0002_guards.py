"""Triggers for disputes: facts never change, and transitions as in ladder/states.py."""

from django.db import migrations

ONLY_GROW = (
    "step",
    "disputedwager",
    "statement",
    "attachment",
    "inspectornote",
    "servicelevel",
    "ownprocedure",
)

FUNCTIONS = """
CREATE FUNCTION disputes_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: disputes keep what was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

-- The same table as states.LEADS: a test compares them.
CREATE FUNCTION disputes_may_follow(before text, after text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT before = after OR (before, after) IN (
        ('waiting', 'decided'), ('waiting', 'closed'), ('waiting', 'with-inspector'),
        ('decided', 'told'), ('decided', 'closed'), ('decided', 'with-inspector'),
        ('told', 'waiting'), ('told', 'closed'), ('told', 'with-inspector'),
        ('with-inspector', 'determined'),
        ('determined', 'closed'),
        ('closed', 'with-inspector')
    )
$$;

CREATE FUNCTION disputes_moves() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    moving text[] := ARRAY['state', 'rung', 'waiting_since_at', 'due_at', 'is_satisfied', 'advised_at', 'outcome',
                           'reminded_at'];
BEGIN
    IF to_jsonb(OLD) - moving <> to_jsonb(NEW) - moving THEN
        RAISE EXCEPTION 'UPDATE of % is refused: only where a dispute stands changes', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NOT disputes_may_follow(OLD.state, NEW.state) THEN
        RAISE EXCEPTION 'a dispute does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER disputes_moves BEFORE UPDATE ON disputes_dispute FOR EACH ROW EXECUTE FUNCTION disputes_moves();
CREATE TRIGGER disputes_no_delete BEFORE DELETE ON disputes_dispute FOR EACH ROW EXECUTE FUNCTION disputes_refuse();
CREATE TRIGGER disputes_no_truncate BEFORE TRUNCATE ON disputes_dispute EXECUTE FUNCTION disputes_refuse();
ALTER TABLE disputes_dispute ENABLE ALWAYS TRIGGER disputes_moves, ENABLE ALWAYS TRIGGER disputes_no_delete,
    ENABLE ALWAYS TRIGGER disputes_no_truncate;
"""

GUARD = """
CREATE TRIGGER disputes_no_change BEFORE UPDATE OR DELETE ON disputes_{table}
    FOR EACH ROW EXECUTE FUNCTION disputes_refuse();
CREATE TRIGGER disputes_no_truncate BEFORE TRUNCATE ON disputes_{table} EXECUTE FUNCTION disputes_refuse();
ALTER TABLE disputes_{table} ENABLE ALWAYS TRIGGER disputes_no_change, ENABLE ALWAYS TRIGGER disputes_no_truncate;
"""

REMOVE = """
DROP FUNCTION disputes_refuse() CASCADE;
DROP FUNCTION disputes_moves() CASCADE;
DROP FUNCTION disputes_may_follow(text, text);
"""


class Migration(migrations.Migration):
    dependencies = [("disputes", "0001_disputes")]
    operations = [
        migrations.RunSQL(FUNCTIONS + "".join(GUARD.format(table=table) for table in ONLY_GROW), REMOVE),
    ]
