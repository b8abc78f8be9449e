"""Weighted samples: the factors recorded before the draw, and the weight of each drawn round."""

from django.db import migrations, models

GUARD = """
CREATE OR REPLACE FUNCTION checklists_only_verdict_moves() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    moving text[] := ARRAY['verdict', 'checked_times'];
BEGIN
    IF to_jsonb(OLD) - moving <> to_jsonb(NEW) - moving OR NEW.checked_times < OLD.checked_times THEN
        RAISE EXCEPTION 'a sample keeps the rounds it drew, and no look is forgotten'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""
BEFORE = """
CREATE OR REPLACE FUNCTION checklists_only_verdict_moves() RETURNS trigger LANGUAGE plpgsql AS $$
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


class Migration(migrations.Migration):
    dependencies = [("checklists", "0002_guards")]
    operations = [
        migrations.AddField("sample", "weights", models.JSONField(null=True)),
        migrations.AddField("draw", "weighed", models.JSONField(null=True)),
        migrations.AddField("sampledround", "weight", models.PositiveIntegerField(default=1)),
        migrations.AddField("sampledround", "factors", models.JSONField(default=list)),
        migrations.AddConstraint(
            "sampledround",
            models.CheckConstraint(condition=models.Q(("weight__gte", 1)), name="checklists_sampled_has_weight"),
        ),
        migrations.RunSQL(GUARD, BEFORE),
    ]
