"""Database triggers and constraints: bytes match their digests, written columns never change, acts come in order."""

from django.db import migrations

DIGESTS = """
ALTER TABLE rulebook_frozenpack ADD CONSTRAINT frozen_pack_fits_its_digest
    CHECK (sha256 = encode(sha256(content), 'hex'));
ALTER TABLE rulebook_sourcedocument ADD CONSTRAINT source_document_fits_its_digest
    CHECK (sha256 = encode(sha256(content), 'hex') AND size_bytes = length(content));
"""

# A version starts as a proposal. Each later act fills its own empty columns once; nothing follows a withdrawal.
WRITTEN_ONCE = """
CREATE FUNCTION rulebook_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is kept as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION rulebook_acts_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    approval constant text[] := ARRAY['effective_at', 'time_zone', 'evidence', 'edges_confirmed', 'edge_reason',
                                      'approved_by_id', 'approved_at', 'approved_index'];
    withdrawal constant text[] := ARRAY['withdrawal_reason', 'withdrawn_by_id', 'withdrawn_at', 'withdrawn_index'];
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.approved_at IS NOT NULL OR NEW.withdrawn_at IS NOT NULL THEN
            RAISE EXCEPTION 'a rule version begins as a proposal' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF OLD.withdrawn_at IS NOT NULL THEN
        RAISE EXCEPTION 'nothing follows the withdrawal of a rule version' USING ERRCODE = 'restrict_violation';
    END IF;
    IF to_jsonb(OLD) - approval - withdrawal IS DISTINCT FROM to_jsonb(NEW) - approval - withdrawal THEN
        RAISE EXCEPTION 'what was proposed is kept as it was written' USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.approved_at IS NOT NULL AND to_jsonb(OLD) - withdrawal IS DISTINCT FROM to_jsonb(NEW) - withdrawal THEN
        RAISE EXCEPTION 'what was approved is kept as it was written' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER rule_version_acts_in_order BEFORE INSERT OR UPDATE ON rulebook_ruleversion
    FOR EACH ROW EXECUTE FUNCTION rulebook_acts_in_order();
CREATE TRIGGER rule_version_is_not_deleted BEFORE DELETE ON rulebook_ruleversion
    FOR EACH ROW EXECUTE FUNCTION rulebook_refuse_change();
CREATE TRIGGER rule_version_is_not_emptied BEFORE TRUNCATE ON rulebook_ruleversion
    FOR EACH STATEMENT EXECUTE FUNCTION rulebook_refuse_change();
CREATE TRIGGER frozen_pack_only_grows BEFORE UPDATE OR DELETE ON rulebook_frozenpack
    FOR EACH ROW EXECUTE FUNCTION rulebook_refuse_change();
CREATE TRIGGER frozen_pack_is_not_emptied BEFORE TRUNCATE ON rulebook_frozenpack
    FOR EACH STATEMENT EXECUTE FUNCTION rulebook_refuse_change();
CREATE TRIGGER source_document_only_grows BEFORE UPDATE OR DELETE ON rulebook_sourcedocument
    FOR EACH ROW EXECUTE FUNCTION rulebook_refuse_change();
CREATE TRIGGER source_document_is_not_emptied BEFORE TRUNCATE ON rulebook_sourcedocument
    FOR EACH STATEMENT EXECUTE FUNCTION rulebook_refuse_change();

ALTER TABLE rulebook_ruleversion ENABLE ALWAYS TRIGGER rule_version_acts_in_order;
ALTER TABLE rulebook_ruleversion ENABLE ALWAYS TRIGGER rule_version_is_not_deleted;
ALTER TABLE rulebook_ruleversion ENABLE ALWAYS TRIGGER rule_version_is_not_emptied;
ALTER TABLE rulebook_frozenpack ENABLE ALWAYS TRIGGER frozen_pack_only_grows;
ALTER TABLE rulebook_frozenpack ENABLE ALWAYS TRIGGER frozen_pack_is_not_emptied;
ALTER TABLE rulebook_sourcedocument ENABLE ALWAYS TRIGGER source_document_only_grows;
ALTER TABLE rulebook_sourcedocument ENABLE ALWAYS TRIGGER source_document_is_not_emptied;
"""

UNDO_DIGESTS = """
ALTER TABLE rulebook_frozenpack DROP CONSTRAINT frozen_pack_fits_its_digest;
ALTER TABLE rulebook_sourcedocument DROP CONSTRAINT source_document_fits_its_digest;
"""

UNDO_WRITTEN_ONCE = """
DROP TRIGGER rule_version_acts_in_order ON rulebook_ruleversion;
DROP TRIGGER rule_version_is_not_deleted ON rulebook_ruleversion;
DROP TRIGGER rule_version_is_not_emptied ON rulebook_ruleversion;
DROP TRIGGER frozen_pack_only_grows ON rulebook_frozenpack;
DROP TRIGGER frozen_pack_is_not_emptied ON rulebook_frozenpack;
DROP TRIGGER source_document_only_grows ON rulebook_sourcedocument;
DROP TRIGGER source_document_is_not_emptied ON rulebook_sourcedocument;
DROP FUNCTION rulebook_acts_in_order();
DROP FUNCTION rulebook_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("rulebook", "0001_versions")]
    operations = [
        migrations.RunSQL(DIGESTS, UNDO_DIGESTS),
        migrations.RunSQL(WRITTEN_ONCE, UNDO_WRITTEN_ONCE),
    ]
