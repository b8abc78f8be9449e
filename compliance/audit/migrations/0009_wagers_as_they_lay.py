"""Encoded wagers in their final position, and the end of a round. 0010 rebuilds existing rows and their totals."""

from datetime import UTC, datetime

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0008_played"),
        ("accounts", "0003_acts"),
        ("floor", "0004_recorded_facts"),
        ("ledger", "0002_search"),
        ("rulebook", "0002_guarantees"),
    ]
    operations = [
        migrations.AddField(
            model_name="packedround",
            name="ended_at",
            # Temporary default, by which 0010 finds the rows to rebuild.
            field=models.DateTimeField(default=datetime(1970, 1, 1, tzinfo=UTC)),
            preserve_default=False,
        ),
        migrations.AddIndex(
            model_name="packedround",
            index=models.Index(fields=["log", "table", "ended_at"], name="audit_packedround_ended"),
        ),
    ]
