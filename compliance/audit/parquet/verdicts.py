"""What the audit says of the wagers of a stretch: findings that stand, and how far it has come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from compliance.audit.checks import settlement, streaks
from compliance.audit.determinations import voided_among
from compliance.audit.models import BLOCK_ENTRIES, Block, Finding, ReadingCase
from compliance.disputes.selectors import payments_on, rounds_paid_after

ABOUT_MONEY = frozenset({settlement.NAME, streaks.SETTLED})
# An entry of the log, and a wager of the round that it reports; no wager: the whole round.
Subject = tuple[int, str]


class Found(NamedTuple):
    """A finding, or a wager of one that many share."""

    entry_index: int
    table: str
    wager: str
    code: str
    is_about_money: bool
    clause: str
    required_cents: int | None
    found_cents: int | None

    @property
    def subject(self) -> Subject:
        return self.entry_index, self.wager


@dataclass(frozen=True)
class Verdicts:
    """Of entries first..last-1. `later_cents` came to wagers after their rounds."""

    found: Sequence[Found]
    audited_to: int
    later_cents: dict[Subject, int]
    money: dict[Subject, Found] = field(default_factory=dict)
    codes: dict[Subject, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for found in self.found:
            self.codes.setdefault(found.subject, set()).add(found.code)
            if found.is_about_money:
                self.money[found.subject] = found


def verdicts_on(log: str, first: int, last: int, rounds: Sequence[int]) -> Verdicts:
    """Of the rounds of one block. A fixed number of queries."""
    number = first // BLOCK_ENTRIES
    audited_to = Block.objects.filter(log=log, number=number).values_list("audited_to", flat=True).first() or 0
    # What stands beyond is about to be judged again.
    found = _found(log, first, min(last, audited_to))
    return Verdicts(sorted(found, key=_order), audited_to, _later(log, first, last, rounds))


def _order(found: Found) -> tuple[int, str, str, bool]:
    return found.entry_index, found.wager, found.code, found.is_about_money


def _found(log: str, first: int, last: int) -> list[Found]:
    span = {"log": log, "subject_index__gte": first, "subject_index__lt": last}
    standing = Finding.objects.standing().filter(**span)
    cases = ReadingCase.objects.filter(**span, finding__superseded_at=None).select_related("finding")
    return [
        *(
            Found(
                one.subject_index, one.table, one.wager, one.code, one.check_name in ABOUT_MONEY, one.clause,
                one.required_cents, one.found_cents,
            )
            for one in standing
        ),
        *(
            Found(
                case.subject_index, case.table, case.wager, case.finding.code, True, case.finding.clause,
                case.required_cents, case.found_cents,
            )
            for case in cases
        ),
    ]  # fmt: skip


def _later(log: str, first: int, last: int, rounds: Sequence[int]) -> dict[Subject, int]:
    later = payments_on(log, rounds_paid_after(log, first, last))
    for index, voided in voided_among(log, rounds).items():
        for wager, cents in voided.refunds.items():
            later[index, wager] = later.get((index, wager), 0) + cents
    return later
