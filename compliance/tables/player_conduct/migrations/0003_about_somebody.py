"""A record of conduct is about somebody; only an outcome that is invalidated without a forfeit is about rounds alone."""

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
