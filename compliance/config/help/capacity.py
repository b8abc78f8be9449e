"""Help page on capacity: estimates computed from figures that `make bench` checks.

The planning figures are rounded up from measurements; the table is the last full run, stored with the page.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from compliance.config.environment import PROJECT
from compliance.core.web.help_pages import HelpPage

MEASURED = PROJECT / "templates" / "docs" / "scale.json"
# Bytes of a round with everything derived from it and every index; and of each of its wagers.
ROUND_BYTES, WAGER_BYTES = 1_500, 100
# Processor seconds for a million wagers, the database server included.
INTAKE_SECONDS, AUDIT_SECONDS, VERIFY_SECONDS = 20, 30, 20
PROCESSOR_SECONDS = (("taking in", INTAKE_SECONDS), ("auditing", AUDIT_SECONDS), ("verifying", VERIFY_SECONDS))
# The numbers of wagers in the rounds whose bytes are measured.
MEASURED_ROUNDS = (20, 2_000)
GIGABYTE = 10**9
SECONDS_A_DAY, DAYS_A_YEAR = 24 * 60 * 60, 365


@dataclass(frozen=True)
class Operator:
    """An example operator: number of tables, seconds a round, hours of play a day, wagers a round."""

    name: str
    tables: int
    seconds_a_round: int
    hours: int
    wagers_a_round: int

    @property
    def rounds_a_day(self) -> int:
        return self.tables * self.hours * 3600 // self.seconds_a_round

    @property
    def wagers_a_day(self) -> int:
        return self.rounds_a_day * self.wagers_a_round

    @property
    def rounds_a_year(self) -> int:
        return self.rounds_a_day * DAYS_A_YEAR

    @property
    def wagers_a_year(self) -> int:
        return self.wagers_a_day * DAYS_A_YEAR

    @property
    def gigabytes_a_year(self) -> int:
        kept = self.rounds_a_year * ROUND_BYTES + self.wagers_a_year * WAGER_BYTES
        return -(-kept // GIGABYTE)

    @property
    def minutes_a_day(self) -> int:
        """Of one processor, to record, audit and once verify a day's wagers."""
        seconds = INTAKE_SECONDS + AUDIT_SECONDS + VERIFY_SECONDS
        return -(-self.wagers_a_day * seconds // 1_000_000 // 60)

    @property
    def percent_of_a_processor(self) -> int:
        return -(-self.minutes_a_day * 60 * 100 // SECONDS_A_DAY)


CASINO = Operator("A casino of 100 tables", tables=100, seconds_a_round=90, hours=20, wagers_a_round=20)
ONLINE = Operator("An online operator", tables=1, seconds_a_round=30, hours=24, wagers_a_round=10_000)


def capacity_facts() -> Mapping[str, Any]:
    from compliance.audit.health import MAX_AUDIT_DELAY
    from compliance.audit.models import BLOCK_ENTRIES
    from rounds.transparency_log import formats

    measured = json.loads(MEASURED.read_text())
    found = {line["what"]: _format_figure(line["ours"]) for line in measured.get("footprint", {}).get("lines", ())}
    return {
        "operators": (CASINO, ONLINE),
        "round_bytes": ROUND_BYTES,
        "wager_bytes": WAGER_BYTES,
        "stored": [(wagers, found.get(f"stored a round of {wagers:,} wagers")) for wagers in MEASURED_ROUNDS],
        "seconds": [
            (work, most, found.get(f"processor time for a million wagers, {work}")) for work, most in PROCESSOR_SECONDS
        ],
        "audited_minutes": int(MAX_AUDIT_DELAY.total_seconds()) // 60,
        "block_entries": BLOCK_ENTRIES,
        "most_mebibytes": formats.MAX_BODY_BYTES // 2**20,
        "measured": [
            {**run, "lines": [_format_measurement(line) for line in run["lines"]]} for run in measured.values()
        ],
    }


def _format_measurement(line: Mapping[str, Any]) -> Mapping[str, str]:
    low, high = line["spread"]
    return {
        "what": line["what"],
        "ours": f"{_format_figure(line['ours'])} {line['unit']}",
        "peer": line["peer"],
        "theirs": _format_figure(line["theirs"]),
        "ratio": f"{_format_figure(line['ratio'])} times",
        "spread": f"{_format_figure(low)} to {_format_figure(high)}",
        "aim": line["aim"],
        "met": {None: "", True: "Yes", False: "No"}[line["is_met"]],
    }


def _format_figure(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


PAGE = HelpPage(
    "scale",
    "How much it holds",
    "Bytes and processor time measured, what one machine holds, and what to add when.",
    "Those who run the service",
    order=92,
    facts=capacity_facts,
)
