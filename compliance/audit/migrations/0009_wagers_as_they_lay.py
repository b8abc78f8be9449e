"""Columns of wagers as they lay in the end, and when a round ended: those there are, and their sums, are made again."""

from datetime import UTC, datetime
from typing import Any

from django.db import migrations, models


def make_again(apps: Any, schema_editor: Any) -> None:
    """By the code of today, once, after whatever else it reads is there."""
    logs = sorted(set(apps.get_model("audit", "PackedRound").objects.values_list("log", flat=True).distinct()))
    if logs:
        from compliance.audit.repacking import repack, sum_again

        for log in logs:
            repack(log)
            sum_again(log)


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
            # For a moment only: every row is made again below.
            field=models.DateTimeField(default=datetime(1970, 1, 1, tzinfo=UTC)),
            preserve_default=False,
        ),
        migrations.AddIndex(
            model_name="packedround",
            index=models.Index(fields=["log", "table", "ended_at"], name="audit_packedround_ended"),
        ),
        migrations.RunPython(make_again, migrations.RunPython.noop),
    ]
