"""Renames models in the migration state only. The tables keep their names, so no SQL runs."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("intake", "0006_unknown_keys_by_log")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("DealtWith", "QuarantineResolution"),
                migrations.AlterModelTable("quarantineresolution", "intake_dealtwith"),
            ]
        )
    ]
