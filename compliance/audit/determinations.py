"""What people determined about rounds later: rounds and wagers void, wagers forfeited, stakes handed back.

Read from entries of other apps: sets of rounds void for damaged dice, invalidated outcomes, wagers declared void, and
what was handed back because of either. An entry that names rounds of another table says nothing about them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import msgspec
import structlog

from compliance.audit.models import VoidedRound
from compliance.audit.packed import KINDS as ROUNDS
from compliance.audit.packed import corrected_by, round_in
from compliance.audit.seen import VoidedBy
from compliance.equipment.kinds import STAKES_RETURNED, VOID_SET
from rounds.intake.kinds.round import Round, Wager
from rounds.ledger.following import Recorded, read_entries_at
from rounds.ledger.searching import corrections_of

logger = structlog.get_logger(__name__)

INVALIDATION, WAGERS_VOIDED = "invalidation", "wagers-voided"
DAMAGED_DICE, INVALIDATED = "damaged-dice", "invalidated"


@dataclass(frozen=True)
class Said:
    """What one entry says about one round. `reason` makes the whole round void, `voided` single wagers of it."""

    reason: str = ""
    refunds: Mapping[str, int] = field(default_factory=dict)
    voided: Sequence[str] = ()
    forfeited: Sequence[str] = ()


def _of_void_set(content: Mapping[str, Any], index: int, played: Round) -> Said:
    return Said(DAMAGED_DICE)


def _of_invalidation(content: Mapping[str, Any], index: int, played: Round) -> Said:
    return Said(INVALIDATED, forfeited=_named(content, "forfeited", index))


def _of_wagers_voided(content: Mapping[str, Any], index: int, played: Round) -> Said:
    """The wagers it names; where it names none, all that the person had in the round."""
    if content.get("wagers"):
        return Said(voided=_named(content, "wagers", index))
    return Said(voided=[wager.id for wager in played.wagers if _is_theirs(wager, content)])


def _of_return(content: Mapping[str, Any], index: int, played: Round) -> Said:
    refunds: dict[str, int] = {}
    for each in content["returned"]:
        if each["round"] == index:
            refunds[each["wager"]] = refunds.get(each["wager"], 0) + each["cents"]
    return Said(refunds=refunds)


READ: Mapping[str, Callable[[Mapping[str, Any], int, Round], Said]] = {
    VOID_SET: _of_void_set,
    INVALIDATION: _of_invalidation,
    WAGERS_VOIDED: _of_wagers_voided,
    STAKES_RETURNED: _of_return,
}
KINDS = frozenset(READ)


def _named(content: Mapping[str, Any], member: str, index: int) -> list[str]:
    """Wagers are named as "entry index:wager id"."""
    split = (each.partition(":") for each in content.get(member) or ())
    return [wager for entry, _, wager in split if entry == str(index)]


def _is_theirs(wager: Wager, content: Mapping[str, Any]) -> bool:
    player, seat = content.get("player"), content.get("seat")
    return wager.player == player if player else seat is not None and wager.seat == seat


# --- The projection -------------------------------------------------------------------------------------------------


def rows_of(entry: Recorded) -> list[VoidedRound]:
    """What an entry says, a row for each of its rounds."""
    content = entry.content()
    named = {each for each in content["rounds"] if isinstance(each, int)}
    rounds = {each.index: round_in(each) for each in read_entries_at(entry.log, named) if _is_at(each, entry.table)}
    if len(rounds) != len(content["rounds"]):
        logger.warning("determination_names_other_rounds", log=entry.log, index=entry.index, known=len(rounds))
    return [
        _row(entry, content, index, READ[entry.kind](content, index, played))
        for index, played in sorted(rounds.items())
        if played is not None
    ]


def _is_at(entry: Recorded, table: str | None) -> bool:
    return entry.kind in ROUNDS and entry.table == table


def _row(entry: Recorded, content: Mapping[str, Any], index: int, said: Said) -> VoidedRound:
    return VoidedRound(
        log=entry.log, entry_index=index, set_index=entry.index, reason=said.reason, refunds=dict(said.refunds),
        voided=list(said.voided), forfeited=list(said.forfeited), at=msgspec.convert(content["at"], datetime),
        decided_as=content.get("as") or "",
    )  # fmt: skip


def take_determination(entry: Recorded) -> list[VoidedRound]:
    return VoidedRound.objects.bulk_create(rows_of(entry))


def take_determination_back(log: str, index: int) -> list[int]:
    """What was taken back determines nothing any more; the rounds it had named."""
    rows = VoidedRound.objects.filter(log=log, set_index=index)
    indexes = sorted(rows.values_list("entry_index", flat=True))
    rows.delete()
    return indexes


def determine_again(log: str, entries: Sequence[Recorded]) -> None:
    """These entries of a log once more, for a projection that is being made again."""
    for entry in entries:
        if entry.kind in KINDS:
            take_determination(entry)
        corrected = corrected_by(entry)
        if corrected is not None:
            take_determination_back(log, corrected)


COMPARED = ("reason", "refunds", "voided", "forfeited", "at", "decided_as")


def differences(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterator[tuple[int, str]]:
    """For `verify_ledger`: what is kept of determinations, against their entries read again."""
    rows = VoidedRound.objects.filter(log=log, set_index__gte=first, set_index__lt=last)
    kept = {(row.set_index, row.entry_index): row for row in rows}
    taken_back = corrections_of(log, [entry.index for entry in entries])
    for entry in entries:
        for said in rows_of(entry) if entry.index not in taken_back else ():
            row = kept.pop((entry.index, said.entry_index), None)
            if row is None:
                yield entry.index, f"the audit no longer knows what it determines of entry {said.entry_index}."
            elif any(getattr(row, name) != getattr(said, name) for name in COMPARED):
                yield entry.index, f"the audit has it determine something else of entry {said.entry_index}."
    for index, of_round in kept:
        yield index, f"the audit has it determine something of entry {of_round}, and it does not."


# --- What the audit asks --------------------------------------------------------------------------------------------


def voided_among(log: str, indexes: Collection[int]) -> Mapping[int, VoidedBy]:
    """Of these rounds, those that something was determined about later. One query."""
    found: dict[int, VoidedBy] = {}
    rows = VoidedRound.objects.filter(log=log, entry_index__in=indexes).order_by("set_index")
    for row in rows:
        found[row.entry_index] = _joined(found.get(row.entry_index, VoidedBy(())), row)
    return found


def _joined(earlier: VoidedBy, row: VoidedRound) -> VoidedBy:
    """The first determination that a round is void gives the reason; what was handed back adds up."""
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
