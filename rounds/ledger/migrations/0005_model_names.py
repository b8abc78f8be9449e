"""Models take the names that the code uses. Their tables keep theirs: state only, no SQL."""

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
