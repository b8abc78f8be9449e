"""Draw jobs have the states of every background job, and can be cancelled."""

from django.db import migrations, models
from django.db.models import Q

GUARD = """
CREATE OR REPLACE FUNCTION checklists_drawing_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state = 'done' OR (OLD.sample_id, OLD.is_again) <> (NEW.sample_id, NEW.is_again)
        OR (NEW.reached < OLD.reached AND OLD.state NOT IN ('failed', 'cancelled')) THEN
        RAISE EXCEPTION 'a draw goes on, and once it is drawn nothing of it changes'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER checklists_drawing_state BEFORE UPDATE ON checklists_drawing
    FOR EACH ROW EXECUTE FUNCTION web_job_transition();
ALTER TABLE checklists_drawing ENABLE ALWAYS TRIGGER checklists_drawing_goes_on,
    ENABLE ALWAYS TRIGGER checklists_drawing_state;
"""
OLD_GUARD = """
DROP TRIGGER checklists_drawing_state ON checklists_drawing;
CREATE OR REPLACE FUNCTION checklists_drawing_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.drawn_at IS NOT NULL OR (OLD.sample_id, OLD.is_again) <> (NEW.sample_id, NEW.is_again)
        OR (NEW.reached < OLD.reached AND OLD.failed_at IS NULL) THEN
        RAISE EXCEPTION 'a draw goes on, and once it is drawn nothing of it changes'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
ALTER TABLE checklists_drawing DISABLE TRIGGER checklists_drawing_goes_on;
"""
STATES = """
UPDATE checklists_drawing SET ended_at = coalesce(drawn_at, failed_at), state = CASE
    WHEN drawn_at IS NOT NULL THEN 'done' WHEN failed_at IS NOT NULL THEN 'failed'
    WHEN attempts > 0 OR reached > first THEN 'running' ELSE 'waiting' END;
"""
# The earlier release knows no cancelled draw; one that failed can be requested again there.
OLD_STATES = """
UPDATE checklists_drawing SET drawn_at = CASE state WHEN 'done' THEN ended_at END,
    failed_at = CASE WHEN state IN ('failed', 'cancelled') THEN ended_at END,
    failure = CASE state WHEN 'cancelled' THEN cancelled_by_name || ' cancelled it.' ELSE failure END;
"""


class Migration(migrations.Migration):
    dependencies = [("checklists", "0005_model_names"), ("web", "0004_job_transitions")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE checklists_drawing DISABLE TRIGGER checklists_drawing_goes_on",
            "ALTER TABLE checklists_drawing ENABLE ALWAYS TRIGGER checklists_drawing_goes_on",
        ),
        migrations.RemoveConstraint("drawjob", "checklists_drawing_one_again"),
        migrations.RemoveConstraint("drawjob", "checklists_drawing_failed_whole"),
        migrations.RemoveConstraint("drawjob", "checklists_drawing_compared"),
        migrations.RemoveIndex("drawjob", "checklists_drawing_unfinished"),
        migrations.AddField(
            "drawjob",
            "state",
            models.CharField(
                choices=[
                    ("waiting", "Waiting"),
                    ("running", "In progress"),
                    ("done", "Done"),
                    ("failed", "Failed"),
                    ("cancelled", "Cancelled"),
                ],
                default="waiting",
                max_length=12,
            ),
        ),
        migrations.AddField("drawjob", "ended_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("drawjob", "cancelled_by_name", models.CharField(blank=True, default="", max_length=120)),
        migrations.AlterField("drawjob", "failure", models.TextField(blank=True, default="")),
        migrations.RunSQL(STATES, OLD_STATES),
        migrations.RemoveField("drawjob", "drawn_at"),
        migrations.RemoveField("drawjob", "failed_at"),
        migrations.AddIndex(
            "drawjob",
            models.Index(
                condition=Q(state__in=["waiting", "running"]), fields=["id"], name="checklists_drawing_unfinished"
            ),
        ),
        migrations.AddConstraint(
            "drawjob",
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "running", "done", "failed", "cancelled"]),
                name="checklists_drawjob_state_known",
            ),
        ),
        migrations.AddConstraint(
            "drawjob",
            models.CheckConstraint(
                condition=Q(ended_at=None) | ~Q(state__in=["waiting", "running"]), name="checklists_drawjob_ended"
            ),
        ),
        migrations.AddConstraint(
            "drawjob",
            models.CheckConstraint(condition=~Q(failure="", state="failed"), name="checklists_drawjob_failed_why"),
        ),
        migrations.AddConstraint(
            "drawjob",
            models.CheckConstraint(
                condition=~Q(cancelled_by_name="", state="cancelled"), name="checklists_drawjob_cancelled_by"
            ),
        ),
        migrations.AddConstraint(
            "drawjob",
            models.UniqueConstraint(
                condition=Q(is_again=True, state__in=["waiting", "running"]),
                fields=("sample",),
                name="checklists_drawing_one_again",
            ),
        ),
        migrations.AddConstraint(
            "drawjob",
            models.CheckConstraint(
                condition=Q(is_again=True, state="done", was_same__isnull=False)
                | Q(was_same=None) & ~Q(is_again=True, state="done"),
                name="checklists_drawing_compared",
            ),
        ),
        migrations.RunSQL(GUARD, OLD_GUARD),
    ]
