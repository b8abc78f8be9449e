"""Trials, their ranges of work, and their results."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0003_acts"),
        ("rulebook", "0002_guarantees"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Trial",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("asked_by_name", models.CharField(max_length=120)),
                ("asked_at", models.DateTimeField()),
                (
                    "source",
                    models.CharField(
                        choices=[("version", "A version"), ("draft", "A draft"), ("readings", "Other readings")],
                        max_length=8,
                    ),
                ),
                ("rules", models.SlugField(max_length=80)),
                ("title", models.CharField(max_length=200)),
                ("readings", models.JSONField()),
                ("read_otherwise", models.JSONField(blank=True, default=dict)),
                ("tables", models.JSONField(blank=True, default=list)),
                ("first_on", models.DateField(blank=True, null=True)),
                ("last_on", models.DateField(blank=True, null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("trying", "Being tried"),
                            ("done", "Done"),
                            ("stopped", "Stopped"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("failure", models.TextField(blank=True, default="")),
                ("stopped_by_name", models.CharField(blank=True, default="", max_length=120)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("rounds_waiting", models.PositiveBigIntegerField(blank=True, null=True)),
                ("rounds", models.PositiveBigIntegerField(blank=True, null=True)),
                ("wagers", models.PositiveBigIntegerField(blank=True, null=True)),
                ("differences", models.PositiveBigIntegerField(blank=True, null=True)),
                ("more_cents", models.BigIntegerField(blank=True, null=True)),
                ("less_cents", models.BigIntegerField(blank=True, null=True)),
                (
                    "asked_by",
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
                    "pack",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rulebook.frozenpack"
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rulebook.ruleversion",
                    ),
                ),
            ],
            options={
                "ordering": ["-asked_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Sum",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "by",
                    models.CharField(
                        choices=[
                            ("table", "By table"),
                            ("bet", "By box"),
                            ("holder", "By player"),
                            ("clause", "By clause"),
                        ],
                        max_length=8,
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=120)),
                ("gaming_day", models.DateField(blank=True, null=True)),
                ("reading", models.CharField(blank=True, max_length=170)),
                ("differences", models.PositiveBigIntegerField()),
                ("due_now_cents", models.BigIntegerField()),
                ("due_then_cents", models.BigIntegerField()),
                ("more_cents", models.BigIntegerField()),
                ("less_cents", models.BigIntegerField()),
                (
                    "trial",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sums", to="trials.trial"
                    ),
                ),
            ],
            options={
                "ordering": ["trial", "by", "name", "gaming_day", "reading"],
            },
        ),
        migrations.CreateModel(
            name="Stretch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("first", models.BigIntegerField()),
                ("last", models.BigIntegerField()),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                ("rounds", models.PositiveIntegerField(default=0)),
                ("wagers", models.PositiveIntegerField(default=0)),
                (
                    "trial",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="stretches", to="trials.trial"
                    ),
                ),
            ],
            options={
                "ordering": ["trial", "first"],
            },
        ),
        migrations.CreateModel(
            name="Difference",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("subject_index", models.BigIntegerField()),
                ("table", models.CharField(blank=True, max_length=50)),
                ("gaming_day", models.DateField()),
                ("at", models.DateTimeField()),
                ("round", models.CharField(blank=True, max_length=64)),
                ("wager", models.CharField(blank=True, max_length=64)),
                ("bet", models.CharField(blank=True, max_length=40)),
                ("holder", models.CharField(blank=True, max_length=120)),
                ("code_now", models.CharField(blank=True, max_length=32)),
                ("code_then", models.CharField(blank=True, max_length=32)),
                ("clause", models.CharField(blank=True, max_length=80)),
                ("reading", models.CharField(blank=True, max_length=80)),
                ("choice", models.CharField(blank=True, max_length=80)),
                ("due_now_cents", models.BigIntegerField(blank=True, null=True)),
                ("due_then_cents", models.BigIntegerField(blank=True, null=True)),
                ("returned_cents", models.BigIntegerField(blank=True, null=True)),
                ("more_cents", models.BigIntegerField()),
                (
                    "trial",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="found", to="trials.trial"
                    ),
                ),
            ],
            options={
                "ordering": ["subject_index", "pk"],
            },
        ),
        migrations.AddIndex(
            model_name="trial",
            index=models.Index(fields=["casino", "-asked_at"], name="trials_trial_of_casino"),
        ),
        migrations.AddIndex(
            model_name="trial",
            index=models.Index(
                condition=models.Q(("state__in", ["waiting", "trying"])),
                fields=["asked_at"],
                name="trials_trial_unfinished",
            ),
        ),
        migrations.AddConstraint(
            model_name="trial",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["waiting", "trying", "done", "stopped", "failed"])),
                name="trials_trial_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="trial",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("source", "draft"), ("version", None)),
                    models.Q(("source__in", ["version", "readings"]), ("version__isnull", False)),
                    _connector="OR",
                ),
                name="trials_trial_tries_something",
            ),
        ),
        migrations.AddConstraint(
            model_name="trial",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("first_on", None), ("last_on", None), ("last_on__gte", models.F("first_on")), _connector="OR"
                ),
                name="trials_trial_period",
            ),
        ),
        migrations.AddConstraint(
            model_name="trial",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("differences__isnull", False),
                        ("less_cents__isnull", False),
                        ("more_cents__isnull", False),
                        ("rounds__isnull", False),
                        ("state", "done"),
                        ("wagers__isnull", False),
                    ),
                    models.Q(models.Q(("state", "done"), _negated=True), ("differences", None)),
                    _connector="OR",
                ),
                name="trials_trial_done_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="trial",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at", None), ("state__in", ["waiting", "trying"])),
                    models.Q(("ended_at__isnull", False), ("state__in", ["done", "stopped", "failed"])),
                    _connector="OR",
                ),
                name="trials_trial_ended",
            ),
        ),
        migrations.AddConstraint(
            model_name="sum",
            constraint=models.UniqueConstraint(
                fields=("trial", "by", "name", "gaming_day", "reading"), name="trials_sum_once", nulls_distinct=False
            ),
        ),
        migrations.AddConstraint(
            model_name="stretch",
            constraint=models.UniqueConstraint(fields=("trial", "first"), name="trials_stretch_once"),
        ),
        migrations.AddConstraint(
            model_name="stretch",
            constraint=models.CheckConstraint(
                condition=models.Q(("first__gte", 0), ("last__gt", models.F("first"))),
                name="trials_stretch_has_entries",
            ),
        ),
        migrations.AddIndex(
            model_name="difference",
            index=models.Index(fields=["trial", "subject_index", "id"], name="trials_difference_in_order"),
        ),
        migrations.AddConstraint(
            model_name="difference",
            constraint=models.CheckConstraint(
                condition=models.Q(("code_now", ""), ("code_then", ""), _negated=True),
                name="trials_difference_says_something",
            ),
        ),
    ]
