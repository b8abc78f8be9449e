"""Renames models to the names that the code uses. Tables keep their names: state only, no SQL."""

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
