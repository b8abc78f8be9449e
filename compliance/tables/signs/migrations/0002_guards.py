"""Database triggers: signs, displays and showings are completed once, never otherwise changed or deleted."""

from django.db import migrations

GUARDS = """
CALL floor_guard('signs_display', 'ended_by_id', 'ended_at');
CALL floor_guard('signs_sign', 'ended_at');
CALL floor_guard('signs_showing', 'until_at', 'was_lost', 'removed_index');
CALL floor_guard('signs_refresh', '');
"""


class Migration(migrations.Migration):
    dependencies = [("signs", "0001_signs"), ("floor", "0002_guards")]
    operations = [migrations.RunSQL(GUARDS, migrations.RunSQL.noop)]
