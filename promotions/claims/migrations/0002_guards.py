"""Database triggers: a denial has reasons, only a granted claim is paid, and rows are append-only."""

from django.db import migrations

from promotions.shared.append_only_triggers import make_append_only

TABLES = ("claim", "claimdecision", "reasonstold", "payment")

FITTING = """
ALTER TABLE claims_claimdecision ADD CONSTRAINT claims_denial_has_reasons CHECK (is_met OR reasons <> '');

CREATE FUNCTION claims_paid_was_met() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM claims_claimdecision WHERE claim_id = NEW.claim_id AND is_met) THEN
        RAISE EXCEPTION 'claim % was not met', NEW.claim_id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION claims_told_was_denied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM claims_claimdecision WHERE id = NEW.decision_id AND NOT is_met) THEN
        RAISE EXCEPTION 'decision % was no denial', NEW.decision_id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER claims_paid_was_met BEFORE INSERT ON claims_payment
    FOR EACH ROW EXECUTE FUNCTION claims_paid_was_met();
CREATE TRIGGER claims_told_was_denied BEFORE INSERT ON claims_reasonstold
    FOR EACH ROW EXECUTE FUNCTION claims_told_was_denied();
ALTER TABLE claims_payment ENABLE ALWAYS TRIGGER claims_paid_was_met;
ALTER TABLE claims_reasonstold ENABLE ALWAYS TRIGGER claims_told_was_denied;
"""
UNDO = """
DROP TRIGGER claims_paid_was_met ON claims_payment;
DROP TRIGGER claims_told_was_denied ON claims_reasonstold;
DROP FUNCTION claims_paid_was_met();
DROP FUNCTION claims_told_was_denied();
ALTER TABLE claims_claimdecision DROP CONSTRAINT claims_denial_has_reasons;
"""


class Migration(migrations.Migration):
    dependencies = [("claims", "0001_claims"), ("terms", "0002_guards")]
    operations = [make_append_only(f"claims_{name}" for name in TABLES), migrations.RunSQL(FITTING, UNDO)]
