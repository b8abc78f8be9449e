"""Alerts, their steps, the outbox and the ladders."""

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
            name="Alert",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("entry_index", models.BigIntegerField()),
                ("duty", models.SlugField(max_length=48)),
                ("to", models.JSONField()),
                ("statement", models.CharField(max_length=500)),
                ("clause", models.CharField(max_length=80)),
                ("table", models.CharField(blank=True, max_length=50)),
                ("about_log", models.TextField(blank=True)),
                ("about_index", models.BigIntegerField(null=True)),
                ("fact_at", models.DateTimeField()),
                ("raised_at", models.DateTimeField()),
                ("raised_by_name", models.CharField(blank=True, max_length=120)),
                ("is_immediate", models.BooleanField()),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "Not acknowledged"), ("acknowledged", "Acknowledged")],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                ("level", models.PositiveSmallIntegerField(default=0)),
                ("told", models.JSONField()),
                ("escalates_at", models.DateTimeField(null=True)),
                ("delivered_at", models.DateTimeField(null=True)),
                ("acknowledged_at", models.DateTimeField(null=True)),
                ("acknowledged_by_name", models.CharField(blank=True, max_length=120)),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="accounts.casino"
                    ),
                ),
                (
                    "raised_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-raised_at", "-pk"],
                "abstract": False,
                "indexes": [
                    models.Index(fields=["casino", "state", "-raised_at"], name="alert_of_casino"),
                    models.Index(fields=["casino", "table", "-raised_at"], name="alert_of_table"),
                    models.Index(fields=["about_log", "about_index"], name="alert_about"),
                    models.Index(
                        condition=models.Q(("state", "waiting")), fields=["escalates_at"], name="alert_to_escalate"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("log", "entry_index"), name="alerts_alert_one_entry"),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["waiting", "acknowledged"])), name="alert_state_is_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("acknowledged_at", None), ("acknowledged_by_name", ""), ("state", "waiting")),
                            models.Q(
                                ("acknowledged_at__isnull", False),
                                ("state", "acknowledged"),
                                models.Q(("acknowledged_by_name", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="alert_acknowledged_by_a_person",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AlertStep",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("entry_index", models.BigIntegerField()),
                (
                    "step",
                    models.CharField(
                        choices=[
                            ("sent", "E-mailed"),
                            ("failed", "Could not be delivered"),
                            ("escalated", "Escalated"),
                            ("acknowledged", "Acknowledged"),
                        ],
                        max_length=16,
                    ),
                ),
                ("at", models.DateTimeField()),
                ("level", models.PositiveSmallIntegerField()),
                ("roles", models.JSONField(default=list)),
                ("person_name", models.CharField(blank=True, max_length=120)),
                ("attempt", models.PositiveSmallIntegerField(null=True)),
                ("detail", models.CharField(blank=True, max_length=300)),
                (
                    "alert",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="steps", to="alerts.alert"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["at", "entry_index"],
                "abstract": False,
                "indexes": [
                    models.Index(fields=["alert", "at"], name="alert_step_of_alert"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("log", "entry_index"), name="alerts_alertstep_one_entry"),
                    models.CheckConstraint(
                        condition=models.Q(("step__in", ["sent", "failed", "escalated", "acknowledged"])),
                        name="alert_step_is_known",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("step", "acknowledged")), fields=("alert",), name="alert_acknowledged_once"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("step", "escalated")),
                        fields=("alert", "level"),
                        name="alert_escalated_once_a_level",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("step", "sent")),
                        fields=("alert", "level", "person"),
                        name="alert_sent_once_a_person",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("inspector", "Inspector"),
                            ("authority-officer", "Authority officer"),
                            ("casino-supervisor", "Casino supervisor"),
                            ("games-supervisor", "Games supervisor"),
                            ("shift-manager", "Shift manager"),
                            ("marketing", "Marketing"),
                            ("compliance-officer", "Compliance officer"),
                            ("administrator", "Administrator"),
                        ],
                        max_length=32,
                    ),
                ),
                ("level", models.PositiveSmallIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "To be sent"), ("sent", "Sent"), ("given-up", "Given up")],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("next_try_at", models.DateTimeField()),
                ("sent_at", models.DateTimeField(null=True)),
                (
                    "alert",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="deliveries", to="alerts.alert"
                    ),
                ),
                (
                    "recipient",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["next_try_at", "pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "waiting")), fields=["next_try_at"], name="alert_delivery_due"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("alert", "recipient", "level"), name="alert_delivery_once"),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["waiting", "sent", "given-up"])),
                        name="alert_delivery_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("sent_at__isnull", False), ("state", "sent")),
                            models.Q(models.Q(("state", "sent"), _negated=True), ("sent_at", None)),
                            _connector="OR",
                        ),
                        name="alert_delivery_sent_when",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="EscalationRule",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("log", models.TextField()),
                ("entry_index", models.BigIntegerField()),
                ("is_immediate", models.BooleanField()),
                ("rungs", models.JSONField()),
                ("reason", models.CharField(max_length=300)),
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
            ],
            options={
                "ordering": ["-at", "-pk"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=("log", "entry_index"), name="alerts_escalationrule_one_entry"),
                ],
            },
        ),
    ]
