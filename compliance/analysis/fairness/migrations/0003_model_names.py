"""Models take the names that the code uses. Their tables keep theirs: state only, no SQL."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("fairness", "0002_guards")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("LastLook", "LastTest"),
                migrations.RenameModel("SignalSeen", "SignalAcknowledgement"),
                migrations.RenameModel("ReturnDay", "DailyReturn"),
                migrations.AlterModelTable("lasttest", "fairness_lastlook"),
                migrations.AlterModelTable("signalacknowledgement", "fairness_signalseen"),
                migrations.AlterModelTable("dailyreturn", "fairness_returnday"),
            ]
        )
    ]
