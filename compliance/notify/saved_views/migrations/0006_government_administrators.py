"""The government's administrators as an audience of views; state only, no SQL."""

from django.db import migrations, models

import compliance.notify.saved_views.audiences


class Migration(migrations.Migration):
    dependencies = [("saved", "0005_query_only")]
    operations = [
        migrations.AlterField(
            "savedview",
            "shared_with",
            models.CharField(blank=True, choices=compliance.notify.saved_views.audiences.CHOICES, max_length=32),
        )
    ]
