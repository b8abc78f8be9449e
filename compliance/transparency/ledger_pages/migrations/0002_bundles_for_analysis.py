"""Bundles of wagers by gaming day, for analysis. The trigger also protects the days from changes."""

from django.db import migrations, models

KEEP_DAYS = """
CREATE OR REPLACE FUNCTION evidence_bundle_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.state, NEW.state) NOT IN (
        ('waiting', 'waiting'), ('waiting', 'preparing'), ('preparing', 'preparing'), ('preparing', 'ready'),
        ('preparing', 'failed'), ('ready', 'removed')
    ) THEN
        RAISE EXCEPTION 'A bundle that is % does not become %.', OLD.state, NEW.state
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF ROW(OLD.id, OLD.casino_id, OLD.asked_by_id, OLD.asked_by_name, OLD.asked_at, OLD.first_index, OLD.end_index,
           OLD.chosen, OLD.first_day, OLD.last_day)
        IS DISTINCT FROM ROW(NEW.id, NEW.casino_id, NEW.asked_by_id, NEW.asked_by_name, NEW.asked_at, NEW.first_index,
                             NEW.end_index, NEW.chosen, NEW.first_day, NEW.last_day)
    THEN
        RAISE EXCEPTION 'Who asked for what is kept as it was written.' USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.entry_index IS NOT NULL AND ROW(OLD.prepared_at, OLD.checkpoint_size, OLD.file_bytes, OLD.file_sha256,
                                           OLD.log, OLD.entry_index)
        IS DISTINCT FROM ROW(NEW.prepared_at, NEW.checkpoint_size, NEW.file_bytes, NEW.file_sha256, NEW.log,
                             NEW.entry_index)
    THEN
        RAISE EXCEPTION 'What was prepared is kept as it was recorded.' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""
KEEP_AS_BEFORE = """
CREATE OR REPLACE FUNCTION evidence_bundle_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.state, NEW.state) NOT IN (
        ('waiting', 'waiting'), ('waiting', 'preparing'), ('preparing', 'preparing'), ('preparing', 'ready'),
        ('preparing', 'failed'), ('ready', 'removed')
    ) THEN
        RAISE EXCEPTION 'A bundle that is % does not become %.', OLD.state, NEW.state
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF ROW(OLD.id, OLD.casino_id, OLD.asked_by_id, OLD.asked_by_name, OLD.asked_at, OLD.first_index, OLD.end_index,
           OLD.chosen)
        IS DISTINCT FROM ROW(NEW.id, NEW.casino_id, NEW.asked_by_id, NEW.asked_by_name, NEW.asked_at, NEW.first_index,
                             NEW.end_index, NEW.chosen)
    THEN
        RAISE EXCEPTION 'Who asked for what is kept as it was written.' USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.entry_index IS NOT NULL AND ROW(OLD.prepared_at, OLD.checkpoint_size, OLD.file_bytes, OLD.file_sha256,
                                           OLD.log, OLD.entry_index)
        IS DISTINCT FROM ROW(NEW.prepared_at, NEW.checkpoint_size, NEW.file_bytes, NEW.file_sha256, NEW.log,
                             NEW.entry_index)
    THEN
        RAISE EXCEPTION 'What was prepared is kept as it was recorded.' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("evidence", "0001_bundles")]

    operations = [
        migrations.AddField("bundle", "first_day", models.DateField(null=True)),
        migrations.AddField("bundle", "last_day", models.DateField(null=True)),
        migrations.AddConstraint(
            "bundle",
            models.CheckConstraint(
                condition=models.Q(
                    models.Q(("first_day", None), ("last_day", None)),
                    models.Q(
                        ("chosen__isnull", True),
                        ("first_day__isnull", False),
                        ("last_day__gte", models.F("first_day")),
                        ("last_day__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="evidence_bundle_days",
            ),
        ),
        migrations.RunSQL(KEEP_DAYS, KEEP_AS_BEFORE),
    ]
