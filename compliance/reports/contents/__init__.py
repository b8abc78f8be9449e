"""What each kind of report says. `KINDS` is the list; a kind builds its Document from what a person chose.

findings.py     one finding on a sheet; all findings of a time (the discrepancy report)
daily.py        a gaming day: rounds, money, findings, coverage
review.py       a period: the dashboard's figures and charts, findings, duties kept and missed
rounds.py       one round on a sheet;  disputes.py  the file of a dispute
promotions.py   the file of a promotion, the register of denied claims
notices.py      the register of notices and closures;  equipment.py  of equipment and inspections
duties.py       what the audit found about a family of duties, for the registers
certificate.py  the ledger as a whole
checklists.py   a checklist as it was signed off
looks.py        who looked at what
trials.py       what came of rules that were tried over what was played
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from compliance.accounts.models import Casino
from compliance.accounts.roles import GOVERNMENT, Role
from compliance.reports.contents import (
    certificate,
    checklists,
    daily,
    disputes,
    equipment,
    findings,
    looks,
    notices,
    promotions,
    review,
    rounds,
    trials,
)
from compliance.reports.document import Drawn
from compliance.reports.period import Period

Chosen = Mapping[str, Any]
# Who reports on everything; a kind may be open to others who read what it is about anyway.
MAY_REPORT = GOVERNMENT | {Role.COMPLIANCE_OFFICER}


@dataclass(frozen=True)
class Kind:
    """A kind of report: its name, what it is for, and how it is made and measured before it is made."""

    slug: str
    title: str
    summary: str
    build: Callable[[Casino, Chosen, datetime], Drawn]
    # How many rows it would have, and of what; None where that does not depend on what was chosen.
    rows: Callable[[Casino, Chosen], int] | None = None
    of: str = "findings"
    # What is chosen when it is made by schedule, of one day or of a week; None where somebody must choose.
    for_period: Callable[[Period], Chosen] | None = None
    is_of_one_day: bool = False
    # Who asks for it and reads it.
    readers: frozenset[Role] = MAY_REPORT

    @property
    def can_be_scheduled(self) -> bool:
        return self.for_period is not None


KINDS: Mapping[str, Kind] = {
    kind.slug: kind
    for kind in (
        Kind(
            "daily", "Daily audit report",
            "A gaming day: rounds, money in and out, findings by code and table, and how far it was audited.",
            daily.build, for_period=lambda period: {"day": period.first.isoformat()}, is_of_one_day=True,
        ),
        Kind(
            "discrepancies", "Discrepancy report",
            "Every finding of a time, with both amounts, the clause and what was decided.",
            findings.discrepancies, findings.count_discrepancies,
            for_period=lambda period: {
                "since": period.begins_at.isoformat(), "until": period.ends_at.isoformat()
            },
        ),
        Kind(
            "review", "Period review",
            "A period in figures and charts: play, money against expectation, findings, coverage, duties.",
            review.build, review.count, "serious findings", Period.as_chosen,
        ),
        Kind(
            "notices", "Register of notices and closures",
            "Changes of limits with their signs, limits of single players, warnings, and closings of tables.",
            notices.build, notices.count, "notices and closings", Period.as_chosen,
        ),
        Kind(
            "equipment", "Register of equipment and inspections",
            "Faults and how play came back, inspections, dice, shakers and shoes at tables.",
            equipment.build, equipment.count, "records of equipment", Period.as_chosen,
        ),
        Kind(
            "denials", "Register of denied claims",
            "Every claim on a prize that was denied, with the reasons and how soon the patron was told.",
            promotions.denials, promotions.count_denials, "denied claims", Period.as_chosen,
            readers=MAY_REPORT | promotions.MAY_READ,
        ),
        Kind("finding", "Finding sheet", "One finding with its round and what was decided.", findings.one_finding),
        Kind("round", "Round sheet", "One round: events, result, every wager, findings.", rounds.build),
        Kind(
            "dispute", "Dispute file",
            "One dispute: the round, what the rules give, who decides, every step. Without the patron's details.",
            disputes.build, readers=MAY_REPORT | disputes.MAY_READ,
        ),
        Kind(
            "promotion", "Promotion file",
            "One promotion: terms and amendments, material, draws, winners and how they were told, claims.",
            promotions.build, readers=MAY_REPORT | promotions.MAY_READ,
        ),
        Kind(
            "certificate", "Ledger integrity certificate",
            "What the log holds, what was signed, and whether it was found whole.", certificate.build,
            for_period=lambda period: {},
        ),
        Kind(
            "checklist", "Signed checklist",
            "Every clause of a rule document with its answer, its basis and what the audit said.", checklists.build,
        ),
        Kind(
            "looks", "Who looked at what",
            "Every look at a patron's details, every list and file taken away, every read by another system.",
            looks.build, looks.count, "looks, downloads and reads",
        ),
        Kind(
            "what-if", "What would change",
            "Rules that were tried over what was played: totals by table, box, clause and player, the largest amounts.",
            trials.build, readers=GOVERNMENT,
        ),
    )
}  # fmt: skip
MAY_OPEN = frozenset[Role]().union(*(kind.readers for kind in KINDS.values()))
