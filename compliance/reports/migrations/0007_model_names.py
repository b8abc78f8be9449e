"""Models take the names that the code uses. Their tables keep theirs: state only, no SQL."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("reports", "0006_certificate_guards")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Letter", "ReportEmail"),
                migrations.AlterModelTable("reportemail", "reports_letter"),
            ]
        )
    ]
