"""Later decisions: columns for invalidated outcomes, voided wagers, forfeits, and the time of the decision.

Existing rows lack these values; `manage.py repack_rounds` rebuilds the projection.
"""

from django.db import migrations, models
from django.utils import timezone


class Migration(migrations.Migration):
    dependencies = [("audit", "0005_reading_weights")]

    operations = [
        migrations.RunSQL("DELETE FROM audit_voidedround", migrations.RunSQL.noop),
        migrations.AddField("voidedround", "at", models.DateTimeField(default=timezone.now), preserve_default=False),
        migrations.AddField("voidedround", "decided_as", models.CharField(blank=True, max_length=32)),
        migrations.AddField("voidedround", "forfeited", models.JSONField(default=list)),
        migrations.AddField("voidedround", "voided", models.JSONField(default=list)),
        migrations.AlterField("voidedround", "reason", models.CharField(blank=True, max_length=50)),
        migrations.AddIndex("voidedround", models.Index(fields=["log", "set_index"], name="audit_voidedround_by_set")),
    ]
