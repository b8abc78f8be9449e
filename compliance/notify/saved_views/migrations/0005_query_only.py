"""Removes the id of the table: the path of a saved view names its list, and the list has a registered function."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("saved", "0004_emails_to_outbox")]

    operations = [migrations.RemoveField(model_name="savedview", name="table_id")]
