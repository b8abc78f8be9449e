"""Triggers for alerts: content and steps are append-only, and transitions as in states.py."""

from django.db import migrations

GUARDS = """
CREATE FUNCTION alerts_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is kept as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION alerts_alert_moves() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    moving constant text[] := ARRAY['state', 'level', 'told', 'escalates_at', 'delivered_at', 'acknowledged_at',
                                    'acknowledged_by_name'];
BEGIN
    IF to_jsonb(OLD) - moving IS DISTINCT FROM to_jsonb(NEW) - moving THEN
        RAISE EXCEPTION 'What was raised is kept as it was written.' USING ERRCODE = 'restrict_violation';
    END IF;
    IF (OLD.state, NEW.state) NOT IN (('waiting', 'waiting'), ('waiting', 'acknowledged'),
                                      ('acknowledged', 'acknowledged')) THEN
        RAISE EXCEPTION 'An alert that is % does not become %.', OLD.state, NEW.state
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.state = 'acknowledged' AND (OLD.acknowledged_at, OLD.acknowledged_by_name, OLD.level)
        IS DISTINCT FROM (NEW.acknowledged_at, NEW.acknowledged_by_name, NEW.level) THEN
        RAISE EXCEPTION 'Who acknowledged an alert is kept as it was written.' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.level < OLD.level OR NOT NEW.told @> OLD.told
        OR (OLD.delivered_at IS NOT NULL AND NEW.delivered_at IS DISTINCT FROM OLD.delivered_at) THEN
        RAISE EXCEPTION 'An alert only ever goes on.' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION alerts_delivery_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state <> 'waiting' OR ROW(OLD.id, OLD.alert_id, OLD.recipient_id, OLD.role, OLD.level)
        IS DISTINCT FROM ROW(NEW.id, NEW.alert_id, NEW.recipient_id, NEW.role, NEW.level) THEN
        RAISE EXCEPTION 'A message that is % stays as it is.', OLD.state USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER alert_moves BEFORE UPDATE ON alerts_alert FOR EACH ROW EXECUTE FUNCTION alerts_alert_moves();
CREATE TRIGGER alert_is_kept BEFORE DELETE ON alerts_alert FOR EACH ROW EXECUTE FUNCTION alerts_refuse_change();
CREATE TRIGGER alert_delivery_moves BEFORE UPDATE ON alerts_delivery
    FOR EACH ROW EXECUTE FUNCTION alerts_delivery_moves();
CREATE TRIGGER alert_delivery_is_kept BEFORE DELETE ON alerts_delivery
    FOR EACH ROW EXECUTE FUNCTION alerts_refuse_change();
CREATE TRIGGER alert_step_only_grows BEFORE UPDATE OR DELETE ON alerts_alertstep
    FOR EACH ROW EXECUTE FUNCTION alerts_refuse_change();
CREATE TRIGGER alert_ladder_only_grows BEFORE UPDATE OR DELETE ON alerts_escalationrule
    FOR EACH ROW EXECUTE FUNCTION alerts_refuse_change();

ALTER TABLE alerts_alert ENABLE ALWAYS TRIGGER alert_moves;
ALTER TABLE alerts_alert ENABLE ALWAYS TRIGGER alert_is_kept;
ALTER TABLE alerts_delivery ENABLE ALWAYS TRIGGER alert_delivery_moves;
ALTER TABLE alerts_delivery ENABLE ALWAYS TRIGGER alert_delivery_is_kept;
ALTER TABLE alerts_alertstep ENABLE ALWAYS TRIGGER alert_step_only_grows;
ALTER TABLE alerts_escalationrule ENABLE ALWAYS TRIGGER alert_ladder_only_grows;
"""
UNDO = """
DROP TRIGGER alert_moves ON alerts_alert;
DROP TRIGGER alert_is_kept ON alerts_alert;
DROP TRIGGER alert_delivery_moves ON alerts_delivery;
DROP TRIGGER alert_delivery_is_kept ON alerts_delivery;
DROP TRIGGER alert_step_only_grows ON alerts_alertstep;
DROP TRIGGER alert_ladder_only_grows ON alerts_escalationrule;
DROP FUNCTION alerts_alert_moves();
DROP FUNCTION alerts_delivery_moves();
DROP FUNCTION alerts_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("alerts", "0001_alerts")]
    operations = [migrations.RunSQL(GUARDS, UNDO)]
