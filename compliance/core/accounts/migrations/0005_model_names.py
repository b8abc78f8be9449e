"""Models take the names that the code uses. Their tables keep theirs: state only, no SQL."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_identities")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("RoleHeld", "RoleAssignment"),
                migrations.AlterModelTable("roleassignment", "accounts_roleheld"),
            ]
        )
    ]
