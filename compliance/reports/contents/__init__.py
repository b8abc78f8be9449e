"""What each kind of report says. `KINDS` is the list; a kind builds its Document from what a person chose.

findings.py     one finding on a sheet; all findings of a time (the discrepancy report)
daily.py        a gaming day: rounds, money, findings, coverage
rounds.py       one round on a sheet
certificate.py  the ledger as a whole
looks.py        who looked at what
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from compliance.accounts.models import Casino
from compliance.reports.contents import certificate, daily, findings, looks, rounds
from compliance.reports.document import Drawn

Chosen = Mapping[str, Any]


@dataclass(frozen=True)
class Kind:
    """A kind of report: its name, what it is for, and how it is made and measured before it is made."""

    slug: str
    title: str
    summary: str
    build: Callable[[Casino, Chosen, datetime], Drawn]
    # How many rows it would have; None where that does not depend on what was chosen.
    rows: Callable[[Casino, Chosen], int] | None = None


KINDS: Mapping[str, Kind] = {
    kind.slug: kind
    for kind in (
        Kind(
            "discrepancies", "Discrepancy report",
            "Every finding of a time, with both amounts, the clause and what was decided.",
            findings.discrepancies, findings.count_discrepancies,
        ),
        Kind(
            "daily", "Daily audit report",
            "A gaming day: rounds, money in and out, findings by code and table, and how far it was audited.",
            daily.build,
        ),
        Kind("finding", "Finding sheet", "One finding with its round and what was decided.", findings.one_finding),
        Kind("round", "Round sheet", "One round: events, result, every wager, findings.", rounds.build),
        Kind(
            "certificate", "Ledger integrity certificate",
            "What the log holds, what was signed, and whether it was found whole.", certificate.build,
        ),
        Kind(
            "looks", "Who looked at what",
            "Every look at a patron's details, every list and file taken away, every read by another system.",
            looks.build, looks.count,
        ),
    )
}  # fmt: skip
