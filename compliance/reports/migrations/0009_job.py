"""Reports have the states of every background job. RECORDED is RUNNING with an entry: the triggers let such a report
become done and nothing else. Views saved of the list of reports filter by the new states."""

from django.db import migrations, models
from django.db.models import Q

DROP_GUARD = "DROP FUNCTION reports_may_follow() CASCADE"
RESTORE_GUARD = """
CREATE FUNCTION reports_may_follow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    asked text[] := ARRAY['casino_id', 'kind', 'chosen', 'asked_by_id', 'asked_by_name', 'asked_at', 'schedule_id', 'scheduled_on'];
    made text[] := ARRAY['title', 'made_at', 'pages', 'pages_sha256', 'document_sha256', 'log', 'entry_index'];
    before jsonb := to_jsonb(OLD);
    after jsonb := to_jsonb(NEW);
BEGIN
    IF EXISTS (SELECT FROM unnest(asked) AS name WHERE before -> name <> after -> name)
        OR (OLD.entry_index IS NOT NULL AND EXISTS (SELECT FROM unnest(made) AS name WHERE before -> name <> after -> name))
        OR (OLD.state = 'ready' AND before <> after) THEN
        RAISE EXCEPTION 'UPDATE of % is refused: what was asked and what was recorded stay as they are', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (
        ('waiting', 'making'), ('making', 'recorded'), ('making', 'failed'), ('recorded', 'ready')
    ) THEN
        RAISE EXCEPTION 'a report does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER reports_may_follow BEFORE UPDATE ON reports_report
    FOR EACH ROW EXECUTE FUNCTION reports_may_follow();
ALTER TABLE reports_report ENABLE ALWAYS TRIGGER reports_may_follow;
"""

RENAME_STATES = """
UPDATE reports_report SET state = CASE state WHEN 'ready' THEN 'done' ELSE 'running' END
WHERE state IN ('making', 'recorded', 'ready');
UPDATE saved_savedview
SET query = regexp_replace(regexp_replace(query, '(^|&)state=ready(?=&|$)', '\\1state=done'),
                           '(^|&)state=(making|recorded)(?=&|$)', '\\1state=running')
WHERE path ~ '^/casinos/[^/]+/reports/$';
SET CONSTRAINTS ALL IMMEDIATE;
"""
# Of the e-mails about a report that was tried again, only the last has a place in the former tables.
RESTORE_STATES = """
UPDATE reports_report
SET state = CASE
        WHEN state = 'done' THEN 'ready'
        WHEN state = 'cancelled' THEN 'failed'
        WHEN entry_index IS NULL THEN 'making'
        ELSE 'recorded' END,
    failure = CASE WHEN state = 'cancelled' THEN cancelled_by_name || ' cancelled it before it was done.' ELSE failure END
WHERE state IN ('running', 'done', 'cancelled');
UPDATE saved_savedview
SET query = regexp_replace(regexp_replace(query, '(^|&)state=done(?=&|$)', '\\1state=ready'),
                           '(^|&)state=running(?=&|$)', '\\1state=making')
WHERE path ~ '^/casinos/[^/]+/reports/$';
DELETE FROM web_outgoingemail earlier USING web_outgoingemail later
WHERE earlier.purpose = 'report' AND later.purpose = 'report' AND earlier.id < later.id
    AND earlier.reference - 'ended_at' = later.reference - 'ended_at';
SET CONSTRAINTS ALL IMMEDIATE;
"""

GUARDS = """
CREATE FUNCTION reports_report_unchanged() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    asked text[] := ARRAY['casino_id', 'kind', 'chosen', 'asked_by_id', 'asked_by_name', 'asked_at', 'schedule_id', 'scheduled_on'];
    made text[] := ARRAY['title', 'made_at', 'pages', 'pages_sha256', 'document_sha256', 'log', 'entry_index'];
    before jsonb := to_jsonb(OLD);
    after jsonb := to_jsonb(NEW);
BEGIN
    IF EXISTS (SELECT FROM unnest(asked) AS name WHERE before -> name <> after -> name)
        OR (OLD.entry_index IS NOT NULL AND EXISTS (SELECT FROM unnest(made) AS name WHERE before -> name <> after -> name))
        OR (OLD.state = 'done' AND before <> after) THEN
        RAISE EXCEPTION 'UPDATE of % is refused: what was asked and what was recorded stay as they are', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.entry_index IS NOT NULL AND NEW.state NOT IN ('running', 'done') THEN
        RAISE EXCEPTION 'a report that is recorded does not become %', NEW.state USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER reports_report_unchanged BEFORE UPDATE ON reports_report
    FOR EACH ROW EXECUTE FUNCTION reports_report_unchanged();
CREATE TRIGGER reports_report_state BEFORE UPDATE ON reports_report
    FOR EACH ROW EXECUTE FUNCTION web_job_transition();
ALTER TABLE reports_report ENABLE ALWAYS TRIGGER reports_report_unchanged, ENABLE ALWAYS TRIGGER reports_report_state;
"""
DROP_GUARDS = """
DROP FUNCTION reports_report_unchanged() CASCADE;
DROP TRIGGER reports_report_state ON reports_report;
"""
STATES = [
    ("waiting", "Waiting"),
    ("running", "In progress"),
    ("done", "Done"),
    ("failed", "Failed"),
    ("cancelled", "Cancelled"),
]


def check(condition: Q, name: str) -> migrations.AddConstraint:
    return migrations.AddConstraint("report", models.CheckConstraint(condition=condition, name=name))


class Migration(migrations.Migration):
    dependencies = [
        ("reports", "0008_emails_to_outbox"),
        ("saved", "0001_views"),
        ("web", "0004_job_transitions"),
    ]

    operations = [
        migrations.RunSQL(DROP_GUARD, RESTORE_GUARD),
        migrations.RemoveConstraint("report", "reports_state_known"),
        migrations.RemoveConstraint("report", "reports_recorded_whole"),
        migrations.RemoveConstraint("report", "reports_ready_has_file"),
        migrations.RemoveIndex("report", "reports_unfinished"),
        migrations.AddField("report", "cancelled_by_name", models.CharField(blank=True, default="", max_length=120)),
        migrations.AddField("report", "ended_at", models.DateTimeField(blank=True, null=True)),
        migrations.AlterField("report", "failure", models.TextField(blank=True, default="")),
        migrations.AlterField("report", "state", models.CharField(choices=STATES, default="waiting", max_length=12)),
        migrations.RunSQL(RENAME_STATES, RESTORE_STATES),
        migrations.AddIndex(
            "report", models.Index(condition=~Q(state="done"), fields=["state"], name="reports_not_done")
        ),
        check(Q(state__in=[state for state, _ in STATES]), "reports_report_state_known"),
        check(Q(ended_at=None) | ~Q(state__in=["waiting", "running"]), "reports_report_ended"),
        check(~Q(failure="", state="failed"), "reports_report_failed_why"),
        check(~Q(cancelled_by_name="", state="cancelled"), "reports_report_cancelled_by"),
        check(
            Q(state__in=["running", "done"], entry_index__isnull=False, made_at__isnull=False) & ~Q(pages_sha256="")
            | Q(entry_index=None) & ~Q(state="done"),
            "reports_recorded_whole",
        ),
        check(~Q(state="done") | Q(file_bytes__isnull=False) & ~Q(file_sha256=""), "reports_done_has_file"),
        migrations.RunSQL(GUARDS, DROP_GUARDS),
    ]
