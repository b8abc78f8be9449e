"""What applied at each table and when, read from the log alone: rule versions, dated facts, findings, corrections."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from types import MappingProxyType

import msgspec

from rounds.engine import EngineError, Pack, PostedOdds, Rules, WagerLimits, parse_odds
from rounds.intake.protocol.envelope import parse_line
from rounds.intake.protocol.errors import MalformedLine
from rounds.intake.protocol.round import Round
from rounds.transparency_log import formats
from rounds.transparency_log.errors import EntryError
from rounds.witness.entries.bundle_source import RawEntry
from rounds.witness.recompute.decisions import (
    DISPUTE_PAID,
    HANDLER_BY_KIND,
    TABLE_DECISION_KINDS,
    Decision,
    EntryBody,
    round_indexes_of,
)
from rounds.witness.recompute.entry_schemas import APPROVED, TABLE_FACTS, UnreadableEntry, decode_body

NO_FACTS: Mapping[str, EntryBody] = MappingProxyType({})
NOT_STANDING = -1
# Prefix of the controller's name for rounds imported from a file.
IMPORT_PREFIX = "import:"
# Errors that malformed bytes raise. msgspec's errors are ValueErrors.
UNREADABLE = (ValueError, RecursionError)


@dataclass(frozen=True)
class DatedFact:
    """A dated fact of a table, or of a terminal there."""

    index: int
    table: str
    terminal: str | None
    name: str
    value: EntryBody
    effective_at: datetime


@dataclass(frozen=True)
class RuleVersion:
    """An approved rule version. `index` is its approval entry, which findings about a reading refer to."""

    index: int
    rules: str
    number: int
    pack_sha256: str
    readings: Mapping[str, str]
    effective_at: datetime


@dataclass(frozen=True)
class LoggedFinding:
    """A finding in the log. `wager` is empty if it concerns the whole round."""

    index: int
    code: str
    check: str
    subject: int
    wager: str
    required_cents: int | None


@dataclass
class LogRules:
    """Everything in a log that affects settlements, except the rounds themselves."""

    facts: list[DatedFact] = field(default_factory=list)
    versions: list[RuleVersion] = field(default_factory=list)
    findings: dict[int, LoggedFinding] = field(default_factory=dict)
    covered: list[tuple[int, int]] = field(default_factory=list)
    taken_back: set[int] = field(default_factory=set)
    taken_back_lines: set[tuple[str | None, str | None, int]] = field(default_factory=set)
    acts: list[Decision] = field(default_factory=list)
    unreadable: list[UnreadableEntry] = field(default_factory=list)

    def is_audited(self, index: int) -> bool:
        return any(first <= index < last for first, last in self.covered)

    def is_corrected(self, index: int, header: formats.EntryHeader) -> bool:
        line = (header.table, header.controller, header.sequence or NOT_STANDING)
        return index in self.taken_back or line in self.taken_back_lines

    def version_at(self, rules: str, at: datetime) -> RuleVersion | None:
        begun = [one for one in self.versions if one.rules == rules and one.effective_at <= at]
        return max(begun, key=lambda one: one.effective_at, default=None)

    def facts_at(self, table: str, at: datetime, terminal: str | None = None) -> Mapping[str, EntryBody]:
        """For each name the fact that took effect last; of several at the same instant, the last one recorded."""
        times, states = self._timelines.get((table, terminal), ((), ()))
        place = bisect_right(times, at)
        return states[place - 1] if place else NO_FACTS

    @cached_property
    def _timelines(self) -> dict[tuple[str, str | None], tuple[list[datetime], list[Mapping[str, EntryBody]]]]:
        """For each table and terminal the times of changes and the facts from then on."""
        found: dict[tuple[str, str | None], tuple[list[datetime], list[Mapping[str, EntryBody]]]] = {}
        standing = (one for one in self.facts if one.index not in self.taken_back)
        for one in sorted(standing, key=lambda one: (one.effective_at, one.index)):
            times, states = found.setdefault((one.table, one.terminal), ([], []))
            times.append(one.effective_at)
            states.append({**(states[-1] if states else {}), one.name: one.value})
        return found

    def decisions_about(self, index: int, table: str) -> list[Decision]:
        """A decision that names rounds of another table is ignored for them."""
        return [
            act for act in self._decisions_by_round.get(index, ()) if act.kind == DISPUTE_PAID or act.table == table
        ]

    @cached_property
    def _decisions_by_round(self) -> dict[int, list[Decision]]:
        found: dict[int, list[Decision]] = {}
        for act in self.acts:
            if act.kind not in TABLE_DECISION_KINDS and act.index not in self.taken_back:
                for index in round_indexes_of(act):
                    found.setdefault(index, []).append(act)
        return found

    @cached_property
    def decisions_by_table(self) -> dict[str, list[Decision]]:
        """Warnings, refusals and interruptions, which do not name rounds by their entries."""
        found: dict[str, list[Decision]] = {}
        for act in self.acts:
            is_taken_back = act.index in self.taken_back or act.line in self.taken_back_lines
            if act.kind in TABLE_DECISION_KINDS and not is_taken_back:
                found.setdefault(act.table, []).append(act)
        return found


def read_log_rules(entries: Iterable[RawEntry]) -> LogRules:
    log = LogRules()
    for entry, header in _with_headers(entries, log.unreadable):
        reader = READER_BY_KIND.get(header.kind)
        if reader is not None:
            try:
                reader(log, entry.place, header, decode_body(header.kind, entry.body))
            except UNREADABLE as error:
                log.unreadable.append(UnreadableEntry(entry.place, header.kind, str(error)))
    return log


def parse_timestamp(text: str) -> datetime:
    return msgspec.convert(text, datetime)


def _add_fact(log: LogRules, index: int, header: formats.EntryHeader, body: EntryBody) -> None:
    if body["table"] is not None:
        at = parse_timestamp(body["effective_at"])
        log.facts.append(DatedFact(index, body["table"], body["terminal"], body["name"], body["value"], at))


def _add_reported_limits(log: LogRules, index: int, header: formats.EntryHeader, line: EntryBody) -> None:
    stated = dict(line["body"]["limits"])
    unit = stated.pop("payable_unit", None)
    at = parse_timestamp(line["at"])
    log.facts.append(DatedFact(index, header.table or "", None, "limits", stated, at))
    if unit is not None:
        log.facts.append(DatedFact(index, header.table or "", None, "smallest-chip", {"cents": unit}, at))


def _add_reported_odds(log: LogRules, index: int, header: formats.EntryHeader, line: EntryBody) -> None:
    if line["body"].get("where") != "brochure":
        posted = {"odds": line["body"]["odds"]}
        log.facts.append(DatedFact(index, header.table or "", None, "posted-odds", posted, parse_timestamp(line["at"])))


def _add_approval(log: LogRules, index: int, header: formats.EntryHeader, body: EntryBody) -> None:
    at = parse_timestamp(body["effective_at"])
    log.versions.append(RuleVersion(index, body["rules"], body["number"], body["pack_sha256"], body["readings"], at))


def _add_withdrawal(log: LogRules, index: int, header: formats.EntryHeader, body: EntryBody) -> None:
    named = (body["rules"], body["number"])
    log.versions = [one for one in log.versions if (one.rules, one.number) != named]


def _add_finding(log: LogRules, index: int, header: formats.EntryHeader, body: EntryBody) -> None:
    log.findings[index] = LoggedFinding(
        index, body["code"], body["check"], body["subject"], body["wager"] or "", body["required_cents"]
    )


def _add_superseded_finding(log: LogRules, index: int, header: formats.EntryHeader, body: EntryBody) -> None:
    log.findings.pop(body["finding"], None)


def _add_audit_coverage(log: LogRules, index: int, header: formats.EntryHeader, body: EntryBody) -> None:
    log.covered.append((body["first"], body["last"]))


def _add_decision(log: LogRules, index: int, header: formats.EntryHeader, body: EntryBody) -> None:
    line = (header.table, header.controller, header.sequence) if header.sequence is not None else None
    log.acts.append(Decision(index, header.kind, header.table or "", body, parse_timestamp(header.recorded_at), line))


def _add_correction(log: LogRules, index: int, header: formats.EntryHeader, body: EntryBody) -> None:
    log.taken_back.add(body["corrects"])


def _add_line_correction(log: LogRules, index: int, header: formats.EntryHeader, line: EntryBody) -> None:
    log.taken_back_lines.add((header.table, header.controller, line["body"]["corrects"]))


READER_BY_KIND: Mapping[str, Callable[[LogRules, int, formats.EntryHeader, EntryBody], None]] = {
    TABLE_FACTS: _add_fact,
    "limits-changed": _add_reported_limits,
    "posted-odds-shown": _add_reported_odds,
    APPROVED: _add_approval,
    "rule-version-withdrawn": _add_withdrawal,
    "finding": _add_finding,
    "finding-superseded": _add_superseded_finding,
    "audit-coverage": _add_audit_coverage,
    "correction": _add_correction,
    "controller-correction": _add_line_correction,
    **dict.fromkeys({*HANDLER_BY_KIND, *TABLE_DECISION_KINDS}, _add_decision),
}


def offered_bets(pack: Pack, facts: Mapping[str, EntryBody]) -> frozenset[str]:
    on = frozenset(facts.get("wagers-offered", {"wagers": ()})["wagers"])
    wagers = (wager for key, wager in pack.law.wager.items() if key in on or not wager.is_optional)
    return frozenset(str(bet) for wager in wagers for bet in wager.bets)


def pay_table_for(pack: Pack, facts: Mapping[str, EntryBody], terminal: Mapping[str, EntryBody]) -> str | None:
    """The terminal's layout decides; without one the table's fact, or the document's only pay table."""
    if "layout" in terminal:
        layout = terminal["layout"]["layout"]
        return next((name for name, one in pack.law.pay_table.items() if one.layout == layout), None)
    if "pay-table" in facts:
        return str(facts["pay-table"]["pay_table"])
    return next(iter(pack.law.pay_table)) if len(pack.law.pay_table) == 1 else None


def table_limits(facts: Mapping[str, EntryBody], bet: str) -> WagerLimits:
    """The limits on one box: what the sign states for it, and the table's for what it leaves out."""
    unit = facts["smallest-chip"]["cents"] if "smallest-chip" in facts else None
    stated = facts.get("limits")
    if stated is None:
        return WagerLimits(payable_unit_cents=unit)
    box = stated.get("by_bet", {}).get(bet, {})
    low, high = box.get("min") or stated["min"], box.get("max") or stated["max"]
    return WagerLimits(low, high, stated.get("multiples", False), unit)


def posted_odds_for(rules: Rules, code: str, facts: Mapping[str, EntryBody]) -> PostedOdds | None:
    """Posted odds as fractions, never below the document's; None if the document's odds apply."""
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


def approved_pack_digests(entries: Iterable[RawEntry]) -> list[str]:
    """SHA-256 of each approved rule pack, once. Unreadable approvals are skipped."""
    digests: dict[str, None] = {}
    for one, header in _with_headers(entries, []):
        if header.kind == APPROVED:
            with suppress(*UNREADABLE):
                digests[decode_body(APPROVED, one.body)["pack_sha256"]] = None
    return list(digests)


def round_entries(entries: Iterable[RawEntry]) -> Iterator[tuple[RawEntry, formats.EntryHeader]]:
    return ((entry, header) for entry, header in _with_headers(entries, []) if header.kind == "round")


def _with_headers(
    entries: Iterable[RawEntry], unreadable: list[UnreadableEntry]
) -> Iterator[tuple[RawEntry, formats.EntryHeader]]:
    """Entries with their parsed headers.

    Without a header the kind is unknown, so the entry is reported as unreadable.
    """
    for entry in entries:
        try:
            header = formats.parse_header(entry.header)
        except EntryError as error:
            unreadable.append(UnreadableEntry(entry.place, "of an unknown kind", error.sentence.rstrip(".")))
        else:
            yield entry, header


def parse_round(entry: RawEntry, header: formats.EntryHeader) -> Round | None:
    """A round from a controller's line, or as a person recorded or imported it; None if it cannot be read."""
    try:
        if (header.controller or IMPORT_PREFIX).startswith(IMPORT_PREFIX):
            content = msgspec.json.decode(entry.body)
            if isinstance(content, dict) and {"at", "body", "origin"} <= content.keys():
                return msgspec.convert(content["body"], Round)
        body = parse_line(entry.body).body
    except (MalformedLine, *UNREADABLE):
        return None
    return body if isinstance(body, Round) else None
