"""Who filed terms decides no amendment of them, and validates no promotion; nor does who postponed it."""

from django.db import migrations

SECOND_PERSON = """
CREATE FUNCTION terms_decided_by_another() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM terms_termsversion WHERE id = NEW.version_id AND filed_by_id = NEW.by_id)
    THEN
        RAISE EXCEPTION 'who filed an amendment does not decide it' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER terms_decided_by_another BEFORE INSERT ON terms_amendmentdecision FOR EACH ROW
    EXECUTE FUNCTION terms_decided_by_another();
ALTER TABLE terms_amendmentdecision ENABLE ALWAYS TRIGGER terms_decided_by_another;
CREATE FUNCTION terms_validated_by_another() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM terms_termsversion WHERE promotion_id = NEW.promotion_id AND filed_by_id = NEW.by_id
            AND NOT ledger_is_taken_back(log, entry_index)
    ) OR NEW.by_id = (
        SELECT by_id FROM terms_promotionstep WHERE promotion_id = NEW.promotion_id
            AND NOT ledger_is_taken_back(log, entry_index) ORDER BY step DESC LIMIT 1
    )
    THEN
        RAISE EXCEPTION 'who filed or postponed a promotion does not validate it' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER terms_validated_by_another BEFORE INSERT ON terms_promotionstep FOR EACH ROW WHEN (NEW.act = 'validated')
    EXECUTE FUNCTION terms_validated_by_another();
ALTER TABLE terms_promotionstep ENABLE ALWAYS TRIGGER terms_validated_by_another;
"""


class Migration(migrations.Migration):
    dependencies = [("terms", "0004_withdrawn_records")]
    operations = [
        migrations.RunSQL(
            SECOND_PERSON,
            "DROP FUNCTION terms_decided_by_another() CASCADE; DROP FUNCTION terms_validated_by_another() CASCADE;",
        )
    ]
