"""Throws simulated dice, fair and loaded, and measures after how many rounds they are signalled."""

import json
from pathlib import Path
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from compliance.fairness.trial import EVERY, FAIR, Tried, try_sets

SETS, SEED, MOST = 200, 1, 102_400


class Command(BaseCommand):
    help = "Measure after how many rounds loaded dice are signalled, and how many fair ones are. Writes no record."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own way

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--sets", type=int, default=SETS, help="dice sets of each sort")
        parser.add_argument("--rounds", type=int, default=MOST, help="the most rounds that a set plays")
        parser.add_argument("--seed", type=int, default=SEED)
        parser.add_argument("--json", type=Path, help="keep the figures in this file")

    def handle(self, *args: Any, **options: Any) -> None:
        began, lines = monotonic(), []
        for loading in EVERY:
            tried = try_sets(loading, sets=options["sets"], most=options["rounds"], seed=options["seed"])
            lines.append(as_line(tried))
            self.stdout.write(
                "{what}: {signalled} of {sets} signalled, 95 % within {within} rounds".format(**lines[-1])
            )
        found = {
            "sets": options["sets"], "rounds": options["rounds"], "seed": options["seed"],
            "minutes": round((monotonic() - began) / 60, 1), "lines": lines,
        }  # fmt: skip
        if options["json"]:
            options["json"].write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n")


def as_line(tried: Tried) -> dict[str, Any]:
    return {
        "slug": tried.loading.slug, "what": tried.loading.words, "is_fair": tried.loading == FAIR,
        "sets": len(tried.signalled_at), "signalled": tried.signalled, "within": tried.within(),
        "half_within": tried.within(0.5),
    }  # fmt: skip
