"""Moves the deliveries of alerts to the e-mail outbox. Taken back, they get new ids, to which nothing refers."""

from django.db import migrations

MOVE = """
INSERT INTO web_outgoingemail
    (purpose, "to", reference, secret, state, attempts, created_at, next_try_at, sent_at, last_error)
SELECT 'alert', person.email,
    jsonb_build_object('log', alert.log, 'alert', alert.entry_index, 'level', delivery.level,
                       'person', delivery.recipient_id, 'role', delivery.role),
    '', delivery.state, delivery.attempts, coalesce(delivery.sent_at, delivery.next_try_at), delivery.next_try_at,
    delivery.sent_at, ''
FROM alerts_delivery delivery JOIN alerts_alert alert ON alert.id = delivery.alert_id
JOIN accounts_user person ON person.id = delivery.recipient_id ORDER BY delivery.id;
DROP FUNCTION alerts_delivery_moves() CASCADE;
"""
TAKE_BACK = """
INSERT INTO alerts_delivery (role, level, state, attempts, next_try_at, sent_at, alert_id, recipient_id)
SELECT email.reference ->> 'role', (email.reference -> 'level')::int, email.state, email.attempts, email.next_try_at,
    email.sent_at, alert.id, (email.reference -> 'person')::bigint
FROM web_outgoingemail email JOIN alerts_alert alert
    ON alert.log = email.reference ->> 'log' AND alert.entry_index = (email.reference -> 'alert')::bigint
WHERE email.purpose = 'alert' ORDER BY email.id;
DELETE FROM web_outgoingemail WHERE purpose = 'alert';
SET CONSTRAINTS ALL IMMEDIATE;
CREATE FUNCTION alerts_delivery_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state <> 'waiting' OR ROW(OLD.id, OLD.alert_id, OLD.recipient_id, OLD.role, OLD.level)
        IS DISTINCT FROM ROW(NEW.id, NEW.alert_id, NEW.recipient_id, NEW.role, NEW.level) THEN
        RAISE EXCEPTION 'A message that is % stays as it is.', OLD.state USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER alert_delivery_moves BEFORE UPDATE ON alerts_delivery
    FOR EACH ROW EXECUTE FUNCTION alerts_delivery_moves();
CREATE TRIGGER alert_delivery_is_kept BEFORE DELETE ON alerts_delivery
    FOR EACH ROW EXECUTE FUNCTION alerts_refuse_change();
ALTER TABLE alerts_delivery ENABLE ALWAYS TRIGGER alert_delivery_moves;
ALTER TABLE alerts_delivery ENABLE ALWAYS TRIGGER alert_delivery_is_kept;
"""


class Migration(migrations.Migration):
    dependencies = [("alerts", "0002_guards"), ("web", "0003_outgoing_email")]
    operations = [migrations.RunSQL(MOVE, TAKE_BACK), migrations.DeleteModel("Delivery")]
