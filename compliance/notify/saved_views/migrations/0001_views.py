"""Saved views, subscriptions, and the outbox of their e-mails."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.text
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
            name="Message",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "To be sent"),
                            ("sent", "Sent"),
                            ("given-up", "Given up"),
                            ("withheld", "Not sent"),
                        ],
                        default="waiting",
                        max_length=16,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("made_at", models.DateTimeField()),
                ("next_try_at", models.DateTimeField()),
                ("sent_at", models.DateTimeField(null=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["next_try_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="SavedView",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("path", models.CharField(max_length=300)),
                ("table_id", models.CharField(blank=True, max_length=60)),
                ("list_words", models.CharField(max_length=200)),
                ("query", models.CharField(blank=True, max_length=1000)),
                ("name", models.CharField(max_length=80)),
                (
                    "shared_with",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("inspectorate", "The inspectorate"),
                            ("casino-supervisor", "Everybody with the role Casino supervisor"),
                            ("games-supervisor", "Everybody with the role Games supervisor"),
                            ("shift-manager", "Everybody with the role Shift manager"),
                            ("marketing", "Everybody with the role Marketing"),
                            ("compliance-officer", "Everybody with the role Compliance officer"),
                            ("administrator", "Everybody with the role Administrator"),
                        ],
                        max_length=32,
                    ),
                ),
                ("is_usual", models.BooleanField(default=False)),
                ("kept_at", models.DateTimeField()),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="accounts.casino"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="saved_views",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["list_words", "name", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Subscription",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "every",
                    models.CharField(
                        choices=[("at-once", "At once"), ("day", "Once a gaming day"), ("week", "Once a week")],
                        max_length=8,
                    ),
                ),
                ("asked_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                ("next_look_at", models.DateTimeField()),
                ("looked_at", models.DateTimeField()),
                (
                    "known",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), default=list, size=None
                    ),
                ),
                ("trouble_code", models.CharField(blank=True, max_length=16)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "view",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="subscriptions", to="saved.savedview"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Part",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("new", models.PositiveIntegerField()),
                ("together", models.PositiveIntegerField()),
                ("is_cut", models.BooleanField(default=False)),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="parts", to="saved.message"
                    ),
                ),
                (
                    "subscription",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="parts", to="saved.subscription"
                    ),
                ),
            ],
            options={
                "ordering": ["-message__made_at", "-pk"],
            },
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(
                condition=models.Q(("state", "waiting")), fields=["next_try_at"], name="saved_message_due"
            ),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(fields=["made_at"], name="saved_message_made"),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["waiting", "sent", "given-up", "withheld"])),
                name="saved_message_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.CheckConstraint(
                condition=models.Q(("state", "sent"), ("sent_at", None), _connector="XOR"),
                name="saved_message_sent_whole",
            ),
        ),
        migrations.AddIndex(
            model_name="savedview",
            index=models.Index(fields=["path"], name="saved_view_of_list"),
        ),
        migrations.AddConstraint(
            model_name="savedview",
            constraint=models.UniqueConstraint(
                models.F("owner"),
                models.F("path"),
                django.db.models.functions.text.Lower("name"),
                name="saved_view_name_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="savedview",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_usual", True)), fields=("owner", "path"), name="saved_view_one_usual"
            ),
        ),
        migrations.AddIndex(
            model_name="subscription",
            index=models.Index(
                condition=models.Q(("ended_at", None)), fields=["next_look_at"], name="saved_subscription_due"
            ),
        ),
        migrations.AddConstraint(
            model_name="subscription",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at", None)), fields=("view", "person"), name="saved_subscription_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="subscription",
            constraint=models.CheckConstraint(
                condition=models.Q(("every__in", ["at-once", "day", "week"])), name="saved_every_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="part",
            constraint=models.UniqueConstraint(fields=("message", "subscription"), name="saved_part_once"),
        ),
        migrations.AddConstraint(
            model_name="part",
            constraint=models.CheckConstraint(condition=models.Q(("new__gte", 1)), name="saved_part_has_news"),
        ),
    ]
