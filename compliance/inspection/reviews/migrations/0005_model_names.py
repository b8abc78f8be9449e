"""Renames models to the names that the code uses. Tables keep their names: state only, no SQL."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("reviews", "0004_answers_due")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Arrangement", "ReviewPolicy"),
                migrations.AlterModelTable("reviewpolicy", "reviews_arrangement"),
            ]
        )
    ]
