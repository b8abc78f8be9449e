"""Signature over the times of a checkpoint. Null for checkpoints from before this migration."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ledger", "0002_search")]

    operations = [
        migrations.RunSQL(
            "ALTER TABLE ledger_checkpoint ADD COLUMN times_signature bytea CHECK (octet_length(times_signature) = 64)",
            "ALTER TABLE ledger_checkpoint DROP COLUMN times_signature",
        )
    ]
