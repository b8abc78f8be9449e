"""Every settlement in a log recomputed by the rule versions in it, and compared with what its findings say.

The audit of the service knows more: what runs across rounds, what people determined later. What is not recomputed here
is counted, with the reason: never passed over in silence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from rounds.engine.bets import BETS
from rounds.engine.errors import EngineError
from rounds.engine.lights import are_no_guide
from rounds.engine.packs import Pack, load_pack
from rounds.engine.rules import Rules, rules_for
from rounds.engine.settle import settle_under
from rounds.engine.settlement import Limits, WagerAsked
from rounds.intake.kinds.lines import read_line
from rounds.intake.kinds.problems import Malformed
from rounds.intake.kinds.round import Round, Wager
from rounds.witness.circumstances import (
    Found,
    LogRead,
    Version,
    limits_of,
    offered_bets,
    pay_table_of,
    posted_for,
    read_log,
    rounds_in,
)
from rounds.witness.evidence import EntryRead

READING = "reading:"
Entries = Callable[[], Iterable[EntryRead]]


class NotReproduced(NamedTuple):
    """A wager whose money does not come out as the log has it."""

    place: int
    wager: str
    words: str


@dataclass
class Recomputed:
    """`waiting` are wagers that differ in rounds which the service has not audited yet: a later checkpoint tells."""

    reproduced: int = 0
    found_too: int = 0
    waiting: int = 0
    not_reproduced: list[NotReproduced] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def holds(self) -> bool:
        return not self.not_reproduced and not self.waiting


class LeftOut(Exception):
    """Why a wager is not recomputed here."""


def recompute(entries: Entries, packs: Mapping[str, bytes]) -> Recomputed:
    """Reads the entries twice: what governs a round may be recorded after it."""
    judge = _Judge(read_log(entries()), packs)
    for entry, header in rounds_in(entries()):
        judge.take(entry, header.table or "", is_taken_back=judge.log.is_taken_back(entry.place, header))
    return judge.came_to


@lru_cache(maxsize=64)
def _pack(content: bytes, sha256: str) -> Pack:
    return load_pack(content, f"{sha256[:12]}.toml")


class _Judge:
    def __init__(self, log: LogRead, packs: Mapping[str, bytes]) -> None:
        self.log, self.packs = log, packs
        self.came_to = Recomputed()
        self.by_subject: dict[int, list[Found]] = {}
        for one in log.findings.values():
            self.by_subject.setdefault(one.subject, []).append(one)

    def take(self, entry: EntryRead, table: str, *, is_taken_back: bool) -> None:
        try:
            played = read_line(entry.body).body
        except Malformed:
            self.came_to.left_out["the round cannot be read"] += 1
            return
        assert isinstance(played, Round)
        for wager in played.wagers:
            try:
                if is_taken_back:
                    raise LeftOut("the round was taken back")
                self._compare(entry.place, wager, self._due(table, played, wager))
            except LeftOut as why:
                self.came_to.left_out[str(why)] += 1

    def _compare(self, index: int, wager: Wager, due: _Due) -> None:
        """As the log has it: paid as due and nothing found, or a finding that names what we make due."""
        paid = wager.returned or 0
        found = [one for one in self.by_subject.get(index, ()) if one.wager in ("", wager.id)]
        about_money = [one for one in found if one.required_cents is not None and one.wager]
        if about_money and all(one.required_cents != due.cents for one in about_money):
            sums = ", ".join(f"{one.code} {one.required_cents}" for one in about_money)
            self._differs(index, wager, f"we make {due.cents} cents due, the log's finding says {sums}.")
        elif due.cents == paid:
            self.came_to.reproduced += 1
        elif found or self._is_by_another_reading(due, paid):
            self.came_to.found_too += 1
        elif not self.log.is_covered(index):
            self.came_to.waiting += 1
        else:
            self._differs(index, wager, f"{paid} cents were handed back, {due.cents} were due, and nothing is found.")

    def _differs(self, index: int, wager: Wager, words: str) -> None:
        self.came_to.not_reproduced.append(NotReproduced(index, wager.id, words))

    def _is_by_another_reading(self, due: _Due, paid: int) -> bool:
        """One finding stands for all wagers that were settled by a reading which is not adopted."""
        for one in self.by_subject.get(due.version.index, ()):
            name, _, choice = one.check.removeprefix(READING).partition("=")
            if one.check.startswith(READING):
                rules = rules_for(due.rules.pack, due.rules.pay_table, {**due.version.readings, name: choice})
                if settle_under(rules, due.asked).returned_cents == paid:
                    return True
        return False

    def _due(self, table: str, played: Round, wager: Wager) -> _Due:
        _leave_out_what_needs_more(played, wager)
        version, pack, at = self._governing(table, played)
        facts = self.log.facts_at(table, at)
        at_terminal = self.log.facts_at(table, at, wager.terminal) if wager.terminal else {}
        pay_table = pay_table_of(pack, facts, at_terminal)
        if pay_table is None:
            raise LeftOut("no pay table is on record")
        rules = rules_for(pack, pay_table, version.readings)
        _leave_out_by_rules(rules, played, wager)
        offered = offered_bets(pack, facts)
        asked = WagerAsked(
            bet=BETS[wager.bet],
            stake_cents=wager.stake,
            outcome=played.dice if played.dice is not None else played.cards,
            limits=_limits(limits_of(facts), played, wager),
            posted_odds=posted_for(rules, wager.bet, facts),
            offered=offered,
            is_promotional_token=wager.tender == "promotional-token",
            was_warned=wager.warned,
            was_registered=wager.registered is not False,
            have_lights_failed=_are_lights_no_guide(rules, offered, played),
            called=played.called.faces if played.called else None,
        )
        try:
            cents = settle_under(rules, asked).returned_cents
        except EngineError as error:
            raise LeftOut("the rules give no verdict") from error
        if cents is None:
            raise LeftOut("the wager is not approved or not offered")
        return _Due(cents, rules, asked, version)

    def _governing(self, table: str, played: Round) -> tuple[Version, Pack, datetime]:
        """The rules in force at the first event say which event a round commences with."""
        events = [(event.at, event.name) for event in played.events]
        first = min(events)[0]
        _, pack = self._version(table, first)
        rule = pack.conduct.commencement
        at = min((at for at, name in events if rule and name == rule.event), default=first)
        return *self._version(table, at), at

    def _version(self, table: str, at: datetime) -> tuple[Version, Pack]:
        stated = self.log.facts_at(table, at).get("rules")
        version = self.log.version_at(stated["rules"], at) if stated else None
        if version is None:
            raise LeftOut("no rules were in force at its table")
        content = self.packs.get(version.pack_sha256)
        if content is None:
            raise LeftOut("the bundle lacks the rule pack whose digest the log has")
        return version, _pack(content, version.pack_sha256)


class _Due(NamedTuple):
    cents: int
    rules: Rules
    asked: WagerAsked
    version: Version


def _leave_out_what_needs_more(played: Round, wager: Wager) -> None:
    if BETS[wager.bet].is_streak:
        raise LeftOut("a Super Streak runs across rounds")
    if wager.verdict not in ("win", "lose"):
        raise LeftOut(f"the wager is {wager.verdict}")
    if wager.changes:
        raise LeftOut("the wager was changed before it was settled")
    if played.no_result is not None:
        raise LeftOut("the round has no result")
    if played.player_limits:
        raise LeftOut("a player had limits of their own")


def _leave_out_by_rules(rules: Rules, played: Round, wager: Wager) -> None:
    closing = rules.pack.conduct.no_more_bets.events
    if any(event.name in closing and wager.placed_at > event.at for event in played.events):
        raise LeftOut("the wager was placed after betting closed")


def _are_lights_no_guide(rules: Rules, offered: frozenset[str], played: Round) -> bool:
    lay = played.dice if played.dice is not None else played.cards
    if played.called is None or lay is None or played.lit is None:
        return False
    return are_no_guide(rules, offered, played.lit, lay, played.called.faces)


def _limits(limits: Limits, played: Round, wager: Wager) -> Limits:
    """A player's wagers on a box count together: within the limits, each may be smaller than the minimum."""
    beside = [one for one in played.wagers if one.bet == wager.bet and _holder(one) == _holder(wager)]
    if len(beside) == 1 or limits.minimum_cents is None or limits.maximum_cents is None:
        return limits
    together = sum(one.stake for one in beside)
    if not limits.minimum_cents <= together <= limits.maximum_cents or any(one.changes for one in beside):
        raise LeftOut("several wagers on one box are outside its limits together")
    return replace(limits, minimum_cents=min(limits.minimum_cents, wager.stake))


def _holder(wager: Wager) -> tuple[object, ...]:
    return (wager.player,) if wager.player is not None else (wager.seat, wager.terminal)
