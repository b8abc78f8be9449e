"""Models take the names that the code uses. Their tables keep theirs: state only, no SQL."""

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
