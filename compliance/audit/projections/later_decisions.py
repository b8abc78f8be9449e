"""Later decisions about rounds: rounds and wagers declared void, wagers forfeited, stakes refunded.

Read from entries of other apps: rounds void for damaged dice, invalidated outcomes, wagers declared void, and refunds.
Rounds of another table that an entry names are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import msgspec
import structlog

from compliance.audit.models import VoidedRound
from compliance.audit.projections.rounds import ROUND_KINDS as ROUNDS
from compliance.audit.projections.rounds import corrected_index, round_from_entry
from compliance.tables.equipment.entry_kinds import STAKES_RETURNED, VOID_SET
from rounds.intake.protocol.round import Round, Wager
from rounds.ledger import LogEntry, read_entries_at, readers

logger = structlog.get_logger(__name__)

INVALIDATION, WAGERS_VOIDED = "invalidation", "wagers-voided"
DAMAGED_DICE, INVALIDATED = "damaged-dice", "invalidated"


@dataclass(frozen=True)
class RoundDecision:
    """What one entry decides about one round. `reason` voids the whole round, `voided` only those wagers."""

    reason: str = ""
    refunds: Mapping[str, int] = field(default_factory=dict)
    voided: Sequence[str] = ()
    forfeited: Sequence[str] = ()


def _read_void_set(content: Mapping[str, Any], index: int, played: Round) -> RoundDecision:
    return RoundDecision(DAMAGED_DICE)


def _read_invalidation(content: Mapping[str, Any], index: int, played: Round) -> RoundDecision:
    return RoundDecision(INVALIDATED, forfeited=_named_wagers(content, "forfeited", index))


def _read_voided_wagers(content: Mapping[str, Any], index: int, played: Round) -> RoundDecision:
    """The wagers it names; without any, all wagers of the person in the round."""
    if content.get("wagers"):
        return RoundDecision(voided=_named_wagers(content, "wagers", index))
    return RoundDecision(voided=[wager.id for wager in played.wagers if _is_wager_of_person(wager, content)])


def _read_returned_stakes(content: Mapping[str, Any], index: int, played: Round) -> RoundDecision:
    refunds: dict[str, int] = {}
    for each in content["returned"]:
        if each["round"] == index:
            refunds[each["wager"]] = refunds.get(each["wager"], 0) + each["cents"]
    return RoundDecision(refunds=refunds)


DECISION_READERS: Mapping[str, Callable[[Mapping[str, Any], int, Round], RoundDecision]] = {
    VOID_SET: _read_void_set,
    INVALIDATION: _read_invalidation,
    WAGERS_VOIDED: _read_voided_wagers,
    STAKES_RETURNED: _read_returned_stakes,
}
DECISION_KINDS = frozenset(DECISION_READERS)


def _named_wagers(content: Mapping[str, Any], member: str, index: int) -> list[str]:
    """Wagers are named as "entry index:wager id"."""
    split = (each.partition(":") for each in content.get(member) or ())
    return [wager for entry, _, wager in split if entry == str(index)]


def _is_wager_of_person(wager: Wager, content: Mapping[str, Any]) -> bool:
    player, seat = content.get("player"), content.get("seat")
    return wager.player == player if player else seat is not None and wager.seat == seat


# --- The projection -------------------------------------------------------------------------------------------------


def decision_rows(entry: LogEntry) -> list[VoidedRound]:
    """One row per round that the entry decides about."""
    content = entry.content()
    named = {each for each in content["rounds"] if isinstance(each, int)}
    rounds = {
        each.index: round_from_entry(each)
        for each in read_entries_at(entry.log, named)
        if _is_round_at(each, entry.table)
    }
    if len(rounds) != len(content["rounds"]):
        logger.warning("determination_names_other_rounds", log=entry.log, index=entry.index, known=len(rounds))
    return [
        _decision_row(entry, content, index, DECISION_READERS[entry.kind](content, index, played))
        for index, played in sorted(rounds.items())
        if played is not None
    ]


def _is_round_at(entry: LogEntry, table: str | None) -> bool:
    return entry.kind in ROUNDS and entry.table == table


def _decision_row(entry: LogEntry, content: Mapping[str, Any], index: int, decision: RoundDecision) -> VoidedRound:
    return VoidedRound(
        log=entry.log,
        entry_index=index,
        set_index=entry.index,
        reason=decision.reason,
        refunds=dict(decision.refunds),
        voided=list(decision.voided),
        forfeited=list(decision.forfeited),
        at=msgspec.convert(content["at"], datetime),
        decided_as=content.get("as") or "",
    )


def store_decision(entry: LogEntry) -> list[VoidedRound]:
    return VoidedRound.objects.bulk_create(decision_rows(entry))


def revoke_decision(log: str, index: int) -> list[int]:
    """Deletes the rows of a decision that was taken back. Returns the rounds it had named."""
    rows = VoidedRound.objects.filter(log=log, set_index=index)
    indexes = sorted(rows.values_list("entry_index", flat=True))
    rows.delete()
    return indexes


def rebuild_decisions(log: str, entries: Sequence[LogEntry]) -> None:
    """Stores these entries' decisions again, for a rebuild of the projection."""
    for entry in entries:
        if entry.kind in DECISION_KINDS:
            store_decision(entry)
        corrected = corrected_index(entry)
        if corrected is not None:
            revoke_decision(log, corrected)


COMPARED_FIELDS = ("reason", "refunds", "voided", "forfeited", "at", "decided_as")


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    """For `verify_ledger`: the stored decisions compared with their entries."""
    rows = VoidedRound.objects.filter(log=log, set_index__gte=first, set_index__lt=last)
    stored = {(row.set_index, row.entry_index): row for row in rows}
    taken_back = readers.corrections_of(log, [entry.index for entry in entries])
    for entry in entries:
        for expected in decision_rows(entry) if entry.index not in taken_back else ():
            row = stored.pop((entry.index, expected.entry_index), None)
            if row is None:
                yield entry.index, f"the audit no longer knows what it determines of entry {expected.entry_index}."
            elif any(getattr(row, name) != getattr(expected, name) for name in COMPARED_FIELDS):
                yield entry.index, f"the audit has it determine something else of entry {expected.entry_index}."
    for index, of_round in stored:
        yield index, f"the audit has it determine something of entry {of_round}, and it does not."


# --- What the audit asks --------------------------------------------------------------------------------------------


def later_decisions_on(log: str, indexes: Collection[int]) -> Mapping[int, LaterDecisions]:
    """The later decisions about these rounds, by entry index. One query."""
    found: dict[int, LaterDecisions] = {}
    rows = VoidedRound.objects.filter(log=log, entry_index__in=indexes).order_by("set_index")
    for row in rows:
        found[row.entry_index] = _merge_decision(found.get(row.entry_index, LaterDecisions(())), row)
    return found


def _merge_decision(earlier: LaterDecisions, row: VoidedRound) -> LaterDecisions:
    """The first decision that voids the round gives the reason; refunds add up."""
    refunds, voided = dict(earlier.refunds), dict(earlier.wagers)
    for wager, cents in row.refunds.items():
        refunds[wager] = refunds.get(wager, 0) + cents
    for wager in row.voided:
        voided.setdefault(wager, (row.set_index, row.at))
    joined = replace(earlier, sets=(*earlier.sets, row.set_index), refunds=refunds, wagers=voided)
    if row.reason == INVALIDATED:
        joined = replace(joined, forfeited=frozenset(row.forfeited) | (earlier.forfeited or frozenset()))
    if earlier.reason or not row.reason:
        return joined
    return replace(joined, reason=row.reason, at=row.at, decided_as=row.decided_as)


@dataclass(frozen=True)
class LaterDecisions:
    """All later decisions about one round: their entries, why it is void, refunds by wager.

    `wagers`: by wager declared void by itself, the entry and when. `forfeited` is None unless the outcome was
    invalidated, which decides on forfeits.
    """

    sets: tuple[int, ...]
    reason: str = ""
    refunds: Mapping[str, int] = field(default_factory=dict)
    wagers: Mapping[str, tuple[int, datetime]] = field(default_factory=dict)
    forfeited: frozenset[str] | None = None
    at: datetime | None = None
    decided_as: str = ""
