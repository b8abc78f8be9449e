"""A step follows the last one that was not withdrawn. Numbers count all steps."""

from django.db import migrations

IN_ORDER = """
CREATE OR REPLACE FUNCTION draws_steps_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    newest integer;
    standing text;
BEGIN
    SELECT coalesce(max(step), 0) INTO newest FROM draws_drawstep WHERE draw_id = NEW.draw_id;
    SELECT after INTO standing FROM draws_drawstep
        WHERE draw_id = NEW.draw_id {condition} ORDER BY step DESC LIMIT 1;
    IF NEW.step <> newest + 1 OR NEW.before <> coalesce(standing, 'scheduled')
       OR (NEW.before, NEW.act, NEW.after) NOT IN (
        ('scheduled', 'held', 'held'), ('scheduled', 'postponed', 'postponed'), ('scheduled', 'cancelled', 'cancelled'),
        ('postponed', 'validated', 'scheduled'), ('postponed', 'cancelled', 'cancelled'), ('postponed', 'held', 'held')
    ) THEN
        RAISE EXCEPTION 'a draw that is % cannot be %', coalesce(standing, 'scheduled'), NEW.act
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""
STANDING = "AND NOT ledger_is_taken_back(log, entry_index)"


class Migration(migrations.Migration):
    dependencies = [("draws", "0002_guards"), ("ledger", "0006_one_standing_row")]
    operations = [migrations.RunSQL(IN_ORDER.format(condition=STANDING), IN_ORDER.format(condition=""))]
