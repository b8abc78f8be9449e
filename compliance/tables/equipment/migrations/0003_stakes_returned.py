"""Records of stakes handed back for what became void later; append-only."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

GUARD = """
CREATE TRIGGER equipment_stakesreturned_only_grows BEFORE UPDATE OR DELETE ON equipment_stakesreturned
    FOR EACH ROW EXECUTE FUNCTION equipment_refuse_change();
ALTER TABLE equipment_stakesreturned ENABLE ALWAYS TRIGGER equipment_stakesreturned_only_grows;
"""
UNDO = "DROP TRIGGER equipment_stakesreturned_only_grows ON equipment_stakesreturned;"


def _to(model: str) -> models.ForeignKey:
    return models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=model)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_acts"),
        ("equipment", "0002_guards"),
        ("floor", "0004_recorded_facts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="StakesReturned",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("entry_index", models.BigIntegerField()),
                ("because", models.BigIntegerField()),
                ("returned", models.JSONField()),
                ("how", models.CharField(max_length=300)),
                ("by_name", models.CharField(max_length=120)),
                ("at", models.DateTimeField()),
                ("by", _to(settings.AUTH_USER_MODEL)),
                ("casino", _to("accounts.casino")),
                ("table", _to("floor.table")),
            ],
            options={
                "ordering": ["-at", "-pk"],
                "abstract": False,
                "indexes": [models.Index(fields=["casino", "because"], name="equipment_returned_because")],
                "constraints": [
                    models.UniqueConstraint(fields=("log", "entry_index"), name="equipment_stakesreturned_one_entry"),
                    models.CheckConstraint(
                        condition=~Q(returned=[]) & ~Q(how=""), name="stakes_returned_says_what_and_how"
                    ),
                ],
            },
        ),
        migrations.RunSQL(GUARD, UNDO),
    ]
