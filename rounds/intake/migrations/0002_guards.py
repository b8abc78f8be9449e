"""Append-only triggers on batches, quarantined lines and their resolutions, from the ledger's own procedure."""

from django.db import migrations

GUARDED = ("intake_batch", "intake_quarantined", "intake_dealtwith")

GUARDS = "\n".join(f"CALL ledger_guard('{table}');" for table in GUARDED)
UNGUARD = "\n".join(
    f"DROP TRIGGER {guard} ON {table};" for table in GUARDED for guard in ("ledger_no_truncate", "ledger_no_change")
)
# Stored without compression: digests do not compress.
STORAGE = "ALTER TABLE intake_batch ALTER COLUMN line_digests SET STORAGE EXTERNAL;"


class Migration(migrations.Migration):
    dependencies = [("intake", "0001_batches"), ("ledger", "0001_initial")]

    operations = [migrations.RunSQL(GUARDS, UNGUARD), migrations.RunSQL(STORAGE, migrations.RunSQL.noop)]
