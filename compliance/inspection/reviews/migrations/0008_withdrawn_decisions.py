"""A decision can be withdrawn: a review goes back to the state before it."""

from importlib import import_module

from django.db import migrations

guards = import_module("compliance.inspection.reviews.migrations.0002_guards")
BACKWARD = ", ('asked', 'open'), ('answered', 'open'), ('seconding', 'answered'), ('decided', 'answered')"
FOLLOW = """
CREATE OR REPLACE FUNCTION reviews_may_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.finding_id <> NEW.finding_id OR OLD.casino_id <> NEW.casino_id OR NEW.decided_times < OLD.decided_times THEN
        RAISE EXCEPTION 'a review stays with its finding, and no decision is forgotten'
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN ({allowed}) THEN
        RAISE EXCEPTION 'a review does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("reviews", "0007_queue_with_questions"), ("ledger", "0006_one_standing_row")]
    operations = [
        migrations.RunSQL(FOLLOW.format(allowed=guards.ALLOWED + BACKWARD), FOLLOW.format(allowed=guards.ALLOWED))
    ]
