"""Database triggers: terms match their digest, and rows are append-only."""

from django.db import migrations

from promotions.shared.append_only_triggers import CREATE_REFUSE_FUNCTION, DROP_REFUSE_FUNCTION, make_append_only

TABLES = (
    "promotion",
    "termsversion",
    "amendmentdecision",
    "attachment",
    "material",
    "prescribeditem",
    "prescribedremoval",
)

DIGESTS = """
ALTER TABLE terms_termsversion ADD CONSTRAINT terms_fit_their_digest
    CHECK (terms_sha256 = encode(sha256(convert_to(content, 'UTF8')), 'hex'));
ALTER TABLE terms_attachment ADD CONSTRAINT terms_attachment_fits_its_digest
    CHECK (sha256 = encode(sha256(content), 'hex'));
"""
UNDO_DIGESTS = """
ALTER TABLE terms_termsversion DROP CONSTRAINT terms_fit_their_digest;
ALTER TABLE terms_attachment DROP CONSTRAINT terms_attachment_fits_its_digest;
"""

# Only an amendment can be decided, and not before it was requested.
DECISIONS = """
CREATE FUNCTION terms_decision_fits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT 1 FROM terms_termsversion WHERE id = NEW.version_id AND kind = 'amendment' AND filed_at <= NEW.at
    ) THEN
        RAISE EXCEPTION 'version % is no amendment that waits for a decision', NEW.version_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER terms_decision_fits BEFORE INSERT ON terms_amendmentdecision
    FOR EACH ROW EXECUTE FUNCTION terms_decision_fits();
ALTER TABLE terms_amendmentdecision ENABLE ALWAYS TRIGGER terms_decision_fits;
"""
UNDO_DECISIONS = """
DROP TRIGGER terms_decision_fits ON terms_amendmentdecision;
DROP FUNCTION terms_decision_fits();
"""


class Migration(migrations.Migration):
    dependencies = [("terms", "0001_terms")]
    operations = [
        migrations.RunSQL(CREATE_REFUSE_FUNCTION, DROP_REFUSE_FUNCTION),
        make_append_only(f"terms_{name}" for name in TABLES),
        migrations.RunSQL(DIGESTS, UNDO_DIGESTS),
        migrations.RunSQL(DECISIONS, UNDO_DECISIONS),
    ]
