"""Models take the names that the code uses. Their tables keep theirs: state only, no SQL."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("saved", "0002_guards")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Message", "NewRowsMessage"),
                migrations.RenameModel("Part", "MessagePart"),
                migrations.AlterModelTable("newrowsmessage", "saved_message"),
                migrations.AlterModelTable("messagepart", "saved_part"),
            ]
        )
    ]
