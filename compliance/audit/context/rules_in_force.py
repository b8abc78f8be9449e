"""RulesTimeline: the rules and table facts in force at each table and time, loaded in a fixed number of queries."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from compliance.audit.context.round_context import NoRules
from compliance.core.accounts.models import Casino
from rounds.engine import Pack, RulesInForce
from rounds.engine.settle import RuleVersionRef
from rounds.floor import fact_values
from rounds.floor.entry_kinds import TABLE_FACTS
from rounds.floor.fact_catalogue import NAME_BY_VALUE_TYPE
from rounds.floor.facts.fact_history import FactRecord, fact_records_between
from rounds.floor.facts.rules_in_force import build_rules_in_force, version_ref
from rounds.floor.models import Fact, Table, Terminal
from rounds.floor.selectors import FactsAt
from rounds.intake.columns.round_encoding import Instants, to_microseconds
from rounds.intake.consumer import parse_facts
from rounds.ledger import LogEntry
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import load_frozen_pack

Indexes: TypeAlias = NDArray[np.int64]

# Added to the index of an entry to give its facts a key after all stored ones.
PROVISIONAL_KEY = 1 << 60
GAMING_DAY = NAME_BY_VALUE_TYPE[fact_values.GamingDayValue]
REQUIRED_FACTS = tuple(
    NAME_BY_VALUE_TYPE[kind]
    for kind in (
        fact_values.TableRulesValue,
        fact_values.PayTableValue,
        fact_values.WagersOfferedValue,
        fact_values.PostedOddsValue,
        fact_values.LimitsValue,
        fact_values.SmallestChipValue,
        fact_values.StreakAmountValue,
        fact_values.EquipmentValue,
        fact_values.TerminalLayoutValue,
    )
)


@dataclass(frozen=True)
class VersionInForce:
    """A rule version with its period. In force from `from_at`; None means always, for a draft applied to history."""

    governing: RuleVersionRef
    pack: Pack
    readings: Mapping[str, str]
    from_at: datetime | None


def version_in_force_from(version: RuleVersion, *, is_always: bool = False) -> VersionInForce:
    return _version_key(version, is_always=is_always).to_version_in_force()


def approved_by_entry(casino: Casino, entry: LogEntry) -> VersionInForce | None:
    """The version that a `rule-version-approved` entry approves, as if it were approved already."""
    content = entry.content()
    version = RuleVersion.objects.filter(
        casino=casino, rules=content["rules"], number=content["number"], withdrawn_at=None
    ).first()
    if version is None:
        return None
    version.effective_at = msgspec.convert(content["effective_at"], datetime)
    version.approved_index = entry.index
    return version_in_force_from(version)


class RulesTimeline:
    """Which rules governed each table at each time. Computed once per period in which nothing changes."""

    def __init__(self, facts: Iterable[Fact], versions: Iterable[VersionInForce]) -> None:
        self._versions: dict[str, list[VersionInForce]] = {}
        for version in versions:
            self._versions.setdefault(version.governing.rules, []).append(version)
        self._facts: dict[str, list[Fact]] = {}
        for fact in facts:
            self._facts.setdefault(fact.table.slug if fact.table else "", []).append(fact)
        changes = [version.from_at for each in self._versions.values() for version in each if version.from_at]
        self._changes = {
            table: sorted({*changes, *(fact.effective_at for fact in rows)}) for table, rows in self._facts.items()
        }
        self._changes_at: dict[str, Instants] = {}
        self._known: dict[tuple[str, int], RulesInForce | NoRules] = {}

    def rules_at(self, table: str, instant: datetime) -> RulesInForce | NoRules:
        place = (table, bisect_right(self._changes.get(table, ()), instant))
        if place not in self._known:
            self._known[place] = self._build_rules(table, instant)
        return self._known[place]

    def period_indexes(self, table: str, instants: Instants) -> Indexes:
        """For each instant, in microseconds: the index of the period in which nothing changes at the table."""
        if table not in self._changes_at:
            changes = [to_microseconds(change) for change in self._changes.get(table, ())]
            self._changes_at[table] = np.array(changes, np.int64)
        return np.searchsorted(self._changes_at[table], instants, side="right")

    def versions_at(self, instant: datetime) -> tuple[VersionInForce, ...]:
        """The versions in force at the casino, one per rule set."""
        found = (self._version_at(rules, instant) for rules in sorted(self._versions))
        return tuple(version for version in found if version is not None)

    def rules_for_round(self, table: str, events: Mapping[str, datetime]) -> RulesInForce | NoRules:
        """The rules at the round's commencement. The rules in force at its first event say which event that is."""
        first = self.rules_at(table, min(events.values()))
        return first if isinstance(first, NoRules) else self.rules_at(table, first.commenced_at(events))

    def _build_rules(self, table: str, instant: datetime) -> RulesInForce | NoRules:
        rows = [fact for fact in self._facts.get(table, ()) if fact.effective_at <= instant]
        own = FactsAt(instant, latest_facts(fact for fact in rows if fact.terminal is None))
        played = own.get(fact_values.TableRulesValue)
        if played is None:
            return NoRules("no rules are on record for its table")
        version = self._version_at(played.rules, instant)
        if version is None:
            return NoRules(f"no approved version of {played.rules} was in force")
        terminals: dict[str, list[Fact]] = {}
        for fact in rows:
            if fact.terminal is not None:
                terminals.setdefault(fact.terminal.slug, []).append(fact)
        by_terminal = {slug: FactsAt(instant, latest_facts(facts)) for slug, facts in terminals.items()}
        return build_rules_in_force(version.governing, version.pack, version.readings, own, by_terminal)

    def _version_at(self, rules: str, instant: datetime) -> VersionInForce | None:
        known = self._versions.get(rules, ())
        begun = [version for version in known if version.from_at is None or version.from_at <= instant]
        return max(begun, key=lambda version: (version.from_at is None, version.from_at or instant), default=None)


def latest_facts(facts: Iterable[Fact]) -> Iterable[Fact]:
    """The latest fact of each name. Of several at one instant, the last recorded."""
    ordered = sorted(facts, key=lambda fact: (fact.effective_at, fact.recorded_at, fact.pk))
    return {fact.name: fact for fact in ordered}.values()


def facts_of_entry(entry: LogEntry) -> list[Fact]:
    """The facts that an entry states, unsaved."""
    if entry.kind == TABLE_FACTS:
        content = entry.content()
        table, terminal, name, value = (content[member] for member in ("table", "terminal", "name", "value"))
        stated = [(name, value, msgspec.convert(content["effective_at"], datetime))]
    else:
        table, terminal, stated = entry.table, None, parse_facts(entry)
    return [
        Fact(
            pk=PROVISIONAL_KEY + entry.index,
            table=Table(slug=table) if table else None,
            terminal=Terminal(slug=terminal) if terminal else None,
            name=name,
            value=json.loads(json.dumps(value)),
            effective_at=effective_at,
            recorded_at=entry.recorded_at,
            entry_index=entry.index,
        )
        for name, value, effective_at in stated
    ]


def facts_between(casino: Casino, tables: Iterable[str], first: datetime, last: datetime) -> list[Fact]:
    """All facts that held at these tables at any time between two instants, both included. One query."""
    return [held.to_model() for held in fact_records_between(casino.pk, list(tables), REQUIRED_FACTS, first, last)]


def load_rules_timeline(
    casino: Casino, tables: Iterable[str], first: datetime, last: datetime, rules_override: RuleVersion | None = None
) -> RulesTimeline:
    """For rounds of these tables that began between two instants, both included. Two queries.

    `rules_override` is a version applied to history: it governs all rounds of its rule set.
    """
    facts = fact_records_between(casino.pk, list(tables), REQUIRED_FACTS, first, last)
    return _cached_timeline(tuple(facts), tuple(_version_keys(casino, rules_override)))


def approved_versions(casino: Casino, rules_override: RuleVersion | None = None) -> list[VersionInForce]:
    return [key.to_version_in_force() for key in _version_keys(casino, rules_override)]


def _version_keys(casino: Casino, rules_override: RuleVersion | None) -> Iterator[_VersionKey]:
    for version in RuleVersion.objects.approved().filter(casino=casino):
        if rules_override is None or version.rules != rules_override.rules:
            yield _version_key(version)
    if rules_override is not None:
        yield _version_key(rules_override, is_always=True)


class _VersionKey(NamedTuple):
    """Everything that RulesTimeline needs of a rule version, hashable for the cache."""

    governing: RuleVersionRef
    pack_sha256: str
    readings: tuple[tuple[str, str], ...]
    from_at: datetime | None

    def to_version_in_force(self) -> VersionInForce:
        return VersionInForce(self.governing, load_frozen_pack(self.pack_sha256), dict(self.readings), self.from_at)


def _version_key(version: RuleVersion, *, is_always: bool = False) -> _VersionKey:
    from_at = None if is_always else version.effective_at
    return _VersionKey(version_ref(version), version.pack_id, tuple(version.readings.items()), from_at)


@lru_cache(maxsize=16)
def _cached_timeline(facts: tuple[FactRecord, ...], versions: tuple[_VersionKey, ...]) -> RulesTimeline:
    """Cached by all its inputs, because consecutive ranges usually have the same rules. What was computed for one range
    is reused for the next."""
    return RulesTimeline([held.to_model() for held in facts], [version.to_version_in_force() for version in versions])
