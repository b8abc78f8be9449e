"""EntrySource: everything that checks read about a casino, so that they can run on entries that are not stored.

stored_entries.py reads the database; entries_in_memory.py holds additional entries in front of another source.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any, Protocol

import msgspec

from compliance.audit.context.rules_in_force import RulesTimeline, VersionInForce
from compliance.audit.context.timeline import EventAt, EventSpan
from compliance.core.accounts.models import Casino
from compliance.notify.alerts.selectors import Notification
from promotions.terms.models import PrescribedItem
from rounds.engine import OUTCOMES, Outcome
from rounds.floor.models import Fact
from rounds.floor.selectors import FactsAt
from rounds.intake.round_records import DisputePayment, RoundDecision
from rounds.ledger import LogEntry


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """A round without its wagers. `outcome_index` is its place in the engine's outcomes, -1 where it has none.
    `is_plain`: its columns say everything about its conduct."""

    index: int
    table: str
    round: str
    gaming_day: date
    started_at: datetime
    ended_at: datetime
    outcome_index: int
    is_void: bool
    have_lights_failed: bool
    was_invalidated: bool
    tumbles: int | None
    is_plain: bool
    # As in the columns: times of events, and figures.
    events: bytes

    @property
    def outcome(self) -> Outcome | None:
        """None where the round has no result. Later decisions do not change it."""
        return None if self.is_void or self.outcome_index < 0 else OUTCOMES[self.outcome_index]


@dataclass(frozen=True, slots=True)
class PlacedStreak:
    """Where a Super Streak wager was placed."""

    index: int
    table: str
    wager: str
    gaming_day: date


@dataclass(frozen=True, slots=True)
class TerminalOnRecord:
    """A terminal, the table that it belongs to, the entry that added it, and when it was retired."""

    table: str
    slug: str
    added_index: int
    retired_at: datetime | None = None


@dataclass(frozen=True)
class FileEntry:
    """One entry of a dispute or promotion."""

    entry: LogEntry

    @cached_property
    def content(self) -> Mapping[str, Any]:
        return self.entry.content()

    @property
    def kind(self) -> str:
        return self.entry.kind

    @property
    def index(self) -> int:
        return self.entry.index

    def instant(self, member: str) -> datetime | None:
        value = self.content.get(member)
        return msgspec.convert(value, datetime) if value else None

    def required_instant(self, member: str) -> datetime:
        """An instant that every entry of the kind states."""
        return msgspec.convert(self.content[member], datetime)


class EntrySource(Protocol):
    """What checks read. Entries, rounds and facts that were taken back are left out everywhere."""

    @property
    def casino(self) -> Casino: ...

    def entries_at(self, indexes: Collection[int]) -> Sequence[LogEntry]:
        """The entries at these indexes, in order."""

    def line_index(self, table: str, controller: str, sequence: int) -> int | None:
        """The entry of a controller's line."""

    def events(self, spans: Sequence[EventSpan]) -> Sequence[EventAt]:
        """The events in any of these spans, in order of time, then of the log."""

    def rounds(
        self,
        tables: Collection[str],
        *,
        days: tuple[date, date] | None = None,
        started: tuple[datetime | None, datetime | None] = (None, None),
        name: str | None = None,
        indexes: Collection[int] | None = None,
    ) -> Sequence[RoundSummary]:
        """The rounds of these tables in order of play: of these gaming days, started between these instants, with this
        name, at these indexes. All bounds are included."""

    def last_round(self, table: str, before: datetime) -> RoundSummary | None:
        """The last round of a table that started before an instant."""

    def placed_streaks(
        self,
        tables: Collection[str],
        *,
        wagers: Collection[str] | None = None,
        indexes: Collection[int] | None = None,
        started: tuple[datetime, datetime] | None = None,
    ) -> Sequence[PlacedStreak]:
        """Streak wagers placed at these tables: those with these ids, in the rounds at these indexes, or in rounds that
        started between these instants."""

    def decisions_on(self, indexes: Collection[int]) -> Mapping[int, Sequence[RoundDecision]]:
        """Later decisions about these rounds, in log order."""

    def payments_on(self, indexes: Collection[int]) -> Mapping[int, Sequence[DisputePayment]]:
        """Payments after disputes about these rounds."""

    def dispute_entries(self, reference: str) -> Sequence[LogEntry]:
        """The entry that logged a dispute and those of its steps, in log order."""

    def promotion_entries(self, number: int) -> Sequence[LogEntry]:
        """All entries of a promotion, in log order: terms, material, draws, winners, claims and what followed them."""

    def promotion_of_claim(self, number: int) -> int | None:
        """The number of the promotion to which a claim belongs."""

    def prescribed_items_at(self, at: datetime) -> Sequence[PrescribedItem]:
        """Items that were on the Authority's list of prohibited prizes."""

    def facts(self, tables: Collection[str], first: datetime, last: datetime) -> Sequence[Fact]:
        """Facts in force at these tables at any time between two instants, both included."""

    def casino_facts_at(self, at: datetime) -> FactsAt:
        """Facts of the casino itself."""

    def gaming_day_facts(self) -> Sequence[Fact]:
        """The casino's facts about when a gaming day begins, in the order in which they took effect."""

    def terminals(self, tables: Collection[str]) -> Sequence[TerminalOnRecord]:
        """The terminals that these tables have or had."""

    def versions(self) -> Sequence[VersionInForce]:
        """All approved rule versions."""

    def rules_timeline(self, tables: Collection[str], first: datetime, last: datetime) -> RulesTimeline:
        """Rules in force at these tables between two instants, both included."""

    def server_time(self, entry: LogEntry, at: datetime) -> datetime:
        """A time of the entry's source, by the server's clock."""

    def notification_of(self, index: int) -> Notification:
        """When somebody was notified of the entry by an alert."""

    def has_raised_alerts_of(self, index: int) -> bool:
        """Whether alerts about the entry would have been raised by now."""


@dataclass(frozen=True)
class NoEntries:
    """An EntrySource without entries, under these rule versions."""

    casino: Casino
    rule_versions: Sequence[VersionInForce] = ()

    def entries_at(self, indexes: Collection[int]) -> Sequence[LogEntry]:
        return ()

    def line_index(self, table: str, controller: str, sequence: int) -> int | None:
        return None

    def events(self, spans: Sequence[EventSpan]) -> Sequence[EventAt]:
        return ()

    def rounds(
        self,
        tables: Collection[str],
        *,
        days: tuple[date, date] | None = None,
        started: tuple[datetime | None, datetime | None] = (None, None),
        name: str | None = None,
        indexes: Collection[int] | None = None,
    ) -> Sequence[RoundSummary]:
        return ()

    def last_round(self, table: str, before: datetime) -> RoundSummary | None:
        return None

    def placed_streaks(
        self,
        tables: Collection[str],
        *,
        wagers: Collection[str] | None = None,
        indexes: Collection[int] | None = None,
        started: tuple[datetime, datetime] | None = None,
    ) -> Sequence[PlacedStreak]:
        return ()

    def decisions_on(self, indexes: Collection[int]) -> Mapping[int, Sequence[RoundDecision]]:
        return {}

    def payments_on(self, indexes: Collection[int]) -> Mapping[int, Sequence[DisputePayment]]:
        return {}

    def dispute_entries(self, reference: str) -> Sequence[LogEntry]:
        return ()

    def promotion_entries(self, number: int) -> Sequence[LogEntry]:
        return ()

    def promotion_of_claim(self, number: int) -> int | None:
        return None

    def prescribed_items_at(self, at: datetime) -> Sequence[PrescribedItem]:
        return ()

    def facts(self, tables: Collection[str], first: datetime, last: datetime) -> Sequence[Fact]:
        return ()

    def casino_facts_at(self, at: datetime) -> FactsAt:
        return FactsAt(at, ())

    def gaming_day_facts(self) -> Sequence[Fact]:
        return ()

    def terminals(self, tables: Collection[str]) -> Sequence[TerminalOnRecord]:
        return ()

    def versions(self) -> Sequence[VersionInForce]:
        return self.rule_versions

    def rules_timeline(self, tables: Collection[str], first: datetime, last: datetime) -> RulesTimeline:
        return RulesTimeline((), self.rule_versions)

    def server_time(self, entry: LogEntry, at: datetime) -> datetime:
        return at

    def notification_of(self, index: int) -> Notification:
        return Notification()

    def has_raised_alerts_of(self, index: int) -> bool:
        return True
