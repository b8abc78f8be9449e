"""Models take the names that the code uses. Their tables keep theirs: state only, no SQL."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("web", "0001_initial")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Pulse", "Heartbeat"),
                migrations.RenameModel("Mail", "CapturedEmail"),
                migrations.AlterModelTable("heartbeat", "web_pulse"),
                migrations.AlterModelTable("capturedemail", "web_mail"),
            ]
        )
    ]
