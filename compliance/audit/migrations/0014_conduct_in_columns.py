"""Rebuilds the columns of stored rounds: fewer rounds are plain, because calls, entries and tumbles are checked exactly."""

from typing import Any

from django.db import migrations


def rebuild_columns(apps: Any, schema_editor: Any) -> None:
    """By the code of today, as in 0010. Only the ledger is read."""
    rounds = apps.get_model("audit", "PackedRound").objects
    logs = sorted(rounds.order_by().values_list("log", flat=True).distinct())
    if logs:
        from compliance.audit.run.rebuild import rebuild_rounds

        for log in logs:
            rebuild_rounds(log)


class Migration(migrations.Migration):
    dependencies = [("audit", "0013_code_format")]
    operations = [migrations.RunPython(rebuild_columns, migrations.RunPython.noop)]
