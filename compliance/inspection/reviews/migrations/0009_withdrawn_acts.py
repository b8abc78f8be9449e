"""Second reviews, answers and comments can be withdrawn: of the first two, one stands at a time for a decision. A second
reviewer has decided nothing about the finding, not even in an earlier decision."""

import django.db.models.deletion
from django.db import migrations, models

STANDING = """
CREATE TRIGGER reviews_one_stands BEFORE INSERT ON reviews_{table}
    FOR EACH ROW EXECUTE FUNCTION ledger_one_stands('decision_id');
ALTER TABLE reviews_{table} ENABLE ALWAYS TRIGGER reviews_one_stands;
"""
SECOND_PERSON = """
CREATE OR REPLACE FUNCTION reviews_second_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS ({decided}) THEN
        RAISE EXCEPTION 'whoever made a decision cannot confirm it' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
"""
OF_THE_FINDING = """
        SELECT FROM reviews_decision AS confirmed JOIN reviews_decision AS other USING (finding_id)
        WHERE confirmed.id = NEW.decision_id AND other.decided_by_id = NEW.confirmed_by_id
    """
OF_THE_DECISION = "SELECT FROM reviews_decision WHERE id = NEW.decision_id AND decided_by_id = NEW.confirmed_by_id"
TABLES = ("confirmation", "answer")


def one_to_many(model: str, related_name: str) -> migrations.AlterField:
    key = models.ForeignKey(
        on_delete=django.db.models.deletion.PROTECT, related_name=related_name, to="reviews.decision"
    )
    return migrations.AlterField(model, "decision", key)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0008_withdrawn_decisions"), ("ledger", "0006_one_standing_row")]
    operations = [
        one_to_many("confirmation", "confirmations"),
        one_to_many("answer", "answers"),
        migrations.RunSQL(
            "".join(STANDING.format(table=table) for table in TABLES),
            "".join(f"DROP TRIGGER reviews_one_stands ON reviews_{table};" for table in TABLES),
        ),
        migrations.RunSQL(SECOND_PERSON.format(decided=OF_THE_FINDING), SECOND_PERSON.format(decided=OF_THE_DECISION)),
    ]
