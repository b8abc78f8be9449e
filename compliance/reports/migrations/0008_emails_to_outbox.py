"""Moves the e-mails about reports to the e-mail outbox. Taken back, they get new ids, to which nothing refers."""

from django.db import migrations

MOVE = """
INSERT INTO web_outgoingemail
    (purpose, "to", reference, secret, state, attempts, created_at, next_try_at, sent_at, last_error)
SELECT 'report', person.email, jsonb_build_object('report', letter.report_id, 'person', letter.recipient_id), '',
    letter.state, letter.attempts, coalesce(letter.sent_at, letter.next_try_at), letter.next_try_at, letter.sent_at, ''
FROM reports_letter letter JOIN accounts_user person ON person.id = letter.recipient_id ORDER BY letter.id;
"""
TAKE_BACK = """
INSERT INTO reports_letter (state, attempts, next_try_at, sent_at, report_id, recipient_id)
SELECT state, attempts, next_try_at, sent_at, (reference -> 'report')::bigint, (reference -> 'person')::bigint
FROM web_outgoingemail WHERE purpose = 'report' ORDER BY id;
DELETE FROM web_outgoingemail WHERE purpose = 'report';
SET CONSTRAINTS ALL IMMEDIATE;
"""


class Migration(migrations.Migration):
    dependencies = [("reports", "0007_model_names"), ("web", "0003_outgoing_email")]
    operations = [migrations.RunSQL(MOVE, TAKE_BACK), migrations.DeleteModel("ReportEmail")]
