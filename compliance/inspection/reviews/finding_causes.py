"""Possible common causes of findings: the bet paid wrongly, the dealer, the controller."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from compliance.audit.models import Finding
from compliance.audit.projections.rounds import ROUND_KINDS, round_from_entry
from rounds.intake.protocol.round import Round
from rounds.ledger import LogEntry, read_entries_at

# The person who paid comes first; otherwise the one who called or entered the result.
DEALER_EVENTS = ("winners-paid", "losers-collected", "result-called", "result-entered")


@dataclass(frozen=True)
class Cause:
    bet: str = ""
    dealer: str = ""
    controller: str = ""


def causes_of(log: str, findings: Iterable[Finding]) -> Mapping[int, Cause]:
    """By the entry index of the finding. One query."""
    finding_list = list(findings)
    entries = {entry.index: entry for entry in read_entries_at(log, {one.subject_index for one in finding_list})}
    rounds = {index: round_from_entry(entry) for index, entry in entries.items() if entry.kind in ROUND_KINDS}
    return {
        one.entry_index: _build_cause(one, entries.get(one.subject_index), rounds.get(one.subject_index))
        for one in finding_list
    }


def _build_cause(finding: Finding, entry: LogEntry | None, played: Round | None) -> Cause:
    controller = (entry.controller if entry else None) or ""
    if played is None:
        return Cause(controller=controller)
    bet = next((wager.bet for wager in played.wagers if wager.id == finding.wager), "")
    return Cause(bet, dealer_of(played), controller)


def dealer_of(played: Round) -> str:
    """Position and staff number; empty if the table does not report them."""
    by = {event.name: event.by for event in played.events if event.by is not None}
    staff = next((by[name] for name in DEALER_EVENTS if name in by), None)
    if staff is None:
        return ""
    return f"{staff.position} {staff.number}" if staff.number else str(staff.position)
