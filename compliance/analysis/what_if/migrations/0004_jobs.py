"""Trials become background jobs: their states have the names of every job, attempts are counted by trial, and a failed
or cancelled one can be tried again. Saved views of the list follow."""

from django.db import migrations, models
from django.db.models import Q

OLD_GUARD = """
CREATE FUNCTION trials_may_follow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    asked text[] := ARRAY['id', 'casino_id', 'asked_by_id', 'asked_by_name', 'asked_at', 'source', 'version_id', 'rules',
        'title', 'pack_id', 'readings', 'read_otherwise', 'tables', 'first_on', 'last_on'];
    before jsonb := to_jsonb(OLD);
    after jsonb := to_jsonb(NEW);
BEGIN
    IF OLD.ended_at IS NOT NULL OR EXISTS (SELECT FROM unnest(asked) AS name WHERE before -> name <> after -> name) THEN
        RAISE EXCEPTION 'UPDATE of % is refused: what was asked and what came of it stay as they are', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (
        ('waiting', 'trying'), ('waiting', 'stopped'), ('trying', 'done'), ('trying', 'stopped'), ('trying', 'failed')
    ) THEN
        RAISE EXCEPTION 'a trial does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER trials_may_follow BEFORE UPDATE ON trials_trial FOR EACH ROW EXECUTE FUNCTION trials_may_follow();
ALTER TABLE trials_trial ENABLE ALWAYS TRIGGER trials_may_follow;
"""
# An ended trial changes only by being tried again, which is a change of its state.
GUARD = """
CREATE FUNCTION trials_trial_stays() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    requested text[] := ARRAY['id', 'casino_id', 'asked_by_id', 'asked_by_name', 'asked_at', 'source', 'version_id',
        'rules', 'title', 'pack_id', 'readings', 'read_otherwise', 'tables', 'first_on', 'last_on'];
    before jsonb := to_jsonb(OLD);
    after jsonb := to_jsonb(NEW);
BEGIN
    IF OLD.state = NEW.state AND OLD.state NOT IN ('waiting', 'running')
        OR EXISTS (SELECT FROM unnest(requested) AS name WHERE before -> name <> after -> name) THEN
        RAISE EXCEPTION 'UPDATE of % is refused: what was requested and its result stay as they are', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER trials_trial_stays BEFORE UPDATE ON trials_trial FOR EACH ROW EXECUTE FUNCTION trials_trial_stays();
CREATE TRIGGER trials_trial_state BEFORE UPDATE ON trials_trial FOR EACH ROW EXECUTE FUNCTION web_job_transition();
ALTER TABLE trials_trial ENABLE ALWAYS TRIGGER trials_trial_stays, ENABLE ALWAYS TRIGGER trials_trial_state;
"""
RESULTS_GUARD = """
DROP FUNCTION trials_only_while_{old}() CASCADE;
CREATE FUNCTION trials_only_while_{new}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM trials_trial WHERE state <> '{new}' AND id IN (SELECT trial_id FROM written)) THEN
        RAISE EXCEPTION 'INSERT into % is refused: the trial is not going on', TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER trials_difference_while_{new} AFTER INSERT ON trials_difference REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION trials_only_while_{new}();
ALTER TABLE trials_difference ENABLE ALWAYS TRIGGER trials_difference_while_{new};
CREATE TRIGGER trials_sum_while_{new} AFTER INSERT ON trials_sum REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION trials_only_while_{new}();
ALTER TABLE trials_sum ENABLE ALWAYS TRIGGER trials_sum_while_{new};
"""
ATTEMPTS = """
UPDATE trials_trial SET attempts = stretch.attempts FROM (
    SELECT DISTINCT ON (trial_id) trial_id, attempts FROM trials_stretch WHERE done_at IS NULL ORDER BY trial_id, first
) stretch WHERE stretch.trial_id = trials_trial.id;
"""
OLD_ATTEMPTS = """
UPDATE trials_stretch SET attempts = trial.attempts FROM trials_trial trial WHERE trials_stretch.id = (
    SELECT id FROM trials_stretch WHERE trial_id = trial.id AND done_at IS NULL ORDER BY first LIMIT 1
);
"""
# Deferred foreign keys of changed rows: the tables cannot be altered while a check is pending.
CHECK_NOW = "SET CONSTRAINTS ALL IMMEDIATE;"
STATES = (("trying", "running"), ("stopped", "cancelled"))


def rename_state(old: str, new: str) -> str:
    """Of trials, and in the queries of saved views of their list."""
    return f"""
UPDATE trials_trial SET state = '{new}' WHERE state = '{old}';
UPDATE saved_savedview SET query = regexp_replace(query, '(^|&)state={old}(&|$)', '\\1state={new}\\2')
WHERE path ~ '^/casinos/[^/]+/what-if/$';
"""  # noqa: S608 - all parts are of the source


class Migration(migrations.Migration):
    dependencies = [
        ("saved", "0005_query_only"),
        ("trials", "0003_model_names"),
        ("web", "0004_job_transitions"),
    ]

    operations = [
        migrations.RunSQL("DROP FUNCTION trials_may_follow() CASCADE;", OLD_GUARD),
        migrations.RemoveConstraint("trial", "trials_trial_state_known"),
        migrations.RemoveConstraint("trial", "trials_trial_ended"),
        migrations.RemoveIndex("trial", "trials_trial_unfinished"),
        migrations.RenameField("trial", "stopped_by_name", "cancelled_by_name"),
        migrations.AddField("trial", "attempts", models.PositiveSmallIntegerField(default=0)),
        migrations.AlterField(
            "trial",
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
        migrations.RunSQL(
            ATTEMPTS + "".join(rename_state(old, new) for old, new in STATES) + CHECK_NOW,
            OLD_ATTEMPTS + "".join(rename_state(new, old) for old, new in STATES) + CHECK_NOW,
        ),
        migrations.RemoveField("trialrange", "attempts"),
        migrations.AddIndex(
            "trial",
            models.Index(
                condition=Q(state__in=["waiting", "running"]), fields=["asked_at"], name="trials_trial_unfinished"
            ),
        ),
        migrations.AddConstraint(
            "trial",
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "running", "done", "failed", "cancelled"]),
                name="trials_trial_state_known",
            ),
        ),
        migrations.AddConstraint(
            "trial",
            models.CheckConstraint(
                condition=Q(ended_at=None) | ~Q(state__in=["waiting", "running"]), name="trials_trial_ended"
            ),
        ),
        migrations.AddConstraint(
            "trial",
            models.CheckConstraint(condition=~Q(failure="", state="failed"), name="trials_trial_failed_why"),
        ),
        migrations.AddConstraint(
            "trial",
            models.CheckConstraint(
                condition=~Q(cancelled_by_name="", state="cancelled"), name="trials_trial_cancelled_by"
            ),
        ),
        migrations.RunSQL(
            GUARD + RESULTS_GUARD.format(old="trying", new="running"),
            "DROP FUNCTION trials_trial_stays() CASCADE; DROP TRIGGER trials_trial_state ON trials_trial;"
            + RESULTS_GUARD.format(old="running", new="trying"),
        ),
    ]
