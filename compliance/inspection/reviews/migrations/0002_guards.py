"""Database triggers: recorded acts are append-only, and states follow the transitions of `states.py`."""

from django.db import migrations

GROWING = ("decision", "confirmation", "answer", "reopening", "arrangement")
ALLOWED = """
    ('open', 'asked'), ('open', 'decided'), ('open', 'lapsed'), ('open', 'seconding'),
    ('asked', 'answered'), ('asked', 'asked'), ('asked', 'decided'), ('asked', 'lapsed'), ('asked', 'seconding'),
    ('answered', 'asked'), ('answered', 'decided'), ('answered', 'lapsed'), ('answered', 'seconding'),
    ('seconding', 'asked'), ('seconding', 'decided'), ('seconding', 'lapsed'), ('seconding', 'open'), ('seconding', 'seconding'),
    ('decided', 'asked'), ('decided', 'decided'), ('decided', 'lapsed'), ('decided', 'open'), ('decided', 'seconding')
"""

FUNCTIONS = f"""
CREATE FUNCTION reviews_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: what was decided stays as it was written', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION reviews_may_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.finding_id <> NEW.finding_id OR OLD.casino_id <> NEW.casino_id OR NEW.decided_times < OLD.decided_times THEN
        RAISE EXCEPTION 'a review stays with its finding, and no decision is forgotten'
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.state <> NEW.state AND (OLD.state, NEW.state) NOT IN ({ALLOWED}) THEN
        RAISE EXCEPTION 'a review does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION reviews_second_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM reviews_decision WHERE id = NEW.decision_id AND decided_by_id = NEW.confirmed_by_id) THEN
        RAISE EXCEPTION 'whoever made a decision cannot confirm it' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""

GUARDS = "\n".join(
    f"""
CREATE TRIGGER reviews_no_change BEFORE UPDATE OR DELETE ON reviews_{name}
    FOR EACH ROW EXECUTE FUNCTION reviews_refuse();
CREATE TRIGGER reviews_no_truncate BEFORE TRUNCATE ON reviews_{name} EXECUTE FUNCTION reviews_refuse();
ALTER TABLE reviews_{name} ENABLE ALWAYS TRIGGER reviews_no_change, ENABLE ALWAYS TRIGGER reviews_no_truncate;
"""
    for name in GROWING
)

MORE = """
CREATE TRIGGER reviews_may_follow BEFORE UPDATE ON reviews_review
    FOR EACH ROW EXECUTE FUNCTION reviews_may_follow();
CREATE TRIGGER reviews_no_delete BEFORE DELETE ON reviews_review FOR EACH ROW EXECUTE FUNCTION reviews_refuse();
CREATE TRIGGER reviews_second_person BEFORE INSERT ON reviews_confirmation
    FOR EACH ROW EXECUTE FUNCTION reviews_second_person();
ALTER TABLE reviews_review ENABLE ALWAYS TRIGGER reviews_may_follow, ENABLE ALWAYS TRIGGER reviews_no_delete;
ALTER TABLE reviews_confirmation ENABLE ALWAYS TRIGGER reviews_second_person;
"""

REMOVE = """
DROP FUNCTION reviews_refuse() CASCADE;
DROP FUNCTION reviews_may_follow() CASCADE;
DROP FUNCTION reviews_second_person() CASCADE;
"""


class Migration(migrations.Migration):
    dependencies = [("reviews", "0001_reviews")]
    operations = [migrations.RunSQL(FUNCTIONS + GUARDS + MORE, REMOVE)]
