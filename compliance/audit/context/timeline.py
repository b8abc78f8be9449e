"""EventContext: what a timeline check is given, that is an entry, the rules in force, and the history before it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from compliance.audit.catalogue.finding_code import FindingCode
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.round_context import NoRules
from compliance.audit.context.rules_in_force import VersionInForce
from compliance.core.accounts.models import Casino
from rounds.engine import Pack, RulesInForce
from rounds.intake.protocol.envelope import parse_line
from rounds.intake.protocol.manual_lines import read_manual_line
from rounds.ledger import LogEntry

if TYPE_CHECKING:
    from compliance.audit.context.entry_source import EntrySource

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class EventAt:
    """One entry other than a round. `at` is when it happened, by the clock of the controller or person who reported
    it; `source` is where the entry was read from."""

    at: datetime
    entry: LogEntry
    source: EntrySource

    @property
    def index(self) -> int:
        return self.entry.index

    @property
    def kind(self) -> str:
        return self.entry.kind

    @property
    def table(self) -> str:
        return self.entry.table or ""

    @property
    def server_time(self) -> datetime:
        return self.source.server_time(self.entry, self.at)

    @cached_property
    def body(self) -> Any:
        """The body as the struct of its kind, for lines of controllers and manual records of them; other entries as
        parsed JSON."""
        if self.entry.controller is not None:
            return parse_line(self.entry.body).body
        manual = read_manual_line(self.entry)
        return manual[1] if manual else self.entry.content()


@dataclass(frozen=True)
class LookBack:
    """Which entry kinds a check looks back at, how far, and whether at all tables of the casino."""

    entry_kinds: frozenset[str] = frozenset()
    duration: timedelta = timedelta(hours=36)
    is_casino_wide: bool = False


class EventSpan(NamedTuple):
    """The events of some kinds between two instants, both included; at some tables, or for None at all of them."""

    kinds: frozenset[str]
    tables: frozenset[str] | None
    first: datetime
    last: datetime

    def includes(self, event: EventAt) -> bool:
        return (
            event.kind in self.kinds
            and (self.tables is None or event.table in self.tables)
            and self.first <= event.at <= self.last
        )


@dataclass(frozen=True, eq=False)
class History:
    """The events before an instant, in order of time, limited to what the check's LookBack declares. Rounds and facts
    are read from `source`."""

    events: Sequence[EventAt]
    source: EntrySource

    def events_of_kind(self, *kinds: str) -> list[EventAt]:
        return [each for each in self.events if each.kind in kinds]

    def until(self, at: datetime) -> History:
        """The part of it up to an instant."""
        return History([each for each in self.events if each.at <= at], self.source)

    def last_of_kind(self, *kinds: str) -> EventAt | None:
        return next((each for each in reversed(self.events) if each.kind in kinds), None)

    def events_since_last(self, *kinds: str) -> list[EventAt]:
        """All events after the last of these kinds; all events where there is none."""
        last = self.last_of_kind(*kinds)
        return (
            list(self.events)
            if last is None
            else [each for each in self.events if event_order(each) > event_order(last)]
        )


@dataclass(frozen=True, eq=False)
class EventContext:
    """One entry to be checked. `rules_in_force` is None where it concerns no table or no rules were in force.

    `rules_before` is what was in force just before the entry. `versions` are the casino's rule versions in force, for
    duties that do not concern one table. `memo` is a cache shared by all entries of a range.
    """

    casino: Casino
    event: EventAt
    history: History
    rules_in_force: RulesInForce | None = None
    rules_before: RulesInForce | NoRules | None = None
    versions: tuple[VersionInForce, ...] = ()
    memo: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def source(self) -> EntrySource:
        return self.event.source

    @property
    def event_time(self) -> datetime:
        return self.event.at

    @property
    def table(self) -> str:
        return self.event.table

    @property
    def body(self) -> Any:
        return self.event.body

    @property
    def pack(self) -> Pack | None:
        return self.rules_in_force.pack if self.rules_in_force else None

    def cached_read(self, key: Hashable, read: Callable[[], T]) -> T:
        """Cached for all entries of the range."""
        if key not in self.memo:
            self.memo[key] = read()
        found: T = self.memo[key]
        return found

    def format_local_time(self, at: datetime) -> str:
        """An instant in the casino's time zone."""
        return f"{at.astimezone(self.casino.zone):%H:%M:%S %Z}"

    def draft(
        self,
        code: FindingCode,
        *,
        what: str = "",
        required: str = "",
        found: str = "",
        evidence: Iterable[EventAt | int] = (),
        version: VersionInForce | None = None,
        **rest: Any,
    ) -> FindingDraft:
        """A draft about this entry; `evidence` is what else it is based on."""
        version_ref = version.governing if version else self.rules_in_force.version if self.rules_in_force else None
        others = [each.index if isinstance(each, EventAt) else each for each in evidence]
        return FindingDraft(
            code=code.name,
            check=code.check_name,
            index=self.event.index,
            table=self.table,
            at=self.event_time,
            sentence=code.format_sentence(what=what, required=required, found=found),
            version=version_ref.id if version_ref else None,
            evidence=tuple(
                dict.fromkeys((self.event.index, *others, *((version_ref.entry_index,) if version_ref else ())))
            ),
            **rest,
        )


def event_order(event: EventAt) -> tuple[datetime, int]:
    return event.at, event.index


@dataclass(eq=False)
class HistoryReader:
    """All events that the checks of one range look back at, read in two queries; `history_before` cuts out each check's
    part."""

    source: EntrySource
    # By table; None holds the events of all tables and of none.
    by_table: Mapping[str | None, Sequence[EventAt]] = field(default_factory=dict)

    def history_before(self, look_back: LookBack, table: str, at: datetime, index: int | None = None) -> History:
        """The events up to `at`. Of those at the same instant, only entries before `index`."""
        rows = self.by_table.get(None if look_back.is_casino_wide else table, ())
        start = bisect_left(rows, at - look_back.duration, key=lambda each: each.at)
        end = (
            bisect_right(rows, at, key=lambda each: each.at)
            if index is None
            else bisect_left(rows, (at, index), key=event_order)
        )
        return History([each for each in rows[start:end] if each.kind in look_back.entry_kinds], self.source)


def read_histories(source: EntrySource, requests: Iterable[tuple[LookBack, str, datetime]]) -> HistoryReader:
    """Reads the events for checks that will look back from these instants at these tables."""
    spans = list(_spans(requests))
    by_table: dict[str | None, list[EventAt]] = {}
    for event in source.events(spans) if spans else ():
        by_table.setdefault(None, []).append(event)
        by_table.setdefault(event.table, []).append(event)
    return HistoryReader(source, by_table)


def _spans(requests: Iterable[tuple[LookBack, str, datetime]]) -> Iterator[EventSpan]:
    grouped: dict[LookBack, list[tuple[str, datetime]]] = {}
    for look_back, table, at in requests:
        if look_back.entry_kinds:
            grouped.setdefault(look_back, []).append((table, at))
    for look_back, places in grouped.items():
        instants = [at for _, at in places]
        tables = None if look_back.is_casino_wide else frozenset(table for table, _ in places)
        yield EventSpan(look_back.entry_kinds, tables, min(instants) - look_back.duration, max(instants))
