"""Database triggers: steps follow the transitions of states.py, and rows are append-only."""

from django.db import migrations

from promotions.shared.append_only_triggers import make_append_only

TABLES = ("draw", "drawstep", "winner", "attempt", "publication")

IN_ORDER = """
CREATE FUNCTION draws_steps_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last record;
BEGIN
    SELECT step, after INTO last FROM draws_drawstep WHERE draw_id = NEW.draw_id ORDER BY step DESC LIMIT 1;
    IF NEW.step <> coalesce(last.step, 0) + 1 OR NEW.before <> coalesce(last.after, 'scheduled')
       OR (NEW.before, NEW.act, NEW.after) NOT IN (
        ('scheduled', 'held', 'held'), ('scheduled', 'postponed', 'postponed'), ('scheduled', 'cancelled', 'cancelled'),
        ('postponed', 'validated', 'scheduled'), ('postponed', 'cancelled', 'cancelled'), ('postponed', 'held', 'held')
    ) THEN
        RAISE EXCEPTION 'a draw that is % cannot be %', coalesce(last.after, 'scheduled'), NEW.act
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER draws_steps_in_order BEFORE INSERT ON draws_drawstep
    FOR EACH ROW EXECUTE FUNCTION draws_steps_in_order();
ALTER TABLE draws_drawstep ENABLE ALWAYS TRIGGER draws_steps_in_order;
"""
UNDO = """
DROP TRIGGER draws_steps_in_order ON draws_drawstep;
DROP FUNCTION draws_steps_in_order();
"""


class Migration(migrations.Migration):
    dependencies = [("draws", "0001_draws"), ("terms", "0002_guards")]
    operations = [make_append_only(f"draws_{name}" for name in TABLES), migrations.RunSQL(IN_ORDER, UNDO)]
