"""A step of a closing can be withdrawn: the closing moves back, and of each step one stands at a time."""

from importlib import import_module

from django.db import migrations

guards = import_module("compliance.tables.closures.migrations.0002_guards")
MOVES = """
CREATE OR REPLACE FUNCTION closures_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.state, NEW.state) NOT IN (('announced', 'closed'), ('announced', 'withdrawn'), ('closed', 'reopened'))
        AND NOT (
            (OLD.state, NEW.state) IN (('closed', 'withdrawn'), ('reopened', 'closed'))
            AND NOT EXISTS (
                SELECT FROM closures_closurestep AS step
                WHERE step.closure_id = OLD.id AND step.state = OLD.state
                    AND NOT ledger_is_taken_back(step.log, step.entry_index)
            )
        )
    THEN
        RAISE EXCEPTION 'A closing that is % does not become %.', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
    END IF;
    IF to_jsonb(OLD) - 'state' <> to_jsonb(NEW) - 'state' THEN
        RAISE EXCEPTION 'A closing is kept as it was announced.' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""
ONE_STANDS = """
CREATE TRIGGER closures_one_stands BEFORE INSERT ON closures_closurestep
    FOR EACH ROW EXECUTE FUNCTION ledger_one_stands('closure_id', 'state');
ALTER TABLE closures_closurestep ENABLE ALWAYS TRIGGER closures_one_stands;
"""
FORMER_MOVES = guards.GUARDS[: guards.GUARDS.index("CREATE TRIGGER")].replace("CREATE", "CREATE OR REPLACE", 1)


class Migration(migrations.Migration):
    dependencies = [("closures", "0002_guards"), ("ledger", "0006_one_standing_row")]
    operations = [
        migrations.RunSQL(MOVES, FORMER_MOVES),
        migrations.RemoveConstraint("closurestep", "closures_step_once"),
        migrations.RunSQL(ONE_STANDS, "DROP TRIGGER closures_one_stands ON closures_closurestep;"),
    ]
