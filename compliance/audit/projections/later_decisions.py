"""The projection of later decisions about rounds, which rounds.intake.round_records reads from their entries. Rounds of
another table that an entry names are ignored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict

import structlog

from compliance.audit.models import VoidedRound
from compliance.audit.projections.rounds import ROUND_KINDS as ROUNDS
from compliance.audit.projections.rounds import corrected_index, round_from_entry
from rounds.engine.settle import LaterDecisions
from rounds.intake.round_records import DECISION_KINDS, RoundDecision, merge_decisions, read_decision
from rounds.ledger import LogEntry, corrections_of, read_entries_at

logger = structlog.get_logger(__name__)

# --- The projection -------------------------------------------------------------------------------------------------


def decisions_of(
    entry: LogEntry, read_entries: Callable[[Collection[int]], Iterable[LogEntry]]
) -> dict[int, RoundDecision]:
    """What the entry decides, by the index of each round that it names."""
    content = entry.content()
    named = {each for each in content["rounds"] if isinstance(each, int)}
    rounds = {each.index: round_from_entry(each) for each in read_entries(named) if _is_round_at(each, entry.table)}
    if len(rounds) != len(content["rounds"]):
        logger.warning("determination_names_other_rounds", log=entry.log, index=entry.index, known=len(rounds))
    return {
        index: read_decision(entry, content, index, played)
        for index, played in sorted(rounds.items())
        if played is not None
    }


def decision_rows(entry: LogEntry) -> list[VoidedRound]:
    """One row per round that the entry decides about."""
    decided = decisions_of(entry, lambda indexes: read_entries_at(entry.log, indexes))
    return [VoidedRound(log=entry.log, entry_index=index, **asdict(decision)) for index, decision in decided.items()]


def _is_round_at(entry: LogEntry, table: str | None) -> bool:
    return entry.kind in ROUNDS and entry.table == table


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
    taken_back = corrections_of(log, [entry.index for entry in entries])
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


def decisions_on(log: str, indexes: Collection[int]) -> dict[int, list[RoundDecision]]:
    """The later decisions about these rounds, by entry index, each in log order. One query."""
    found: dict[int, list[RoundDecision]] = {}
    for row in VoidedRound.objects.filter(log=log, entry_index__in=indexes).order_by("set_index"):
        decision = RoundDecision(row.set_index, **{name: getattr(row, name) for name in COMPARED_FIELDS})
        found.setdefault(row.entry_index, []).append(decision)
    return found


def merged_decisions(found: Mapping[int, Sequence[RoundDecision]]) -> Mapping[int, LaterDecisions]:
    merged = {index: merge_decisions(decisions) for index, decisions in found.items()}
    return {index: decisions for index, decisions in merged.items() if decisions is not None}


def later_decisions_on(log: str, indexes: Collection[int]) -> Mapping[int, LaterDecisions]:
    return merged_decisions(decisions_on(log, indexes))
