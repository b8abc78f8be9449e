"""Plays simulated dice and tables, fair and not, and measures after how many rounds they are signalled."""

import json
from pathlib import Path
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from compliance.fairness import trial, trial_returns
from compliance.fairness.trial import Tried, try_sets
from compliance.fairness.trial_returns import try_tables

SETS, SEED, MOST = 200, 1, 102_400
# A table's money counts month by month: a round a minute, day and night, is fewer than this.
TABLES, MOST_OF_A_TABLE = 20, 51_200


class Command(BaseCommand):
    help = "Measure after how many rounds loaded dice, and money that leaks, are signalled. Writes no record."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own way

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--sets", type=int, default=SETS, help="dice sets of each sort")
        parser.add_argument("--rounds", type=int, default=MOST, help="the most rounds that a set plays")
        parser.add_argument("--tables", type=int, default=TABLES, help="tables of each sort")
        parser.add_argument("--table-rounds", type=int, default=MOST_OF_A_TABLE, help="the most rounds of a table")
        parser.add_argument("--seed", type=int, default=SEED)
        parser.add_argument("--json", type=Path, help="keep the figures in this file")

    def handle(self, *args: Any, **options: Any) -> None:
        began, seed = monotonic(), options["seed"]
        dice = [try_sets(one, sets=options["sets"], most=options["rounds"], seed=seed) for one in trial.EVERY]
        money = [
            try_tables(one, tables=options["tables"], most=options["table_rounds"], seed=seed)
            for one in trial_returns.EVERY
        ]
        for line in map(as_line, [*dice, *money]):
            soon = ", 95 % within {within} rounds".format(**line) if line["within"] else ""
            self.stdout.write("{what}: {signalled} of {sets} signalled".format(**line) + soon)
        found = {
            "sets": options["sets"], "rounds": options["rounds"], "tables": options["tables"],
            "table_rounds": options["table_rounds"], "wagers": trial_returns.WAGERS, "seed": seed,
            "minutes": round((monotonic() - began) / 60, 1), "lines": [as_line(one) for one in dice],
            "money": [as_line(one) for one in money],
        }  # fmt: skip
        if options["json"]:
            options["json"].write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n")


def as_line(tried: Tried) -> dict[str, Any]:
    return {
        "slug": tried.sort.slug, "what": tried.sort.words, "is_fair": tried.sort.is_fair,
        "sets": len(tried.signalled_at), "signalled": tried.signalled, "within": tried.within(),
        "half_within": tried.within(0.5),
    }  # fmt: skip
