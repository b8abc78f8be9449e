"""Bundles, with triggers: who requested what cannot be changed, and states follow each other in order."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

GUARANTEES = """
CREATE FUNCTION evidence_bundle_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.state, NEW.state) NOT IN (
        ('waiting', 'waiting'), ('waiting', 'preparing'), ('preparing', 'preparing'), ('preparing', 'ready'),
        ('preparing', 'failed'), ('ready', 'removed')
    ) THEN
        RAISE EXCEPTION 'A bundle that is % does not become %.', OLD.state, NEW.state
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF ROW(OLD.id, OLD.casino_id, OLD.asked_by_id, OLD.asked_by_name, OLD.asked_at, OLD.first_index, OLD.end_index,
           OLD.chosen)
        IS DISTINCT FROM ROW(NEW.id, NEW.casino_id, NEW.asked_by_id, NEW.asked_by_name, NEW.asked_at, NEW.first_index,
                             NEW.end_index, NEW.chosen)
    THEN
        RAISE EXCEPTION 'Who asked for what is kept as it was written.' USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.entry_index IS NOT NULL AND ROW(OLD.prepared_at, OLD.checkpoint_size, OLD.file_bytes, OLD.file_sha256,
                                           OLD.log, OLD.entry_index)
        IS DISTINCT FROM ROW(NEW.prepared_at, NEW.checkpoint_size, NEW.file_bytes, NEW.file_sha256, NEW.log,
                             NEW.entry_index)
    THEN
        RAISE EXCEPTION 'What was prepared is kept as it was recorded.' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER evidence_bundle_moves BEFORE UPDATE ON evidence_bundle
    FOR EACH ROW EXECUTE FUNCTION evidence_bundle_moves();
"""
REMOVE = """
DROP TRIGGER evidence_bundle_moves ON evidence_bundle;
DROP FUNCTION evidence_bundle_moves();
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0002_guarantees"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Bundle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("asked_by_name", models.CharField(max_length=120)),
                ("asked_at", models.DateTimeField()),
                ("first_index", models.BigIntegerField()),
                ("end_index", models.BigIntegerField()),
                ("chosen", models.JSONField(null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("preparing", "Being prepared"),
                            ("ready", "Ready"),
                            ("failed", "Failed"),
                            ("removed", "Removed"),
                        ],
                        default="waiting",
                        max_length=12,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("done", models.BigIntegerField(default=0)),
                ("failure", models.TextField(default="")),
                ("removed_at", models.DateTimeField(null=True)),
                ("prepared_at", models.DateTimeField(null=True)),
                ("checkpoint_size", models.BigIntegerField(null=True)),
                ("file_bytes", models.BigIntegerField(null=True)),
                ("file_sha256", models.CharField(default="", max_length=64)),
                ("log", models.TextField(default="")),
                ("entry_index", models.BigIntegerField(null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "casino",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="bundles", to="accounts.casino"
                    ),
                ),
            ],
            options={
                "ordering": ["-asked_at", "-pk"],
                "indexes": [
                    models.Index(fields=["casino", "-asked_at"], name="evidence_bundle_of_casino"),
                    models.Index(fields=["state"], name="evidence_bundle_state"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("log", "entry_index"), name="evidence_bundle_one_entry"),
                    models.CheckConstraint(
                        condition=models.Q(("end_index__gt", models.F("first_index")), ("first_index__gte", 0)),
                        name="evidence_bundle_range",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("entry_index__isnull", False),
                                ("prepared_at__isnull", False),
                                ("state__in", ["ready", "removed"]),
                            ),
                            models.Q(("entry_index__isnull", True), ("state__in", ["waiting", "preparing", "failed"])),
                            _connector="OR",
                        ),
                        name="evidence_bundle_recorded_when_ready",
                    ),
                ],
            },
        ),
        migrations.RunSQL(GUARANTEES, REMOVE),
    ]
