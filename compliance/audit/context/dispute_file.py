"""DisputeFile: a dispute read from its ledger entries, so that planned steps can be checked like recorded ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from compliance.audit.context.entry_source import EntrySource, FileEntry
from compliance.audit.context.rules_in_force import VersionInForce
from compliance.audit.projections.rounds import round_from_entry
from compliance.disputes import entry_kinds
from compliance.disputes.entry_kinds import PROMOTION_PREFIX
from compliance.disputes.ladder.rungs import Ladder, ladder_of
from rounds.engine import RulesInForce, first_event_times
from rounds.engine.settle import RoundToSettle, compute_amount_owed
from rounds.intake.entry_kinds import ROUND
from rounds.intake.protocol.round import Wager
from rounds.ledger import LogEntry


@dataclass(frozen=True)
class DisputeStep(FileEntry):
    """One step of a dispute, from its entry."""

    @property
    def person(self) -> int:
        return int(self.content["by"]["id"])


@dataclass(frozen=True)
class DisputeFile:
    """A dispute: the entry that logged it, and its steps in log order."""

    source: EntrySource
    logged: LogEntry
    steps: Sequence[DisputeStep]

    @cached_property
    def content(self) -> Mapping[str, Any]:
        return self.logged.content()

    @property
    def reference(self) -> str:
        return str(self.content["dispute"])

    @property
    def subject_index(self) -> int:
        return int(self.content["subject"]["index"])

    @property
    def is_about_round(self) -> bool:
        return bool(self.content["subject"]["kind"] == ROUND)

    @cached_property
    def version(self) -> VersionInForce | None:
        """The rule version that governs the dispute."""
        named = self.content["rules"]
        if named is None:
            return None
        key = (named["rules"], named["number"])
        every = self.source.versions()
        return next((one for one in every if (one.governing.rules, one.governing.number) == key), None)

    @cached_property
    def ladder(self) -> Ladder:
        is_promotion = str(self.content["subject"]["kind"]).startswith(PROMOTION_PREFIX)
        return ladder_of(self.version.pack if self.version else None, is_promotion=is_promotion)

    def returned_cents(self) -> int:
        """What the table returned for the disputed wagers."""
        return sum(wager.returned or 0 for wager in self._wagers)

    def settlement_clause(self) -> str:
        """The clause that the settlement of the first disputed wager rests on; empty if there is none."""
        played, rules = self._round, self._rules if self._wagers else None
        if played is None or rules is None:
            return ""
        settled = RoundToSettle(round=played, rules_in_force=rules)
        for position in settled.positions:
            if position.wager.id == self._wagers[0].id:
                owed = compute_amount_owed(settled, position)
                steps = owed.settled.settlement.steps if owed.settled else ()
                return owed.clause or next((step.clause for step in steps if step.clause), "")
        return ""

    @cached_property
    def _subject(self) -> LogEntry | None:
        return next(iter(self.source.entries_at([self.subject_index])), None) if self.is_about_round else None

    @cached_property
    def _round(self) -> Any:
        return round_from_entry(self._subject) if self._subject else None

    @property
    def _wagers(self) -> list[Wager]:
        return [wager for wager in self._round.wagers if wager.id in self.content["wagers"]] if self._round else []

    @cached_property
    def _rules(self) -> RulesInForce | None:
        assert self._subject is not None
        events, table = first_event_times(self._round), self._subject.table or ""
        timeline = self.source.rules_timeline([table], min(events.values()), max(events.values()))
        rules = timeline.rules_for_round(table, events)
        return rules if isinstance(rules, RulesInForce) else None


def read_dispute(source: EntrySource, reference: str) -> DisputeFile | None:
    """The dispute with this reference, such as D-5; None if there is none."""
    entries = source.dispute_entries(reference)
    logged = next((entry for entry in entries if entry.kind == entry_kinds.LOGGED), None)
    if logged is None:
        return None
    return DisputeFile(source, logged, [DisputeStep(entry) for entry in entries if entry is not logged])
