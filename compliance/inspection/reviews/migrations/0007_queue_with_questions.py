"""The queue also lists findings about which the operator was asked."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reviews", "0006_comments")]

    operations = [
        migrations.AddIndex(
            "review",
            models.Index(
                condition=models.Q(("state__in", ("open", "answered", "asked"))),
                fields=["casino", "rank", "due_at", "id"],
                name="reviews_listed",
            ),
        ),
    ]
