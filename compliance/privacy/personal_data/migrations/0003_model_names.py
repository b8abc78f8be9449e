"""Models take the names that the code uses. Their tables keep theirs: state only, no SQL."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("patrons", "0002_guarantees")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("PersonalLook", "DetailsAccess"),
                migrations.RenameModel("Hold", "RetentionHold"),
                migrations.AlterModelTable("detailsaccess", "patrons_personallook"),
                migrations.AlterModelTable("retentionhold", "patrons_hold"),
            ]
        )
    ]
