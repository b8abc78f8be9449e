"""Renames models to the names that the code uses. Tables keep their names: state only, no SQL."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("checklists", "0004_drawings")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Drawing", "DrawJob"),
                migrations.AlterModelTable("drawjob", "checklists_drawing"),
            ]
        )
    ]
