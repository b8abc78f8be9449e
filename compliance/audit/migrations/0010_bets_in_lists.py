"""Totals by bet as lists in the row of their day. Also fills the columns that 0009 added."""

from datetime import UTC, datetime
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models

NEVER_ENDED = datetime(1970, 1, 1, tzinfo=UTC)
INTO_LISTS = """
UPDATE audit_playedday day SET bets = bet.bets, sorts = bet.sorts, returns = bet.returns, wagers = bet.wagers,
    staked_cents = bet.staked, returned_cents = bet.returned
FROM (
    SELECT log, first, gaming_day, "table", array_agg(bet::text ORDER BY id) AS bets,
        array_agg(sort::text ORDER BY id) AS sorts, array_agg(returns::text ORDER BY id) AS returns,
        array_agg(wagers ORDER BY id) AS wagers, array_agg(staked_cents ORDER BY id) AS staked,
        array_agg(returned_cents ORDER BY id) AS returned
    FROM audit_playedbet GROUP BY log, first, gaming_day, "table"
) bet
WHERE (bet.log, bet.first, bet.gaming_day, bet."table") = (day.log, day.first, day.gaming_day, day."table")
"""
OUT_OF_LISTS = """
INSERT INTO audit_playedbet
    (log, first, gaming_day, "table", bet, sort, returns, wagers, staked_cents, returned_cents)
SELECT log, first, gaming_day, "table", bet.*
FROM audit_playedday day,
    unnest(day.bets, day.sorts, day.returns, day.wagers, day.staked_cents, day.returned_cents) AS bet
"""
EQUALLY_LONG = """
ALTER TABLE audit_playedday ADD CONSTRAINT audit_playedday_lists_equally_long CHECK (
    cardinality(bets) = ALL (ARRAY[
        cardinality(sorts), cardinality(returns), cardinality(wagers), cardinality(staked_cents),
        cardinality(returned_cents)
    ])
)
"""
VIEW = """
CREATE VIEW audit_playedbet WITH (security_invoker = true) AS
SELECT day.id * 4096 + of.place AS id, day.log, day.first, day.gaming_day, day."table", of.bet, of.sort, of.returns,
    of.wagers, of.staked_cents, of.returned_cents
FROM audit_playedday day,
    unnest(day.bets, day.sorts, day.returns, day.wagers, day.staked_cents, day.returned_cents)
        WITH ORDINALITY AS of(bet, sort, returns, wagers, staked_cents, returned_cents, place)
"""


def make_again(apps: Any, schema_editor: Any) -> None:
    """By the code of today, once, after whatever else it reads is there."""
    waiting = apps.get_model("audit", "PackedRound").objects.filter(ended_at=NEVER_ENDED)
    logs = sorted(set(waiting.values_list("log", flat=True).distinct()))
    if logs:
        from compliance.audit.run.rebuild import rebuild_rounds, rebuild_totals

        for log in logs:
            rebuild_rounds(log)
            rebuild_totals(log)


def listed(kind: Any) -> Any:
    return ArrayField(base_field=kind, default=list, size=None)


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0009_wagers_as_they_lay"),
        ("accounts", "0003_acts"),
        ("floor", "0004_recorded_facts"),
        ("ledger", "0002_search"),
        ("rulebook", "0002_guarantees"),
    ]
    operations = [
        migrations.AddField("playedday", "bets", listed(models.TextField())),
        migrations.AddField("playedday", "sorts", listed(models.TextField())),
        migrations.AddField("playedday", "returns", listed(models.TextField())),
        migrations.AddField("playedday", "wagers", listed(models.IntegerField())),
        migrations.AddField("playedday", "staked_cents", listed(models.BigIntegerField())),
        migrations.AddField("playedday", "returned_cents", listed(models.BigIntegerField())),
        migrations.RunSQL(INTO_LISTS, OUT_OF_LISTS),
        migrations.RunSQL(
            EQUALLY_LONG, "ALTER TABLE audit_playedday DROP CONSTRAINT audit_playedday_lists_equally_long"
        ),
        migrations.DeleteModel("PlayedBet"),
        migrations.CreateModel(
            "PlayedBet",
            fields=[
                ("id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("log", models.TextField()),
                ("first", models.BigIntegerField()),
                ("gaming_day", models.DateField()),
                ("table", models.TextField()),
                ("bet", models.TextField()),
                (
                    "sort",
                    models.TextField(
                        choices=[
                            ("compared", "Compared with what the odds give"),
                            ("apart", "Settled, and not compared"),
                            ("unsettled", "Not decided by a result"),
                        ]
                    ),
                ),
                ("returns", models.TextField()),
                ("wagers", models.IntegerField()),
                ("staked_cents", models.BigIntegerField()),
                ("returned_cents", models.BigIntegerField()),
            ],
            options={
                "db_table": "audit_playedbet",
                "ordering": ["log", "gaming_day", "table", "bet", "first"],
                "managed": False,
            },
        ),
        migrations.RunSQL(VIEW, "DROP VIEW audit_playedbet"),
        migrations.RunPython(make_again, migrations.RunPython.noop),
    ]
