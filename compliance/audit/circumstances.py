"""The circumstances of every round of a stretch, read in a fixed number of queries: facts of tables, rule versions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from compliance.accounts.models import Casino
from compliance.audit.packing import Instants, microseconds
from compliance.audit.seen import Circumstances, Equipment, Governing, NoRules
from rounds.engine.errors import EngineError
from rounds.engine.odds import parse_odds
from rounds.engine.packs import Pack
from rounds.engine.rules import Rules
from rounds.engine.settlement import Limits, Posted
from rounds.floor import values
from rounds.floor.facts import NAME_OF
from rounds.floor.held import Held, held_between
from rounds.floor.models import Fact
from rounds.floor.selectors import FactsAt, offered_bets, pay_table_for
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_frozen_as

Places: TypeAlias = NDArray[np.int64]

NEEDED = tuple(
    NAME_OF[kind]
    for kind in (
        values.TableRules, values.PayTable, values.WagersOffered, values.PostedOdds, values.Limits,
        values.SmallestChip, values.StreakAmount, values.Equipment, values.TerminalLayout,
    )
)  # fmt: skip


@dataclass(frozen=True)
class VersionUsed:
    """A version that may govern: in force from `from_at`; a draft tried over history governs always."""

    governing: Governing
    pack: Pack
    readings: Mapping[str, str]
    from_at: datetime | None


def version_used(version: RuleVersion, *, is_always: bool = False) -> VersionUsed:
    return _asked(version, is_always=is_always).as_used()


def _governing(version: RuleVersion) -> Governing:
    return Governing(version.pk, version.rules, version.number, version.approved_index or version.proposed_index)


class Timelines:
    """What governed each table when. Between two changes everything stays the same, and is worked out once."""

    def __init__(self, facts: Iterable[Fact], versions: Iterable[VersionUsed]) -> None:
        self._versions: dict[str, list[VersionUsed]] = {}
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
        self._known: dict[tuple[str, int], Circumstances | NoRules] = {}

    def at(self, table: str, instant: datetime) -> Circumstances | NoRules:
        place = (table, bisect_right(self._changes.get(table, ()), instant))
        if place not in self._known:
            self._known[place] = self._work_out(table, instant)
        return self._known[place]

    def places(self, table: str, instants: Instants) -> Places:
        """Between which changes of the table's circumstances each of these instants, in microseconds, lies."""
        if table not in self._changes_at:
            changes = [microseconds(change) for change in self._changes.get(table, ())]
            self._changes_at[table] = np.array(changes, np.int64)
        return np.searchsorted(self._changes_at[table], instants, side="right")

    def versions_at(self, instant: datetime) -> tuple[VersionUsed, ...]:
        """Those in force at the casino, one of each rule set."""
        found = (self._version(rules, instant) for rules in sorted(self._versions))
        return tuple(version for version in found if version is not None)

    def of_round(self, table: str, events: Mapping[str, datetime]) -> Circumstances | NoRules:
        """Those at its commencement: the rules in force when its first event came say which event that is."""
        first = self.at(table, min(events.values()))
        return first if isinstance(first, NoRules) else self.at(table, first.commenced_at(events))

    def _work_out(self, table: str, instant: datetime) -> Circumstances | NoRules:
        rows = [fact for fact in self._facts.get(table, ()) if fact.effective_at <= instant]
        own = FactsAt(instant, _last_of_each(fact for fact in rows if fact.terminal is None))
        played = own.get(values.TableRules)
        if played is None:
            return NoRules("no rules are on record for its table")
        version = self._version(played.rules, instant)
        if version is None:
            return NoRules(f"no approved version of {played.rules} was in force")
        pack = version.pack
        circumstances = Circumstances(
            version=version.governing,
            pack=pack,
            readings=version.readings,
            offered=offered_bets(pack, own),
            limits=_limits(own),
            equipment=_equipment(own),
            streak_amount_cents=amount.cents if (amount := own.get(values.StreakAmount)) else None,
            pay_table=pay_table_for(pack, own),
            pay_tables_by_terminal=_pay_tables(pack, own, rows, instant),
        )
        return replace(circumstances, posted_odds=_posted(circumstances, own.get(values.PostedOdds)))

    def _version(self, rules: str, instant: datetime) -> VersionUsed | None:
        known = self._versions.get(rules, ())
        begun = [version for version in known if version.from_at is None or version.from_at <= instant]
        return max(begun, key=lambda version: (version.from_at is None, version.from_at or instant), default=None)


def _last_of_each(facts: Iterable[Fact]) -> Iterable[Fact]:
    """Of each name the fact that took effect last; of several at one instant, the last recorded."""
    ordered = sorted(facts, key=lambda fact: (fact.effective_at, fact.recorded_at, fact.pk))
    return {fact.name: fact for fact in ordered}.values()


def _limits(own: FactsAt) -> Limits:
    stated, chip = own.get(values.Limits), own.get(values.SmallestChip)
    unit = chip.cents if chip else None
    return Limits(stated.min, stated.max, stated.multiples, unit) if stated else Limits(payable_unit_cents=unit)


def _equipment(own: FactsAt) -> Equipment:
    stated = own.get(values.Equipment)
    return Equipment(stated.layout, stated.screen, stated.touch_screen, stated.shaker) if stated else Equipment()


def _pay_tables(pack: Pack, own: FactsAt, rows: Iterable[Fact], instant: datetime) -> dict[str, str]:
    terminals: dict[str, list[Fact]] = {}
    for fact in rows:
        if fact.terminal is not None:
            terminals.setdefault(fact.terminal.slug, []).append(fact)
    found = {
        slug: pay_table_for(pack, own, FactsAt(instant, _last_of_each(facts))) for slug, facts in terminals.items()
    }
    return {slug: pay_table for slug, pay_table in found.items() if pay_table is not None}


def _posted(circumstances: Circumstances, stated: values.PostedOdds | None) -> dict[str, Posted]:
    """Posted odds as fractions, never below the document's own: odds posted too low are not what is due."""
    if stated is None or circumstances.pay_table is None:
        return {}
    rules = circumstances.rules(circumstances.pay_table)
    found = {code: _at_least(rules, code, odds) for code, odds in stated.odds.items()}
    return {code: odds for code, odds in found.items() if odds is not None}


def _at_least(rules: Rules, code: str, stated: str | tuple[str, ...]) -> Posted | None:
    """None for what is not approved, or not worded as odds: then the document's own odds are due."""
    rule, texts = rules.bets.get(code), (stated,) if isinstance(stated, str) else stated
    if rule is None or len(texts) != len(rule.levels):
        return None
    try:
        posted = tuple(max(_fraction(text), pay.odds) for text, pay in zip(texts, rule.levels, strict=True))
    except EngineError:
        return None
    return posted if len(posted) > 1 else posted[0]


def _fraction(text: str) -> Fraction:
    return parse_odds(text)


def facts_between(casino: Casino, tables: Iterable[str], first: datetime, last: datetime) -> list[Fact]:
    """All that held at these tables at one time or another between two instants, both included. One query."""
    return [held.as_fact() for held in held_between(casino.pk, list(tables), NEEDED, first, last)]


def timelines_of(
    casino: Casino, tables: Iterable[str], first: datetime, last: datetime, instead: RuleVersion | None = None
) -> Timelines:
    """For rounds of these tables that began between two instants, both included. Two queries.

    `instead` is a version to be tried over history: it then governs all rounds of its rules.
    """
    versions = RuleVersion.objects.approved().filter(casino=casino)
    used = [_asked(version) for version in versions if instead is None or version.rules != instead.rules]
    tried = [_asked(instead, is_always=True)] if instead else []
    return _timelines(tuple(held_between(casino.pk, list(tables), NEEDED, first, last)), (*used, *tried))


class _Asked(NamedTuple):
    """All that is asked of a rule version."""

    governing: Governing
    pack_sha256: str
    readings: tuple[tuple[str, str], ...]
    from_at: datetime | None

    def as_used(self) -> VersionUsed:
        return VersionUsed(self.governing, pack_frozen_as(self.pack_sha256), dict(self.readings), self.from_at)


def _asked(version: RuleVersion, *, is_always: bool = False) -> _Asked:
    from_at = None if is_always else version.effective_at
    return _Asked(_governing(version), version.pack_id, tuple(version.readings.items()), from_at)


@lru_cache(maxsize=16)
def _timelines(facts: tuple[Held, ...], versions: tuple[_Asked, ...]) -> Timelines:
    """Kept by everything it is made of, because one stretch after the other is governed by the same: what was worked
    out for a table between two changes then holds for the next stretch too."""
    return Timelines([held.as_fact() for held in facts], [asked.as_used() for asked in versions])
