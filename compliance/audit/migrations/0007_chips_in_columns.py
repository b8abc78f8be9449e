"""The columns of wagers know chips without a denomination. 0010 makes all columns again, so once is enough."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("audit", "0006_determinations")]
    operations = []
