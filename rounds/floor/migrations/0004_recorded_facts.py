"""A third source of facts: what people put to use at a table and recorded as it happened."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_acts"),
        ("floor", "0003_facts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="fact",
            name="floor_fact_has_a_source",
        ),
        migrations.AlterField(
            model_name="fact",
            name="source",
            field=models.CharField(
                choices=[
                    ("person", "Stated by a person"),
                    ("controller", "Reported by a controller"),
                    ("record", "Recorded by a person"),
                ],
                max_length=12,
            ),
        ),
        migrations.AddConstraint(
            model_name="fact",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("controller", ""),
                        ("recorded_by__isnull", False),
                        ("sequence", None),
                        ("source__in", ["person", "record"]),
                    ),
                    models.Q(
                        ("recorded_by", None),
                        ("sequence__isnull", False),
                        ("source", "controller"),
                        models.Q(("controller", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="floor_fact_has_a_source",
            ),
        ),
    ]
