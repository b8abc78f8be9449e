"""Tables for people's records about equipment, and for the projections of equipment entries."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0003_acts"),
        ("floor", "0004_recorded_facts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CardsCounted",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("table", models.CharField(max_length=50)),
                ("index", models.BigIntegerField()),
                ("at", models.DateTimeField()),
                ("by", models.CharField(blank=True, max_length=120)),
                ("shoe", models.CharField(max_length=64)),
                ("decks", models.PositiveIntegerField(null=True)),
                ("cards", models.PositiveIntegerField(null=True)),
                ("foreign_cards", models.PositiveIntegerField()),
                ("round", models.CharField(blank=True, max_length=64)),
                ("note", models.CharField(blank=True, max_length=500)),
            ],
            options={
                "ordering": ["-at", "-index"],
                "abstract": False,
                "indexes": [models.Index(fields=["log", "table", "-at"], name="cardscounted_of_table")],
                "constraints": [
                    models.UniqueConstraint(fields=("log", "index"), name="equipment_cardscounted_one_entry")
                ],
            },
        ),
        migrations.CreateModel(
            name="ChipsMoved",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("table", models.CharField(max_length=50)),
                ("index", models.BigIntegerField()),
                ("at", models.DateTimeField()),
                ("by", models.CharField(blank=True, max_length=120)),
                ("chip_set", models.CharField(max_length=64)),
                ("colour", models.CharField(max_length=50)),
                ("value_cents", models.BigIntegerField()),
                ("chips", models.IntegerField()),
                ("holder", models.CharField(max_length=64)),
                ("marker_cents", models.BigIntegerField(null=True)),
                ("paid_cents", models.BigIntegerField(null=True)),
                ("issued_at", models.CharField(blank=True, max_length=50)),
            ],
            options={
                "ordering": ["-at", "-index"],
                "abstract": False,
                "indexes": [models.Index(fields=["log", "table", "-at"], name="chipsmoved_of_table")],
                "constraints": [
                    models.UniqueConstraint(fields=("log", "index"), name="equipment_chipsmoved_one_entry")
                ],
            },
        ),
        migrations.CreateModel(
            name="Custody",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("table", models.CharField(max_length=50)),
                ("index", models.BigIntegerField()),
                ("at", models.DateTimeField()),
                ("by", models.CharField(blank=True, max_length=120)),
                (
                    "piece",
                    models.CharField(
                        choices=[("dice", "Dice"), ("shaker", "Shaker or tumbler"), ("shoe", "Shoe")], max_length=8
                    ),
                ),
                ("name", models.CharField(max_length=64)),
                ("type", models.CharField(blank=True, max_length=16)),
                ("is_sealed", models.BooleanField(null=True)),
                ("removed_at", models.DateTimeField(null=True)),
                ("removed_index", models.BigIntegerField(null=True)),
                ("removed_because", models.CharField(blank=True, max_length=32)),
            ],
            options={
                "ordering": ["-at", "-index"],
                "abstract": False,
                "indexes": [models.Index(fields=["log", "table", "-at"], name="custody_of_table")],
                "constraints": [models.UniqueConstraint(fields=("log", "index"), name="equipment_custody_one_entry")],
            },
        ),
        migrations.CreateModel(
            name="Fault",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("table", models.CharField(max_length=50)),
                ("index", models.BigIntegerField()),
                ("at", models.DateTimeField()),
                ("by", models.CharField(blank=True, max_length=120)),
                ("name", models.CharField(max_length=64)),
                ("equipment", models.CharField(max_length=32)),
                ("effect", models.CharField(max_length=32)),
                ("round", models.CharField(blank=True, max_length=64)),
                ("note", models.CharField(blank=True, max_length=500)),
                ("stops_play", models.BooleanField()),
                ("clause", models.CharField(blank=True, max_length=40)),
                ("alert_index", models.BigIntegerField(null=True)),
                ("mended_at", models.DateTimeField(null=True)),
                ("mended_index", models.BigIntegerField(null=True)),
                ("mended_by", models.CharField(blank=True, max_length=120)),
                ("returned_at", models.DateTimeField(null=True)),
                ("returned_index", models.BigIntegerField(null=True)),
                ("returned_by", models.CharField(blank=True, max_length=120)),
            ],
            options={
                "ordering": ["-at", "-index"],
                "abstract": False,
                "indexes": [models.Index(fields=["log", "table", "-at"], name="fault_of_table")],
                "constraints": [
                    models.UniqueConstraint(fields=("log", "index"), name="equipment_fault_one_entry"),
                    models.CheckConstraint(
                        condition=models.Q(("returned_at", None), ("mended_at__isnull", False), _connector="OR"),
                        name="fault_mended_before_it_returns",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="InspectionMade",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("table", models.CharField(max_length=50)),
                ("index", models.BigIntegerField()),
                ("at", models.DateTimeField()),
                ("by", models.CharField(blank=True, max_length=120)),
                ("item", models.CharField(max_length=32)),
                ("occasion", models.CharField(max_length=32)),
                ("trials", models.PositiveIntegerField()),
                ("entered", models.JSONField()),
                ("has_passed", models.BooleanField()),
                ("shift", models.CharField(blank=True, max_length=64)),
                ("position", models.CharField(max_length=32)),
            ],
            options={
                "ordering": ["-at", "-index"],
                "abstract": False,
                "indexes": [models.Index(fields=["log", "table", "-at"], name="inspectionmade_of_table")],
                "constraints": [
                    models.UniqueConstraint(fields=("log", "index"), name="equipment_inspectionmade_one_entry")
                ],
            },
        ),
        migrations.CreateModel(
            name="TableTurn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("table", models.CharField(max_length=50)),
                ("index", models.BigIntegerField()),
                ("at", models.DateTimeField()),
                ("by", models.CharField(blank=True, max_length=120)),
                ("is_open", models.BooleanField()),
            ],
            options={
                "ordering": ["-at", "-index"],
                "abstract": False,
                "indexes": [models.Index(fields=["log", "table", "-at"], name="tableturn_of_table")],
                "constraints": [models.UniqueConstraint(fields=("log", "index"), name="equipment_tableturn_one_entry")],
            },
        ),
        migrations.CreateModel(
            name="PersonsLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("entry_index", models.BigIntegerField()),
                ("kind", models.CharField(max_length=40)),
                ("at", models.DateTimeField()),
                ("body", models.JSONField()),
                ("by_name", models.CharField(max_length=120)),
                ("recorded_at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="accounts.casino"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="floor.table"),
                ),
            ],
            options={
                "ordering": ["-recorded_at", "-pk"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=("log", "entry_index"), name="equipment_personsline_one_entry")
                ],
            },
        ),
        migrations.CreateModel(
            name="ReturnToPlay",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("entry_index", models.BigIntegerField()),
                ("faults", models.JSONField()),
                ("note", models.CharField(max_length=300)),
                ("by_name", models.CharField(max_length=120)),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="accounts.casino"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="floor.table"),
                ),
            ],
            options={
                "ordering": ["-at", "-pk"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=("log", "entry_index"), name="equipment_returntoplay_one_entry")
                ],
            },
        ),
        migrations.CreateModel(
            name="VoidSet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("entry_index", models.BigIntegerField()),
                ("dice_set", models.CharField(max_length=64)),
                ("clause", models.CharField(blank=True, max_length=40)),
                ("rounds", models.JSONField()),
                ("reason", models.CharField(max_length=500)),
                ("by_name", models.CharField(max_length=120)),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="accounts.casino"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="floor.table"),
                ),
            ],
            options={
                "ordering": ["-at", "-pk"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=("log", "entry_index"), name="equipment_voidset_one_entry"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("rounds", []), _negated=True), models.Q(("reason", ""), _negated=True)
                        ),
                        name="void_set_says_what_and_why",
                    ),
                ],
            },
        ),
    ]
