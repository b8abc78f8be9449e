"""Triggers for webhooks: steps are append-only, and transitions as in states.py."""

from django.db import migrations

GUARDS = """
CREATE FUNCTION webhooks_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is kept as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION webhooks_endpoint_moves() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    moving constant text[] := ARRAY['name', 'address', 'events', 'standing', 'busy_until'];
BEGIN
    IF to_jsonb(OLD) - moving IS DISTINCT FROM to_jsonb(NEW) - moving THEN
        RAISE EXCEPTION 'A webhook stays at its casino.' USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.standing = 'removed' AND to_jsonb(OLD) - 'busy_until'::text IS DISTINCT FROM to_jsonb(NEW) - 'busy_until'::text
    THEN
        RAISE EXCEPTION 'A webhook that was removed stays removed.' USING ERRCODE = 'restrict_violation';
    END IF;
    IF (OLD.standing, NEW.standing) IN (('off', 'failed'), ('failed', 'off')) THEN
        RAISE EXCEPTION 'A webhook that is % does not become %.', OLD.standing, NEW.standing
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION webhooks_delivery_moves() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    moving constant text[] := ARRAY['state', 'attempts_made', 'tried_since_at', 'next_try_at', 'delivered_at'];
BEGIN
    IF to_jsonb(OLD) - moving IS DISTINCT FROM to_jsonb(NEW) - moving THEN
        RAISE EXCEPTION 'What a message says is kept as it was written.' USING ERRCODE = 'restrict_violation';
    END IF;
    IF (OLD.state, NEW.state) NOT IN (('waiting', 'waiting'), ('waiting', 'delivered'), ('waiting', 'given-up'),
                                      ('given-up', 'waiting')) OR NEW.attempts_made < OLD.attempts_made THEN
        RAISE EXCEPTION 'A message that is % does not become %.', OLD.state, NEW.state
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION webhooks_attempt_ends() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    ending constant text[] := ARRAY['ended_at', 'status', 'trouble'];
BEGIN
    IF OLD.ended_at IS NOT NULL OR to_jsonb(OLD) - ending IS DISTINCT FROM to_jsonb(NEW) - ending THEN
        RAISE EXCEPTION 'An attempt ends once.' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER webhooks_endpoint_moves BEFORE UPDATE ON webhooks_endpoint
    FOR EACH ROW EXECUTE FUNCTION webhooks_endpoint_moves();
CREATE TRIGGER webhooks_endpoint_kept BEFORE DELETE ON webhooks_endpoint
    FOR EACH ROW EXECUTE FUNCTION webhooks_refuse();
CREATE TRIGGER webhooks_step_only_grows BEFORE UPDATE OR DELETE ON webhooks_endpointstep
    FOR EACH ROW EXECUTE FUNCTION webhooks_refuse();
CREATE TRIGGER webhooks_delivery_moves BEFORE UPDATE ON webhooks_delivery
    FOR EACH ROW EXECUTE FUNCTION webhooks_delivery_moves();
CREATE TRIGGER webhooks_delivery_kept BEFORE DELETE ON webhooks_delivery
    FOR EACH ROW EXECUTE FUNCTION webhooks_refuse();
CREATE TRIGGER webhooks_attempt_ends BEFORE UPDATE ON webhooks_attempt
    FOR EACH ROW EXECUTE FUNCTION webhooks_attempt_ends();
CREATE TRIGGER webhooks_attempt_kept BEFORE DELETE ON webhooks_attempt
    FOR EACH ROW EXECUTE FUNCTION webhooks_refuse();
ALTER TABLE webhooks_endpoint ENABLE ALWAYS TRIGGER webhooks_endpoint_moves;
ALTER TABLE webhooks_endpoint ENABLE ALWAYS TRIGGER webhooks_endpoint_kept;
ALTER TABLE webhooks_endpointstep ENABLE ALWAYS TRIGGER webhooks_step_only_grows;
ALTER TABLE webhooks_delivery ENABLE ALWAYS TRIGGER webhooks_delivery_moves;
ALTER TABLE webhooks_delivery ENABLE ALWAYS TRIGGER webhooks_delivery_kept;
ALTER TABLE webhooks_attempt ENABLE ALWAYS TRIGGER webhooks_attempt_ends;
ALTER TABLE webhooks_attempt ENABLE ALWAYS TRIGGER webhooks_attempt_kept;
"""

REMOVE = """
DROP FUNCTION webhooks_refuse, webhooks_endpoint_moves, webhooks_delivery_moves, webhooks_attempt_ends CASCADE;
"""


class Migration(migrations.Migration):
    dependencies = [("webhooks", "0001_webhooks")]
    operations = [migrations.RunSQL(GUARDS, REMOVE)]
