"""Columns of wagers as they lay in the end, and when a round ended. 0010 makes those there are, and their sums, again."""

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
            # For a moment only: by it 0010 knows which rows are to be made again.
            field=models.DateTimeField(default=datetime(1970, 1, 1, tzinfo=UTC)),
            preserve_default=False,
        ),
        migrations.AddIndex(
            model_name="packedround",
            index=models.Index(fields=["log", "table", "ended_at"], name="audit_packedround_ended"),
        ),
    ]
