"""What governed each table when, read from the log alone: rule versions, dated facts, findings, corrections."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from types import MappingProxyType

import msgspec

from rounds.engine.errors import EngineError
from rounds.engine.odds import parse_odds
from rounds.engine.packs import Pack
from rounds.engine.rules import Rules
from rounds.engine.settlement import Limits, Posted
from rounds.intake.kinds.lines import read_line
from rounds.intake.kinds.problems import Malformed
from rounds.intake.kinds.round import Round
from rounds.ledger.errors import EntryError
from rounds.ledger.leaves import Header, read_header
from rounds.witness.determined import AT_TABLES, DISPUTE_PAID, READ, Act, Body, rounds_meant
from rounds.witness.evidence import EntryRead
from rounds.witness.readable import APPROVED, TABLE_FACTS, Unreadable, read_body

NOTHING: Mapping[str, Body] = MappingProxyType({})
NOT_STANDING = -1
# What stands in a controller's place for rounds from a file.
IMPORTED = "import:"
# What bytes raise that are not what they should be; errors of msgspec are of the first sort.
UNREADABLE = (ValueError, RecursionError)


@dataclass(frozen=True)
class Fact:
    """A dated fact of a table, or of a terminal at it."""

    index: int
    table: str
    terminal: str | None
    name: str
    value: Body
    effective_at: datetime


@dataclass(frozen=True)
class Version:
    """`index` is the entry of its approval: findings about a reading are about that."""

    index: int
    rules: str
    number: int
    pack_sha256: str
    readings: Mapping[str, str]
    effective_at: datetime


@dataclass(frozen=True)
class Found:
    """A finding as the log has it. `wager` is empty where it is about the round as a whole."""

    index: int
    code: str
    check: str
    subject: int
    wager: str
    required_cents: int | None


@dataclass
class LogRead:
    """Everything in a log that bears on settlements, besides the rounds themselves."""

    facts: list[Fact] = field(default_factory=list)
    versions: list[Version] = field(default_factory=list)
    findings: dict[int, Found] = field(default_factory=dict)
    covered: list[tuple[int, int]] = field(default_factory=list)
    taken_back: set[int] = field(default_factory=set)
    taken_back_lines: set[tuple[str | None, str | None, int]] = field(default_factory=set)
    acts: list[Act] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)

    def is_covered(self, index: int) -> bool:
        return any(first <= index < last for first, last in self.covered)

    def is_taken_back(self, index: int, header: Header) -> bool:
        line = (header.table, header.controller, header.sequence or NOT_STANDING)
        return index in self.taken_back or line in self.taken_back_lines

    def version_at(self, rules: str, at: datetime) -> Version | None:
        begun = [one for one in self.versions if one.rules == rules and one.effective_at <= at]
        return max(begun, key=lambda one: one.effective_at, default=None)

    def facts_at(self, table: str, at: datetime, terminal: str | None = None) -> Mapping[str, Body]:
        """Of each name the one that took effect last; of several at one instant, the last recorded."""
        times, states = self._timelines.get((table, terminal), ((), ()))
        place = bisect_right(times, at)
        return states[place - 1] if place else NOTHING

    @cached_property
    def _timelines(self) -> dict[tuple[str, str | None], tuple[list[datetime], list[Mapping[str, Body]]]]:
        """When something changed at each table and terminal, and how it stood from then on."""
        found: dict[tuple[str, str | None], tuple[list[datetime], list[Mapping[str, Body]]]] = {}
        standing = (one for one in self.facts if one.index not in self.taken_back)
        for one in sorted(standing, key=lambda one: (one.effective_at, one.index)):
            times, states = found.setdefault((one.table, one.terminal), ([], []))
            times.append(one.effective_at)
            states.append({**(states[-1] if states else {}), one.name: one.value})
        return found

    def acts_about(self, index: int, table: str) -> list[Act]:
        """An act that names rounds of another table says nothing about them."""
        return [act for act in self._acts_by_round.get(index, ()) if act.kind == DISPUTE_PAID or act.table == table]

    @cached_property
    def _acts_by_round(self) -> dict[int, list[Act]]:
        found: dict[int, list[Act]] = {}
        for act in self.acts:
            if act.kind not in AT_TABLES and act.index not in self.taken_back:
                for index in rounds_meant(act):
                    found.setdefault(index, []).append(act)
        return found

    @cached_property
    def acts_by_table(self) -> dict[str, list[Act]]:
        """Warnings and refusals, which name no rounds."""
        found: dict[str, list[Act]] = {}
        for act in self.acts:
            if act.kind in AT_TABLES and act.index not in self.taken_back:
                found.setdefault(act.table, []).append(act)
        return found


def read_log(entries: Iterable[EntryRead]) -> LogRead:
    log = LogRead()
    for entry, header in _headed(entries, log.unreadable):
        reader = READERS.get(header.kind)
        if reader is not None:
            try:
                reader(log, entry.place, header, read_body(header.kind, entry.body))
            except UNREADABLE as error:
                log.unreadable.append(Unreadable(entry.place, header.kind, str(error)))
    return log


def instant(text: str) -> datetime:
    return msgspec.convert(text, datetime)


def _fact(log: LogRead, index: int, header: Header, body: Body) -> None:
    if body["table"] is not None:
        at = instant(body["effective_at"])
        log.facts.append(Fact(index, body["table"], body["terminal"], body["name"], body["value"], at))


def _reported_limits(log: LogRead, index: int, header: Header, line: Body) -> None:
    stated = dict(line["body"]["limits"])
    unit = stated.pop("payable_unit", None)
    at = instant(line["at"])
    log.facts.append(Fact(index, header.table or "", None, "limits", stated, at))
    if unit is not None:
        log.facts.append(Fact(index, header.table or "", None, "smallest-chip", {"cents": unit}, at))


def _reported_odds(log: LogRead, index: int, header: Header, line: Body) -> None:
    if line["body"].get("where") != "brochure":
        posted = {"odds": line["body"]["odds"]}
        log.facts.append(Fact(index, header.table or "", None, "posted-odds", posted, instant(line["at"])))


def _approved(log: LogRead, index: int, header: Header, body: Body) -> None:
    at = instant(body["effective_at"])
    log.versions.append(Version(index, body["rules"], body["number"], body["pack_sha256"], body["readings"], at))


def _withdrawn(log: LogRead, index: int, header: Header, body: Body) -> None:
    named = (body["rules"], body["number"])
    log.versions = [one for one in log.versions if (one.rules, one.number) != named]


def _found(log: LogRead, index: int, header: Header, body: Body) -> None:
    log.findings[index] = Found(
        index, body["code"], body["check"], body["subject"], body["wager"] or "", body["required_cents"]
    )


def _superseded(log: LogRead, index: int, header: Header, body: Body) -> None:
    log.findings.pop(body["finding"], None)


def _covered(log: LogRead, index: int, header: Header, body: Body) -> None:
    log.covered.append((body["first"], body["last"]))


def _act(log: LogRead, index: int, header: Header, body: Body) -> None:
    log.acts.append(Act(index, header.kind, header.table or "", body))


def _corrected(log: LogRead, index: int, header: Header, body: Body) -> None:
    log.taken_back.add(body["corrects"])


def _corrected_line(log: LogRead, index: int, header: Header, line: Body) -> None:
    log.taken_back_lines.add((header.table, header.controller, line["body"]["corrects"]))


READERS: Mapping[str, Callable[[LogRead, int, Header, Body], None]] = {
    TABLE_FACTS: _fact,
    "limits-changed": _reported_limits,
    "posted-odds-shown": _reported_odds,
    APPROVED: _approved,
    "rule-version-withdrawn": _withdrawn,
    "finding": _found,
    "finding-superseded": _superseded,
    "audit-coverage": _covered,
    "correction": _corrected,
    "controller-correction": _corrected_line,
    **dict.fromkeys({*READ, *AT_TABLES}, _act),
}


def offered_bets(pack: Pack, facts: Mapping[str, Body]) -> frozenset[str]:
    on = frozenset(facts.get("wagers-offered", {"wagers": ()})["wagers"])
    wagers = (wager for key, wager in pack.law.wager.items() if key in on or not wager.is_optional)
    return frozenset(str(bet) for wager in wagers for bet in wager.bets)


def pay_table_of(pack: Pack, facts: Mapping[str, Body], terminal: Mapping[str, Body]) -> str | None:
    """The terminal's layout decides; without one the table's own fact, or the document's only pay table."""
    if "layout" in terminal:
        layout = terminal["layout"]["layout"]
        return next((name for name, one in pack.law.pay_table.items() if one.layout == layout), None)
    if "pay-table" in facts:
        return str(facts["pay-table"]["pay_table"])
    return next(iter(pack.law.pay_table)) if len(pack.law.pay_table) == 1 else None


def limits_of(facts: Mapping[str, Body]) -> Limits:
    unit = facts["smallest-chip"]["cents"] if "smallest-chip" in facts else None
    stated = facts.get("limits")
    if stated is None:
        return Limits(payable_unit_cents=unit)
    return Limits(stated["min"], stated["max"], stated.get("multiples", False), unit)


def posted_for(rules: Rules, code: str, facts: Mapping[str, Body]) -> Posted | None:
    """Posted odds as fractions, never below the document's own; None where the document's own are due."""
    stated = facts.get("posted-odds", {"odds": {}})["odds"].get(code)
    rule = rules.bets.get(code)
    if stated is None or rule is None:
        return None
    texts = (stated,) if isinstance(stated, str) else tuple(stated)
    if len(texts) != len(rule.levels):
        return None
    try:
        posted = tuple(max(parse_odds(text), pay.odds) for text, pay in zip(texts, rule.levels, strict=True))
    except EngineError:
        return None
    return posted if len(posted) > 1 else posted[0]


def packs_named(entries: Iterable[EntryRead]) -> list[str]:
    """The digest of each rule pack that was approved, once; an approval that cannot be read names none."""
    found: dict[str, None] = {}
    for one, header in _headed(entries, []):
        if header.kind == APPROVED:
            with suppress(*UNREADABLE):
                found[read_body(APPROVED, one.body)["pack_sha256"]] = None
    return list(found)


def rounds_in(entries: Iterable[EntryRead]) -> Iterator[tuple[EntryRead, Header]]:
    return ((entry, header) for entry, header in _headed(entries, []) if header.kind == "round")


def _headed(entries: Iterable[EntryRead], unreadable: list[Unreadable]) -> Iterator[tuple[EntryRead, Header]]:
    """Of what kind it is, is not known without its header: it could bear on anything."""
    for entry in entries:
        try:
            header = read_header(entry.header)
        except EntryError as error:
            unreadable.append(Unreadable(entry.place, "of an unknown kind", error.sentence.rstrip(".")))
        else:
            yield entry, header


def round_of(entry: EntryRead, header: Header) -> Round | None:
    """From a controller's line, or as a person recorded or imported it in its place; None where it cannot be read."""
    try:
        if (header.controller or IMPORTED).startswith(IMPORTED):
            content = msgspec.json.decode(entry.body)
            if isinstance(content, dict) and {"at", "body", "origin"} <= content.keys():
                return msgspec.convert(content["body"], Round)
        body = read_line(entry.body).body
    except (Malformed, *UNREADABLE):
        return None
    return body if isinstance(body, Round) else None
