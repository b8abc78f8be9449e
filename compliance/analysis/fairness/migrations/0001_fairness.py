"""Fairness: examinations, signals, acknowledgements, last tests and daily returns."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0003_acts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Examination",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("entry_index", models.BigIntegerField()),
                ("gaming_day", models.DateField()),
                ("looks", models.JSONField(default=list)),
                ("level", models.CharField(max_length=40)),
                ("tests", models.PositiveIntegerField()),
                ("examined_at", models.DateTimeField()),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="accounts.casino"
                    ),
                ),
            ],
            options={
                "ordering": ["-gaming_day", "-pk"],
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="LastLook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "subject_kind",
                    models.CharField(
                        choices=[("dice", "Dice set"), ("shaker", "Shaker"), ("table", "Table")], max_length=8
                    ),
                ),
                ("subject", models.CharField(max_length=64)),
                ("window", models.CharField(blank=True, max_length=7)),
                ("rounds", models.PositiveIntegerField()),
                (
                    "test",
                    models.CharField(
                        choices=[
                            ("faces", "how often each face showed"),
                            ("positions", "whether the three places show the same faces"),
                            ("totals", "how often each total came"),
                            ("triples", "how often all three dice agreed"),
                            ("next", "which total follows which"),
                            ("runs", "how often low and high totals take turns"),
                            ("return", "what players got back against the exact average"),
                        ],
                        max_length=16,
                    ),
                ),
                ("p_value", models.CharField(max_length=24)),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="accounts.casino"
                    ),
                ),
                (
                    "examination",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="fairness.examination"
                    ),
                ),
            ],
            options={
                "ordering": ["subject_kind", "subject", "window"],
            },
        ),
        migrations.CreateModel(
            name="ReturnDay",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("gaming_day", models.DateField()),
                ("table", models.CharField(max_length=50)),
                ("rounds", models.PositiveIntegerField()),
                ("variance", models.FloatField()),
                ("bets", models.JSONField()),
                ("growth", models.JSONField()),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="accounts.casino"
                    ),
                ),
            ],
            options={
                "ordering": ["gaming_day", "table"],
            },
        ),
        migrations.CreateModel(
            name="Signal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("entry_index", models.BigIntegerField()),
                (
                    "code",
                    models.CharField(
                        choices=[("FAIR-FACES", "Results"), ("FAIR-RETURN", "Returned to players")], max_length=16
                    ),
                ),
                (
                    "subject_kind",
                    models.CharField(
                        choices=[("dice", "Dice set"), ("shaker", "Shaker"), ("table", "Table")], max_length=8
                    ),
                ),
                ("subject", models.CharField(max_length=64)),
                ("window", models.CharField(blank=True, max_length=7)),
                ("gaming_day", models.DateField()),
                (
                    "test",
                    models.CharField(
                        choices=[
                            ("faces", "how often each face showed"),
                            ("positions", "whether the three places show the same faces"),
                            ("totals", "how often each total came"),
                            ("triples", "how often all three dice agreed"),
                            ("next", "which total follows which"),
                            ("runs", "how often low and high totals take turns"),
                            ("return", "what players got back against the exact average"),
                        ],
                        max_length=16,
                    ),
                ),
                ("rounds", models.PositiveIntegerField()),
                ("statistic", models.CharField(max_length=24)),
                ("degrees", models.PositiveIntegerField()),
                ("p_value", models.CharField(max_length=24)),
                ("level", models.CharField(max_length=24)),
                ("tests", models.PositiveIntegerField()),
                ("cells", models.JSONField()),
                ("played", models.JSONField()),
                ("voids", models.JSONField()),
                ("found_at", models.DateTimeField()),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="accounts.casino"
                    ),
                ),
            ],
            options={
                "ordering": ["-found_at", "-pk"],
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="SignalSeen",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("entry_index", models.BigIntegerField()),
                ("note", models.CharField(max_length=1000)),
                ("by_name", models.CharField(max_length=120)),
                (
                    "acted_as",
                    models.CharField(
                        choices=[
                            ("inspector", "Inspector"),
                            ("authority-officer", "Authority officer"),
                            ("casino-supervisor", "Casino supervisor"),
                            ("games-supervisor", "Games supervisor"),
                        ],
                        max_length=32,
                    ),
                ),
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
                    "signal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seen", to="fairness.signal"
                    ),
                ),
            ],
            options={
                "ordering": ["at", "pk"],
                "abstract": False,
            },
        ),
        migrations.AddConstraint(
            model_name="examination",
            constraint=models.UniqueConstraint(fields=("log", "entry_index"), name="fairness_examination_one_entry"),
        ),
        migrations.AddConstraint(
            model_name="examination",
            constraint=models.UniqueConstraint(fields=("casino", "gaming_day"), name="fairness_day_examined_once"),
        ),
        migrations.AddConstraint(
            model_name="lastlook",
            constraint=models.UniqueConstraint(
                fields=("casino", "subject_kind", "subject", "window"), name="fairness_last_look_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="returnday",
            constraint=models.UniqueConstraint(
                fields=("casino", "gaming_day", "table"), name="fairness_return_day_once"
            ),
        ),
        migrations.AddIndex(
            model_name="signal",
            index=models.Index(fields=["casino", "-found_at", "-id"], name="fairness_signal_of_casino"),
        ),
        migrations.AddConstraint(
            model_name="signal",
            constraint=models.UniqueConstraint(fields=("log", "entry_index"), name="fairness_signal_one_entry"),
        ),
        migrations.AddConstraint(
            model_name="signal",
            constraint=models.UniqueConstraint(
                fields=("casino", "code", "subject_kind", "subject", "window"), name="fairness_signal_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="signal",
            constraint=models.CheckConstraint(
                condition=models.Q(("code__in", ["FAIR-FACES", "FAIR-RETURN"])), name="fairness_signal_code_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="signal",
            constraint=models.CheckConstraint(
                condition=models.Q(("test__in", ["faces", "positions", "totals", "triples", "next", "runs", "return"])),
                name="fairness_signal_test_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="signal",
            constraint=models.CheckConstraint(
                condition=models.Q(("rounds__gt", 0)), name="fairness_signal_rests_on_rounds"
            ),
        ),
        migrations.AddConstraint(
            model_name="signal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("level__regex", "^-?[0-9.]+(e[+-][0-9]+)?$"),
                    ("p_value__regex", "^-?[0-9.]+(e[+-][0-9]+)?$"),
                    ("statistic__regex", "^-?[0-9.]+(e[+-][0-9]+)?$"),
                    ("window__regex", "^([0-9]{4}-[0-9]{2})?$"),
                ),
                name="fairness_signal_has_figures",
            ),
        ),
        migrations.AddConstraint(
            model_name="signalseen",
            constraint=models.UniqueConstraint(fields=("log", "entry_index"), name="fairness_signalseen_one_entry"),
        ),
        migrations.AddConstraint(
            model_name="signalseen",
            constraint=models.CheckConstraint(
                condition=models.Q(("note", ""), _negated=True), name="fairness_seen_says_something"
            ),
        ),
    ]
