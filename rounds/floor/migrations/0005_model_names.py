"""Models take the names that the code uses. Their tables keep theirs: state only, no SQL."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("floor", "0004_recorded_facts")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("TakenBack", "FactRetraction"),
                migrations.AlterModelTable("factretraction", "floor_takenback"),
            ]
        )
    ]
