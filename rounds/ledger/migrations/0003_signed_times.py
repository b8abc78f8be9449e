"""The times beside a checkpoint are signed too. Checkpoints of before have none of it and keep their times as told."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ledger", "0002_search")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE ledger_checkpoint ADD COLUMN times_signature bytea CHECK (octet_length(times_signature) = 64)",
            "ALTER TABLE ledger_checkpoint DROP COLUMN times_signature",
        )
    ]
