"""`manage.py fairness_trial`: simulates fair and unfair dice and tables, and measures after how many rounds they are
signalled."""

import json
from pathlib import Path
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from compliance.analysis.fairness.simulation import loaded_dice, payout_leaks
from compliance.analysis.fairness.simulation.loaded_dice import TrialResult, simulate_dice_sets
from compliance.analysis.fairness.simulation.payout_leaks import simulate_tables

DICE_SETS, SEED, MAX_ROUNDS = 200, 1, 102_400
# A table's money is tested by calendar month, and a month of a round a minute has fewer rounds than this.
TABLES, MAX_ROUNDS_PER_TABLE = 20, 51_200


class Command(BaseCommand):
    help = "Measure after how many rounds loaded dice, and money that leaks, are signalled. Writes no record."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own way

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--sets", type=int, default=DICE_SETS, help="dice sets of each sort")
        parser.add_argument("--rounds", type=int, default=MAX_ROUNDS, help="the most rounds that a set plays")
        parser.add_argument("--tables", type=int, default=TABLES, help="tables of each sort")
        parser.add_argument("--table-rounds", type=int, default=MAX_ROUNDS_PER_TABLE, help="the most rounds of a table")
        parser.add_argument("--seed", type=int, default=SEED)
        parser.add_argument("--json", type=Path, help="keep the figures in this file")

    def handle(self, *args: Any, **options: Any) -> None:
        began, seed = monotonic(), options["seed"]
        dice = [
            simulate_dice_sets(one, sets=options["sets"], most=options["rounds"], seed=seed)
            for one in loaded_dice.ALL_LOADINGS
        ]
        money = [
            simulate_tables(one, tables=options["tables"], most=options["table_rounds"], seed=seed)
            for one in payout_leaks.ALL_LEAKS
        ]
        for line in map(trial_line, [*dice, *money]):
            soon = ", 95 % within {within} rounds".format(**line) if line["within"] else ""
            self.stdout.write("{what}: {signalled} of {sets} signalled".format(**line) + soon)
        found = {
            "sets": options["sets"], "rounds": options["rounds"], "tables": options["tables"],
            "table_rounds": options["table_rounds"], "wagers": payout_leaks.WAGERS, "seed": seed,
            "minutes": round((monotonic() - began) / 60, 1), "lines": [trial_line(one) for one in dice],
            "money": [trial_line(one) for one in money],
        }  # fmt: skip
        if options["json"]:
            options["json"].write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n")


def trial_line(tried: TrialResult) -> dict[str, Any]:
    return {
        "slug": tried.case.slug,
        "what": tried.case.label,
        "is_fair": tried.case.is_fair,
        "sets": len(tried.signalled_at),
        "signalled": tried.signalled_count,
        "within": tried.rounds_until_signalled(),
        "half_within": tried.rounds_until_signalled(0.5),
    }
