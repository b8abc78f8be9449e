"""The trigger function that every table of background jobs uses; the transitions are those of jobs/job.py."""

from django.db import migrations

CREATE = """
CREATE FUNCTION web_job_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN (
        ('waiting', 'running'), ('waiting', 'cancelled'), ('running', 'done'), ('running', 'failed'),
        ('running', 'cancelled'), ('failed', 'waiting'), ('cancelled', 'waiting')
    ) THEN
        RAISE EXCEPTION 'a job that is % does not become %', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("web", "0003_outgoing_email")]
    operations = [migrations.RunSQL(CREATE, "DROP FUNCTION web_job_transition() CASCADE")]
