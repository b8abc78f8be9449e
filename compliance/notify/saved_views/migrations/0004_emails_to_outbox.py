"""Moves the delivery state of messages to the e-mail outbox; a message refers to its e-mail."""

import django.db.models.deletion
from django.db import migrations, models

MOVE = """
DROP FUNCTION saved_message_moves() CASCADE;
INSERT INTO web_outgoingemail
    (purpose, "to", reference, secret, state, attempts, created_at, next_try_at, sent_at, last_error)
SELECT 'saved-view', person.email, jsonb_build_object('message', message.id), '', message.state, message.attempts,
    message.made_at, message.next_try_at, message.sent_at, ''
FROM saved_message message JOIN accounts_user person ON person.id = message.person_id ORDER BY message.id;
UPDATE saved_message SET email_id = email.id FROM web_outgoingemail email
WHERE email.purpose = 'saved-view' AND (email.reference -> 'message')::bigint = saved_message.id;
SET CONSTRAINTS ALL IMMEDIATE;
"""
TAKE_BACK = """
UPDATE saved_message SET email_id = NULL, state = email.state, attempts = email.attempts,
    next_try_at = email.next_try_at, sent_at = email.sent_at
FROM web_outgoingemail email WHERE email.id = saved_message.email_id;
DELETE FROM web_outgoingemail WHERE purpose = 'saved-view';
SET CONSTRAINTS ALL IMMEDIATE;
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


def email_field(is_null: bool) -> models.OneToOneField:
    return models.OneToOneField(
        null=is_null,
        on_delete=django.db.models.deletion.CASCADE,
        related_name="new_rows",
        to="web.outgoingemail",
    )


class Migration(migrations.Migration):
    dependencies = [("saved", "0003_model_names"), ("web", "0003_outgoing_email")]

    # What the data must fit when it is taken back stands above the data, what must fit when it is moved below.
    operations = [
        migrations.AddField("newrowsmessage", "email", email_field(is_null=True)),
        migrations.AlterModelOptions("newrowsmessage", {}),
        migrations.RemoveConstraint("newrowsmessage", "saved_message_state_known"),
        migrations.RemoveConstraint("newrowsmessage", "saved_message_sent_whole"),
        migrations.RemoveIndex("newrowsmessage", "saved_message_due"),
        migrations.AlterField("newrowsmessage", "next_try_at", models.DateTimeField(null=True)),
        migrations.RunSQL(MOVE, TAKE_BACK),
        migrations.AlterField("newrowsmessage", "email", email_field(is_null=False)),
        migrations.RemoveField("newrowsmessage", "state"),
        migrations.RemoveField("newrowsmessage", "attempts"),
        migrations.RemoveField("newrowsmessage", "next_try_at"),
        migrations.RemoveField("newrowsmessage", "sent_at"),
    ]
