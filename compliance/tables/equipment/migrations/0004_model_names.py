"""Renames models to the names that the code uses. Tables keep their names: state only, no SQL."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("equipment", "0003_stakes_returned")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("PersonsLine", "ManualLine"),
                migrations.AlterModelTable("manualline", "equipment_personsline"),
            ]
        )
    ]
