"""Triggers for messages: transitions as in states.py, and content that never changes."""

from django.db import migrations

GUARDS = """
CREATE FUNCTION saved_message_moves() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    moving constant text[] := ARRAY['state', 'attempts', 'next_try_at', 'sent_at'];
BEGIN
    IF to_jsonb(OLD) - moving <> to_jsonb(NEW) - moving OR NEW.attempts < OLD.attempts THEN
        RAISE EXCEPTION 'A message stays that of its person.' USING ERRCODE = 'restrict_violation';
    END IF;
    IF (OLD.state, NEW.state) NOT IN (
        ('waiting', 'waiting'), ('waiting', 'sent'), ('waiting', 'given-up'), ('waiting', 'withheld')
    ) THEN
        RAISE EXCEPTION 'A message that is % does not become %.', OLD.state, NEW.state
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER saved_message_moves BEFORE UPDATE ON saved_message
    FOR EACH ROW EXECUTE FUNCTION saved_message_moves();
ALTER TABLE saved_message ENABLE ALWAYS TRIGGER saved_message_moves;
"""


class Migration(migrations.Migration):
    dependencies = [("saved", "0001_views")]
    operations = [migrations.RunSQL(GUARDS, "DROP FUNCTION saved_message_moves() CASCADE;")]
