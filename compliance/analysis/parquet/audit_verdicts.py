"""The audit's verdicts on the wagers of a range: current findings, and how far the range was audited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from compliance.audit.checks.round import settlement, streaks
from compliance.audit.models import BLOCK_ENTRIES, Block, Finding, ReadingCase
from compliance.audit.projections.later_decisions import later_decisions_on
from compliance.disputes.selectors import dispute_payments, rounds_with_payments

SETTLEMENT_CHECKS = frozenset({settlement.CHECK_NAME, streaks.SETTLED})
# An entry and a wager of its round; an empty wager means the whole round.
WagerKey = tuple[int, str]


class WagerFinding(NamedTuple):
    """A finding about a wager or round, or one case of a grouped finding."""

    entry_index: int
    table: str
    wager: str
    code: str
    is_about_money: bool
    clause: str
    required_cents: int | None
    found_cents: int | None

    @property
    def subject(self) -> WagerKey:
        return self.entry_index, self.wager


@dataclass(frozen=True)
class AuditVerdicts:
    """The verdicts of a range. `later_cents`: what was paid for wagers after their round."""

    found: Sequence[WagerFinding]
    audited_to: int
    later_cents: dict[WagerKey, int]
    money: dict[WagerKey, WagerFinding] = field(default_factory=dict)
    codes: dict[WagerKey, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for found in self.found:
            self.codes.setdefault(found.subject, set()).add(found.code)
            if found.is_about_money:
                self.money[found.subject] = found


def load_verdicts(log: str, first: int, last: int, rounds: Sequence[int]) -> AuditVerdicts:
    """For the rounds of one block. A fixed number of queries."""
    number = first // BLOCK_ENTRIES
    audited_to = Block.objects.filter(log=log, number=number).values_list("audited_to", flat=True).first() or 0
    # Findings beyond are about to be evaluated again.
    found = _load_findings(log, first, min(last, audited_to))
    return AuditVerdicts(sorted(found, key=_sort_key), audited_to, _load_later_payments(log, first, last, rounds))


def _sort_key(found: WagerFinding) -> tuple[int, str, str, bool]:
    return found.entry_index, found.wager, found.code, found.is_about_money


def _load_findings(log: str, first: int, last: int) -> list[WagerFinding]:
    span = {"log": log, "subject_index__gte": first, "subject_index__lt": last}
    standing = Finding.objects.current().filter(**span)
    cases = ReadingCase.objects.filter(**span, finding__superseded_at=None).select_related("finding")
    return [
        *(
            WagerFinding(
                one.subject_index,
                one.table,
                one.wager,
                one.code,
                one.check_name in SETTLEMENT_CHECKS,
                one.clause,
                one.required_cents,
                one.found_cents,
            )
            for one in standing
        ),
        *(
            WagerFinding(
                case.subject_index,
                case.table,
                case.wager,
                case.finding.code,
                True,
                case.finding.clause,
                case.required_cents,
                case.found_cents,
            )
            for case in cases
        ),
    ]


def _load_later_payments(log: str, first: int, last: int, rounds: Sequence[int]) -> dict[WagerKey, int]:
    later: dict[WagerKey, int] = {}
    for index, payments in dispute_payments(log, rounds_with_payments(log, first, last)).items():
        for payment in payments:
            later[index, payment.wager] = later.get((index, payment.wager), 0) + payment.cents
    for index, voided in later_decisions_on(log, rounds).items():
        for wager, cents in voided.refunds.items():
            later[index, wager] = later.get((index, wager), 0) + cents
    return later
