"""Bundles have the states of every background job. A bundle whose file was removed is DONE with `removed_at`."""

from django.db import migrations, models
from django.db.models import Q

DROP_GUARD = "DROP FUNCTION evidence_bundle_moves() CASCADE"
RESTORE_GUARD = """
CREATE FUNCTION evidence_bundle_moves() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER evidence_bundle_moves BEFORE UPDATE ON evidence_bundle
    FOR EACH ROW EXECUTE FUNCTION evidence_bundle_moves();
"""

RENAME_STATES = """
UPDATE evidence_bundle SET state = CASE state WHEN 'preparing' THEN 'running' ELSE 'done' END
WHERE state IN ('preparing', 'ready', 'removed');
SET CONSTRAINTS ALL IMMEDIATE;
"""
RESTORE_STATES = """
UPDATE evidence_bundle
SET state = CASE
        WHEN state = 'running' THEN 'preparing'
        WHEN state = 'cancelled' THEN 'failed'
        WHEN removed_at IS NULL THEN 'ready'
        ELSE 'removed' END,
    failure = CASE WHEN state = 'cancelled' THEN cancelled_by_name || ' cancelled it before it was done.' ELSE failure END
WHERE state IN ('running', 'done', 'cancelled');
SET CONSTRAINTS ALL IMMEDIATE;
"""

GUARDS = """
CREATE FUNCTION evidence_bundle_unchanged() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    asked text[] := ARRAY['id', 'casino_id', 'asked_by_id', 'asked_by_name', 'asked_at', 'first_index', 'end_index', 'chosen', 'first_day', 'last_day'];
    before jsonb := to_jsonb(OLD);
    after jsonb := to_jsonb(NEW);
BEGIN
    IF EXISTS (SELECT FROM unnest(asked) AS name WHERE before -> name <> after -> name)
        OR (OLD.state = 'done' AND before - 'removed_at' <> after - 'removed_at')
        OR (OLD.removed_at IS NOT NULL AND before <> after) THEN
        RAISE EXCEPTION 'UPDATE of % is refused: what was asked and what was recorded stay as they are', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER evidence_bundle_unchanged BEFORE UPDATE ON evidence_bundle
    FOR EACH ROW EXECUTE FUNCTION evidence_bundle_unchanged();
CREATE TRIGGER evidence_bundle_state BEFORE UPDATE ON evidence_bundle
    FOR EACH ROW EXECUTE FUNCTION web_job_transition();
ALTER TABLE evidence_bundle ENABLE ALWAYS TRIGGER evidence_bundle_unchanged, ENABLE ALWAYS TRIGGER evidence_bundle_state;
"""
DROP_GUARDS = """
DROP FUNCTION evidence_bundle_unchanged() CASCADE;
DROP TRIGGER evidence_bundle_state ON evidence_bundle;
"""
STATES = [
    ("waiting", "Waiting"),
    ("running", "In progress"),
    ("done", "Done"),
    ("failed", "Failed"),
    ("cancelled", "Cancelled"),
]


def check(condition: Q, name: str) -> migrations.AddConstraint:
    return migrations.AddConstraint("bundle", models.CheckConstraint(condition=condition, name=name))


class Migration(migrations.Migration):
    dependencies = [("evidence", "0002_bundles_for_analysis"), ("web", "0004_job_transitions")]

    operations = [
        migrations.RunSQL(DROP_GUARD, RESTORE_GUARD),
        migrations.RemoveConstraint("bundle", "evidence_bundle_recorded_when_ready"),
        migrations.AddField("bundle", "cancelled_by_name", models.CharField(blank=True, default="", max_length=120)),
        migrations.AddField("bundle", "ended_at", models.DateTimeField(blank=True, null=True)),
        migrations.AlterField("bundle", "failure", models.TextField(blank=True, default="")),
        migrations.AlterField("bundle", "state", models.CharField(choices=STATES, default="waiting", max_length=12)),
        migrations.RunSQL(RENAME_STATES, RESTORE_STATES),
        check(Q(state__in=[state for state, _ in STATES]), "evidence_bundle_state_known"),
        check(Q(ended_at=None) | ~Q(state__in=["waiting", "running"]), "evidence_bundle_ended"),
        check(~Q(failure="", state="failed"), "evidence_bundle_failed_why"),
        check(~Q(cancelled_by_name="", state="cancelled"), "evidence_bundle_cancelled_by"),
        check(
            Q(state="done", prepared_at__isnull=False, entry_index__isnull=False)
            | Q(entry_index=None, removed_at=None) & ~Q(state="done"),
            "evidence_bundle_recorded_when_done",
        ),
        migrations.RunSQL(GUARDS, DROP_GUARDS),
    ]
