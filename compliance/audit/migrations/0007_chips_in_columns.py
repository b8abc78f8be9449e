"""Encoded wagers gained chips without a denomination. 0010 rebuilds all columns, so this migration does nothing more."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("audit", "0006_determinations")]
    operations = []
