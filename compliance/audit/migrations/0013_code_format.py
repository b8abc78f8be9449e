"""Replaces the list of finding codes in the check constraint by their format, so that a new code needs no migration."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("audit", "0012_model_names")]

    operations = [
        migrations.RemoveConstraint(model_name="finding", name="audit_finding_is_in_the_catalogue"),
        migrations.AddConstraint(
            model_name="finding",
            constraint=models.CheckConstraint(
                condition=models.Q(("code__regex", "^[A-Z]+(-[A-Z0-9]+)+$")), name="audit_finding_code_format"
            ),
        ),
    ]
