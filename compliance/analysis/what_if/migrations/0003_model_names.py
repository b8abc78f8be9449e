"""Models take the names that the code uses. Their tables keep theirs: state only, no SQL."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("trials", "0002_guards")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Stretch", "TrialRange"),
                migrations.RenameModel("Difference", "TrialDifference"),
                migrations.RenameModel("Sum", "TrialTotal"),
                migrations.AlterModelTable("trialrange", "trials_stretch"),
                migrations.AlterModelTable("trialdifference", "trials_difference"),
                migrations.AlterModelTable("trialtotal", "trials_sum"),
            ]
        )
    ]
