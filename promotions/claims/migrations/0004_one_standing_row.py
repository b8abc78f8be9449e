"""Of a claim's decisions and payments, and of the notifications of a denial, one stands at a time; a withdrawn one may
be followed by another."""

import django.db.models.deletion
from django.db import migrations, models

STANDING = """
CREATE TRIGGER claims_one_stands BEFORE INSERT ON claims_{table}
    FOR EACH ROW EXECUTE FUNCTION ledger_one_stands('{column}');
ALTER TABLE claims_{table} ENABLE ALWAYS TRIGGER claims_one_stands;
"""
COLUMN_BY_TABLE = {"claimdecision": "claim_id", "reasonstold": "decision_id", "payment": "claim_id"}


def one_to_many(model: str, field: str, to: str, related_name: str) -> migrations.AlterField:
    key = models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name=related_name, to=to)
    return migrations.AlterField(model, field, key)


class Migration(migrations.Migration):
    dependencies = [("claims", "0003_person_fields"), ("ledger", "0006_one_standing_row")]
    operations = [
        one_to_many("claimdecision", "claim", "claims.claim", "decisions"),
        one_to_many("reasonstold", "decision", "claims.claimdecision", "notifications"),
        one_to_many("payment", "claim", "claims.claim", "payments"),
        migrations.RunSQL(
            "".join(STANDING.format(table=table, column=column) for table, column in COLUMN_BY_TABLE.items()),
            "".join(f"DROP TRIGGER claims_one_stands ON claims_{table};" for table in COLUMN_BY_TABLE),
        ),
    ]
