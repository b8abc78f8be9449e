"""Who accepted a risk does not decide the finding that its expiry opened again."""

from django.db import migrations

SECOND_PERSON = """
CREATE FUNCTION reviews_decided_by_another() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM reviews_reopening AS opened JOIN reviews_decision AS accepted ON accepted.id = opened.decision_id
        WHERE accepted.finding_id = NEW.finding_id AND accepted.number = NEW.number - 1
            AND accepted.decided_by_id = NEW.decided_by_id
    )
    THEN
        RAISE EXCEPTION 'who accepted a risk does not decide about it again' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER reviews_decided_by_another BEFORE INSERT ON reviews_decision FOR EACH ROW
    EXECUTE FUNCTION reviews_decided_by_another();
ALTER TABLE reviews_decision ENABLE ALWAYS TRIGGER reviews_decided_by_another;
"""


class Migration(migrations.Migration):
    dependencies = [("reviews", "0009_withdrawn_acts")]
    operations = [migrations.RunSQL(SECOND_PERSON, "DROP FUNCTION reviews_decided_by_another() CASCADE;")]
