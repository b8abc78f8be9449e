"""Records of conduct."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0003_acts"),
        ("floor", "0004_recorded_facts"),
        ("patrons", "0002_guarantees"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ConductAct",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("entry_index", models.BigIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("wager-refusal", "Refuse a wager"),
                            ("wagers-voided", "Void a person’s wagers"),
                            ("exclusion", "Exclude a person"),
                            ("invalidation", "Invalidate an outcome"),
                            ("wager-touched", "Somebody touched wagers"),
                            ("partnership", "Betting in partnership"),
                            ("idle-player", "Ask a player who does not bet to leave"),
                        ],
                        max_length=24,
                    ),
                ),
                ("at", models.DateTimeField()),
                ("grounds", models.CharField(max_length=24)),
                ("clause", models.CharField(blank=True, max_length=40)),
                ("scope", models.CharField(blank=True, max_length=16)),
                ("seat", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("player", models.CharField(blank=True, max_length=40)),
                ("rounds", models.JSONField(default=list)),
                ("wagers", models.JSONField(default=list)),
                ("forfeited", models.JSONField(default=list)),
                ("by_name", models.CharField(max_length=120)),
                ("acted_as", models.CharField(max_length=32)),
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
                    "personal",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="patrons.personalrecord",
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
                "indexes": [models.Index(fields=["casino", "kind", "-at"], name="conduct_of_casino")],
                "constraints": [
                    models.UniqueConstraint(fields=("log", "entry_index"), name="conduct_conductact_one_entry"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "kind__in",
                                [
                                    "wager-refusal",
                                    "wagers-voided",
                                    "exclusion",
                                    "invalidation",
                                    "wager-touched",
                                    "partnership",
                                    "idle-player",
                                ],
                            )
                        ),
                        name="conduct_kind_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("grounds", ""), _negated=True), name="conduct_has_grounds"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "exclusion"), _negated=True),
                            ("scope__in", ["game", "casino"]),
                            _connector="OR",
                        ),
                        name="conduct_exclusion_has_a_scope",
                    ),
                ],
            },
        ),
    ]
