"""The columns of wagers know chips without a denomination: where there are columns already, they are made again."""

from typing import Any

from django.db import migrations


def make_again(apps: Any, schema_editor: Any) -> None:
    logs = set(apps.get_model("audit", "PackedRound").objects.values_list("log", flat=True).distinct())
    if logs:
        from compliance.audit.repacking import repack

        for log in sorted(logs):
            repack(log)


class Migration(migrations.Migration):
    dependencies = [("audit", "0006_determinations")]
    operations = [migrations.RunPython(make_again, migrations.RunPython.noop)]
