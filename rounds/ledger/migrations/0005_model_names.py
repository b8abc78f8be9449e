"""Renames models to the names the code uses. State only, no SQL: the tables keep their names."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ledger", "0004_epochs")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Mention", "IndexedTerm"),
                migrations.RenameModel("Verifying", "VerificationRequest"),
            ]
        )
    ]
