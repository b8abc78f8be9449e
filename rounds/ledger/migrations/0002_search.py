"""For the pages of a long log: the search index, a covering index by time, and requests for verification."""

from django.db import migrations, models

BY_TIME = """
DROP INDEX ledger_entry_by_time;
CREATE INDEX ledger_entry_by_time ON ledger_entry (log_id, recorded_at, index);
"""
BY_TIME_BEFORE = """
DROP INDEX ledger_entry_by_time;
CREATE INDEX ledger_entry_by_time ON ledger_entry (log_id, recorded_at);
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Mention",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "log_id",
                        "what",
                        "value",
                        "index",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("log", models.ForeignKey("ledger.log", models.DO_NOTHING, db_constraint=False, related_name="+")),
                ("what", models.TextField()),
                ("value", models.TextField()),
                ("index", models.BigIntegerField()),
            ],
            options={
                "db_table": "ledger_mention",
                "indexes": [models.Index(fields=["log", "index"], name="ledger_mention_by_index")],
            },
        ),
        migrations.CreateModel(
            name="Verifying",
            fields=[
                (
                    "log",
                    models.OneToOneField(
                        "ledger.log",
                        models.DO_NOTHING,
                        db_constraint=False,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                    ),
                ),
                ("asked_at", models.DateTimeField(null=True)),
                ("asked_by", models.TextField(default="")),
                ("begun_at", models.DateTimeField(null=True)),
                ("done", models.BigIntegerField(default=0)),
                ("total", models.BigIntegerField(default=0)),
                ("moved_at", models.DateTimeField(null=True)),
            ],
            options={"db_table": "ledger_verifying"},
        ),
        migrations.RunSQL(BY_TIME, BY_TIME_BEFORE),
    ]
