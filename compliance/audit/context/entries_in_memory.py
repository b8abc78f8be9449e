"""EntriesInMemory: entries that are not stored, in front of another EntrySource.

Used to evaluate entries before they are recorded, with provisional indexes, and to evaluate cases without a database.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cached_property

import msgspec

from compliance.audit.context.entry_source import EntrySource, PlacedStreak, RoundSummary, TerminalOnRecord
from compliance.audit.context.promotion_file import PROMOTION_KINDS
from compliance.audit.context.rules_in_force import (
    GAMING_DAY,
    REQUIRED_FACTS,
    RulesTimeline,
    VersionInForce,
    approved_by_entry,
    facts_of_entry,
    latest_facts,
)
from compliance.audit.context.timeline import EventAt, EventSpan, event_order
from compliance.audit.projections.later_decisions import decisions_of
from compliance.audit.projections.rounds import opened_streaks, rounds_from_entries
from compliance.audit.projections.timeline_events import event_time_of, is_timeline_event
from compliance.disputes.entry_kinds import LOGGED, STEPS
from compliance.notify.alerts import entry_kinds as alert_kinds
from compliance.notify.alerts.entry_kinds import RAISED
from compliance.notify.alerts.selectors import Notification
from promotions.claims.entry_kinds import CLAIM
from promotions.terms.entry_kinds import PRESCRIBED, UNPRESCRIBED
from promotions.terms.models import PrescribedItem
from rounds.engine.settle import INVALIDATED
from rounds.floor.entry_kinds import TABLE_FACTS, TERMINAL_ADDED, TERMINAL_RETIRED
from rounds.floor.models import Fact
from rounds.floor.selectors import FactsAt
from rounds.intake.columns import round_encoding
from rounds.intake.columns.packed_rows import pack_rounds
from rounds.intake.consumer import FACT_PARSERS
from rounds.intake.entry_kinds import CONTROLLER_CORRECTION, DISPUTE_PAID
from rounds.intake.round_records import DECISION_KINDS, DisputePayment, RoundDecision, read_payment
from rounds.ledger import LogEntry
from rounds.ledger import entry_kinds as ledger_kinds
from rounds.rulebook.entry_kinds import APPROVED

ONE_MICROSECOND = timedelta(microseconds=1)
DISPUTE_KINDS = frozenset({LOGGED, *STEPS})


class EntriesInMemory:
    """These entries, in log order, and behind them those of `base`. A correction among them takes back entries of
    either."""

    def __init__(self, base: EntrySource, entries: Iterable[LogEntry]) -> None:
        self.base, self.casino = base, base.casino
        self._by_index = {entry.index: entry for entry in entries}

    # --- Entries ----------------------------------------------------------------------------------------------------

    def entries_at(self, indexes: Collection[int]) -> list[LogEntry]:
        own = [self._by_index[index] for index in indexes if index in self._by_index]
        stored = self.base.entries_at([index for index in indexes if index not in self._by_index])
        return sorted([*stored, *own], key=lambda entry: entry.index)

    def line_index(self, table: str, controller: str, sequence: int) -> int | None:
        line = (table, controller, sequence)
        own = (each.index for each in self._by_index.values() if (each.table, each.controller, each.sequence) == line)
        return next(own, None) or self.base.line_index(*line)

    @cached_property
    def taken_back(self) -> frozenset[int]:
        """The indexes of all entries that a correction among these takes back."""
        found = (self._corrected_index(entry) for entry in self._by_index.values())
        return frozenset(index for index in found if index is not None)

    def _corrected_index(self, entry: LogEntry) -> int | None:
        if entry.kind == ledger_kinds.CORRECTION:
            return int(entry.content()["corrects"])
        if entry.kind == CONTROLLER_CORRECTION:
            return self.line_index(entry.table or "", entry.controller or "", entry.line_body()["corrects"])
        return None

    @cached_property
    def valid_entries(self) -> Sequence[LogEntry]:
        """The entries in memory that were not taken back."""
        return [entry for index, entry in sorted(self._by_index.items()) if index not in self.taken_back]

    # --- Events -----------------------------------------------------------------------------------------------------

    @cached_property
    def own_events(self) -> Sequence[EventAt]:
        """The events in memory, in order of time."""
        events = (
            EventAt(event_time_of(entry), entry, self) for entry in self.valid_entries if is_timeline_event(entry)
        )
        return sorted(events, key=event_order)

    def events(self, spans: Sequence[EventSpan]) -> list[EventAt]:
        stored = (
            EventAt(each.at, each.entry, self) for each in self.base.events(spans) if each.index not in self.taken_back
        )
        own = (each for each in self.own_events if any(span.includes(each) for span in spans))
        return sorted([*stored, *own], key=event_order)

    def server_time(self, entry: LogEntry, at: datetime) -> datetime:
        return at if entry.index in self._by_index else self.base.server_time(entry, at)

    # --- Rounds -----------------------------------------------------------------------------------------------------

    @cached_property
    def _rounds(self) -> Sequence[RoundSummary]:
        rounds = rounds_from_entries(self.valid_entries)
        packed = pack_rounds(self.casino.slug, [(entry.table or "", played) for entry, played in rounds])
        return [
            RoundSummary(
                index=entry.index,
                table=entry.table or "",
                round=played.round,
                gaming_day=played.gaming_day,
                started_at=round_encoding.from_microseconds(started),
                ended_at=round_encoding.from_microseconds(ended),
                outcome_index=round_encoding.encode_outcome(played),
                is_void=played.no_result is not None,
                have_lights_failed=round_encoding.have_lights_failed(played),
                was_invalidated=self._was_invalidated(entry.index),
                tumbles=round_encoding.tumble_count(played),
                is_plain=round_encoding.is_fully_encoded_round(played),
                events=round_encoding.encode_events(played),
            )
            for (entry, played), started, ended in zip(rounds, packed.started, packed.ended, strict=True)
        ]

    def _was_invalidated(self, index: int, *, by_stored: bool = False) -> bool:
        """`by_stored`: stored entries say so. They are read again only where a correction may have taken one back."""
        if by_stored and not self.taken_back:
            return True
        decisions = self.decisions_on([index]) if by_stored else self._own_decisions
        return any(decision.reason == INVALIDATED for decision in decisions.get(index, ()))

    def rounds(
        self,
        tables: Collection[str],
        *,
        days: tuple[date, date] | None = None,
        started: tuple[datetime | None, datetime | None] = (None, None),
        name: str | None = None,
        indexes: Collection[int] | None = None,
    ) -> list[RoundSummary]:
        first, last = started
        own = [
            each
            for each in self._rounds
            if each.table in tables
            and (days is None or days[0] <= each.gaming_day <= days[1])
            and (first is None or first <= each.started_at)
            and (last is None or each.started_at <= last)
            and name in (None, each.round)
            and (indexes is None or each.index in indexes)
        ]
        stored = (
            replace(each, was_invalidated=self._was_invalidated(each.index, by_stored=each.was_invalidated))
            for each in self.base.rounds(tables, days=days, started=started, name=name, indexes=indexes)
            if each.index not in self.taken_back
        )
        return sorted([*stored, *own], key=lambda each: (each.started_at, each.index))

    def last_round(self, table: str, before: datetime) -> RoundSummary | None:
        own = [each for each in self._rounds if each.table == table and each.started_at < before]
        stored = self.base.last_round(table, before)
        while stored is not None and stored.index in self.taken_back:
            stored = self.base.last_round(table, stored.started_at)
        rounds = [*own, stored] if stored else own
        return max(rounds, key=lambda each: (each.started_at, each.index), default=None)

    def placed_streaks(
        self,
        tables: Collection[str],
        *,
        wagers: Collection[str] | None = None,
        indexes: Collection[int] | None = None,
        started: tuple[datetime, datetime] | None = None,
    ) -> list[PlacedStreak]:
        if started is not None:
            first, last = started
            in_time = {each.index for each in self._rounds if first <= each.started_at <= last}
        own = [
            PlacedStreak(row.entry_index, row.table, row.wager, row.gaming_day)
            for entry, played in rounds_from_entries(self.valid_entries)
            for row in opened_streaks(entry.log, entry.index, entry.table or "", played)
            if row.table in tables
            and (wagers is None or row.wager in wagers)
            and (indexes is None or row.entry_index in indexes)
            and (started is None or row.entry_index in in_time)
        ]
        stored = self.base.placed_streaks(tables, wagers=wagers, indexes=indexes)
        return [*(each for each in stored if each.index not in self.taken_back), *own]

    # --- What people decided about rounds ---------------------------------------------------------------------------

    @cached_property
    def _own_decisions(self) -> Mapping[int, Sequence[RoundDecision]]:
        found: dict[int, list[RoundDecision]] = defaultdict(list)
        for entry in self.valid_entries:
            if entry.kind in DECISION_KINDS:
                for index, decision in decisions_of(entry, self.entries_at).items():
                    found[index].append(decision)
        return found

    def decisions_on(self, indexes: Collection[int]) -> dict[int, Sequence[RoundDecision]]:
        stored = {
            index: [each for each in decisions if each.set_index not in self.taken_back]
            for index, decisions in self.base.decisions_on(indexes).items()
        }
        return {index: [*stored.get(index, ()), *self._own_decisions.get(index, ())] for index in indexes}

    def payments_on(self, indexes: Collection[int]) -> dict[int, Sequence[DisputePayment]]:
        stored = self.base.payments_on(indexes).items()
        found = {index: [each for each in paid if each.entry_index not in self.taken_back] for index, paid in stored}
        for entry in self.valid_entries:
            content = entry.content() if entry.kind == DISPUTE_PAID else {}
            if content.get("corrects") in indexes:
                found.setdefault(content["corrects"], []).append(read_payment(entry.index, content))
        return dict(found)

    def dispute_entries(self, reference: str) -> list[LogEntry]:
        own = (entry for entry in self._entries_of(*DISPUTE_KINDS) if entry.content()["dispute"] == reference)
        return [*self._not_taken_back(self.base.dispute_entries(reference)), *own]

    # --- Promotions -------------------------------------------------------------------------------------------------

    def promotion_entries(self, number: int) -> list[LogEntry]:
        own = (entry for entry in self._entries_of(*PROMOTION_KINDS) if self._promotion_of(entry) == number)
        return [*self._not_taken_back(self.base.promotion_entries(number)), *own]

    def _promotion_of(self, entry: LogEntry) -> int | None:
        content = entry.content()
        return content["promotion"] if "promotion" in content else self.promotion_of_claim(content["claim"])

    def promotion_of_claim(self, number: int) -> int | None:
        claims = (entry.content() for entry in self._entries_of(CLAIM))
        own = (content["promotion"] for content in claims if content["claim"] == number)
        return next(own, None) or self.base.promotion_of_claim(number)

    def prescribed_items_at(self, at: datetime) -> list[PrescribedItem]:
        """A prize names an item that is not stored by its entry's index."""
        changes = [each for each in self._entries_of(PRESCRIBED, UNPRESCRIBED) if each.recorded_at <= at]
        removed = {each.content()["listed_by_entry"] for each in changes if each.kind == UNPRESCRIBED}
        own = (
            PrescribedItem(pk=each.index, item=each.content()["item"], entry_index=each.index)
            for each in changes
            if each.kind == PRESCRIBED
        )
        return [each for each in (*self.base.prescribed_items_at(at), *own) if each.entry_index not in removed]

    # --- Facts and rules --------------------------------------------------------------------------------------------

    @cached_property
    def _own_facts(self) -> Sequence[Fact]:
        stated = (entry for entry in self.valid_entries if entry.kind == TABLE_FACTS or entry.kind in FACT_PARSERS)
        return [fact for entry in stated for fact in facts_of_entry(entry)]

    def facts(self, tables: Collection[str], first: datetime, last: datetime) -> list[Fact]:
        own = [
            fact
            for fact in self._own_facts
            if fact.table is not None
            and fact.table.slug in tables
            and fact.name in REQUIRED_FACTS
            and fact.effective_at <= last
        ]
        return [*self._stored_facts(lambda since: self.base.facts(tables, since, last), first), *own]

    def _stored_facts(self, read: Callable[[datetime], Iterable[Fact]], since: datetime) -> list[Fact]:
        """Those that were not taken back. Each that was hid an earlier fact, so they are read again from before it."""
        stored = list(read(since))
        while hiding := [fact for fact in stored if fact.effective_at <= since and self._is_taken_back(fact)]:
            since = min(fact.effective_at for fact in hiding) - ONE_MICROSECOND
            stored += read(since)
        return [fact for fact in {fact.pk: fact for fact in stored}.values() if not self._is_taken_back(fact)]

    def _is_taken_back(self, fact: Fact) -> bool:
        return fact.entry_index in self.taken_back

    def casino_facts_at(self, at: datetime) -> FactsAt:
        own = [fact for fact in self._own_facts if fact.table is None and fact.effective_at <= at]
        stored = self._stored_facts(lambda since: self.base.casino_facts_at(since).rows.values(), at)
        return FactsAt(at, latest_facts([*stored, *own]))

    def gaming_day_facts(self) -> list[Fact]:
        own = (each for each in self._own_facts if each.table is None and each.name == GAMING_DAY)
        stored = (each for each in self.base.gaming_day_facts() if each.entry_index not in self.taken_back)
        return sorted([*stored, *own], key=lambda each: (each.effective_at, each.recorded_at, each.pk))

    def terminals(self, tables: Collection[str]) -> list[TerminalOnRecord]:
        """A fact about a terminal counts as well: without the terminal it could not have been stated."""
        added, retired = self._entries_of(TERMINAL_ADDED), self._entries_of(TERMINAL_RETIRED)
        named = [(each.table or "", each.content()["terminal"], each.index) for each in added]
        facts = ((each.table, each.terminal, each.entry_index or 0) for each in self._own_facts)
        named += [(table.slug, terminal.slug, index) for table, terminal, index in facts if table and terminal]
        retired_at = {(each.table, each.content()["terminal"]): each.recorded_at for each in retired}
        known = [*self.base.terminals(tables), *(TerminalOnRecord(*each) for each in named if each[0] in tables)]
        return [replace(each, retired_at=retired_at.get((each.table, each.slug), each.retired_at)) for each in known]

    @cached_property
    def _own_versions(self) -> Sequence[VersionInForce]:
        """The versions that entries in memory approve, unless `base` has them already; what was proposed is stored."""
        known = {(each.governing.rules, each.governing.number) for each in self.base.versions()}
        approvals = [entry for entry in self._entries_of(APPROVED) if _version_named_in(entry) not in known]
        found = (approved_by_entry(self.casino, entry) for entry in approvals)
        return [version for version in found if version is not None]

    def versions(self) -> Sequence[VersionInForce]:
        return [*self.base.versions(), *self._own_versions]

    def rules_timeline(self, tables: Collection[str], first: datetime, last: datetime) -> RulesTimeline:
        return RulesTimeline(self.facts(tables, first, last), self.versions())

    # --- Alerts -----------------------------------------------------------------------------------------------------

    def notification_of(self, index: int) -> Notification:
        """As alerts.selectors.notification_of_entry, from the entries of the alerts and their steps."""
        alerts = {*self._steps_by_alert, *(each.index for each in self._entries_of(RAISED))}
        about = [
            self._notification_by(alert)
            for alert in (self.entries_at(alerts) if alerts else ())
            if (alert.content().get("about") or {}).get("index") == index
        ]
        if index not in self._by_index:
            about.append(self.base.notification_of(index))
        known = [each.told_at for each in about if each.told_at is not None]
        open_since = min((each.open_since for each in about if each.open_since), default=None)
        return Notification(min(known)) if known else Notification(open_since=open_since)

    @cached_property
    def _steps_by_alert(self) -> Mapping[int, Sequence[LogEntry]]:
        """The steps in memory, by the entry of their alert."""
        found: dict[int, list[LogEntry]] = defaultdict(list)
        for each in self._entries_of(*alert_kinds.KIND_BY_STEP.values()):
            found[each.content()["alert"]].append(each)
        return found

    def _notification_by(self, alert: LogEntry) -> Notification:
        content, steps = alert.content(), self._steps_by_alert.get(alert.index, ())
        told = [
            msgspec.convert(each.content()["at"], datetime)
            for each in steps
            if each.kind == alert_kinds.ACKNOWLEDGED
            or (each.kind == alert_kinds.SENT and set(each.content()["roles"]) & set(content["to"]))
        ]
        is_escalated = any(each.kind == alert_kinds.ESCALATED for each in steps)
        raised_at = msgspec.convert(content["at"], datetime)
        is_open = alert.index in self._by_index and not is_escalated
        return Notification(min(told, default=None), raised_at if is_open else None)

    def _not_taken_back(self, stored: Iterable[LogEntry]) -> list[LogEntry]:
        return [entry for entry in stored if entry.index not in self.taken_back]

    def _entries_of(self, *kinds: str) -> list[LogEntry]:
        return [entry for entry in self.valid_entries if entry.kind in kinds]

    def has_raised_alerts_of(self, index: int) -> bool:
        return self.base.has_raised_alerts_of(index)


def _version_named_in(entry: LogEntry) -> tuple[str, int]:
    content = entry.content()
    return content["rules"], content["number"]
