"""Index of the entries that a finding rests on, so that the page of a record finds the findings about it."""

from django.contrib.postgres.indexes import GinIndex
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("audit", "0015_confirmed_warnings")]

    operations = [
        migrations.AddIndex(
            "finding", GinIndex(fields=["evidence"], name="audit_finding_evidence", opclasses=["jsonb_path_ops"])
        ),
    ]
