"""Constraint: a record of conduct names a person, except an invalidated outcome without forfeit, which concerns rounds
only."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("conduct", "0002_guards")]
    operations = [
        migrations.AddConstraint(
            "conductact",
            models.CheckConstraint(
                condition=Q(kind="invalidation", forfeited=[]) | ~Q(player="") | Q(seat__isnull=False),
                name="conduct_is_about_somebody",
            ),
        ),
    ]
