"""Violation cases of the shipped packs: short records of a table that break one clause, each with honest records
beside them.

Written by hand from the documents. compliance.audit.run.violation_cases evaluates them.

A file `SLUG.violations.toml` has, before its cases:

[casino]            time_zone; date, of every case; facts: dated facts of the casino by name
[table]             facts: dated facts of the table by name; terminals: facts of each terminal by name
[records.KIND]      members that a record of this kind has unless it says otherwise, such as `table = ""` where it
                    concerns no table; `records.wager` for wagers

[[case]]
clauses, code       the clauses that the breach violates, and the finding it must produce
cites               the clause that the finding cites, where it is not the first of `clauses`
also                further codes that the same facts must produce
silent              true where the document does not say what follows, and the finding says so
says                a text, or several, that the finding's sentence contains, where the rules decide it
why                 what happens, in one sentence
given               records that the honest and the violating sequence have in common
honest, breach      the records after them
facts, readings     facts and adopted readings that differ from the file's

A record is {kind = "round", at = "20:00:00", ...} with the members of its body. A kind of controllers' lines is sent by
the table's controller, any other is an entry of a person. `table` (t-1), `kind` (round) and `at` (two minutes after the
record before, 20:00:00 for the first) may be left out.

- A text such as "20:30:00" is a time of the casino's clock on the date of the case, "20:30:00 +1d" a day later; "+0:10"
  is ten seconds after the `at` of its record.
- `name` names a record, a round is named by its `round` (r-1, r-2, ...). "@r-1" stands for the index of its entry, also
  within a text: "@r-1:w-1".
- The value "none" removes a member that [records.KIND] has.
- In a round, `events` is a table of event names, with a list where an event happens several times; `called = true` and
  `entered = true` repeat the dice; wagers are named w-1, w-2, ..., and a wager without `verdict` won if something was
  returned and lost otherwise.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from rounds.rulepacks import PACK_FOLDER

Members = dict[str, Any]
FIRST_RECORD, BETWEEN_RECORDS = time(20), timedelta(minutes=2)
CLOCK = re.compile(r"(\d\d):(\d\d):(\d\d)(?: ([+-]\d+)d)?")
OFFSET = re.compile(r"([+-])(\d+):(\d\d)(\.\d+)?")
REFERENCE = re.compile(r"@([a-z][a-z0-9-]*)")
NOT_IN_BODY = ("kind", "table", "at", "name")


@dataclass(frozen=True, eq=False)
class CaseRecord:
    """One record of a case. Its body may refer to entries of other records by name."""

    kind: str
    table: str
    at: datetime
    name: str
    body: Members

    def resolved_body(self, indexes: Mapping[str, int]) -> Members:
        """The body with references replaced by the entry indexes of the records they name."""
        found: Members = _resolve(self.body, indexes)
        return found


@dataclass(frozen=True, eq=False)
class ViolationCase:
    """One case. `honest` and `breach` are complete sequences of records."""

    name: str
    rules: str
    clauses: tuple[str, ...]
    code: str
    cites: str
    also: tuple[str, ...]
    is_silent: bool
    says: tuple[str, ...]
    why: str
    honest: tuple[CaseRecord, ...]
    breach: tuple[CaseRecord, ...]
    time_zone: str
    starts_at: datetime
    casino_facts: Members = field(default_factory=dict)
    table_facts: Members = field(default_factory=dict)
    terminals: Mapping[str, Members] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)

    @property
    def tables(self) -> tuple[str, ...]:
        """All tables that its records name."""
        return tuple(dict.fromkeys(record.table for record in (*self.honest, *self.breach) if record.table))


@cache
def violation_cases(slug: str) -> tuple[ViolationCase, ...]:
    """The violation cases of a pack; empty for rules that do not ship with the product."""
    return tuple(case for written in _read_file(slug) for case in _read_cases(slug, written))


def violation_cases_on(slug: str, day: date, time_zone: str) -> Iterator[ViolationCase]:
    """The violation cases of a pack with all their dates moved, so that they take place on that day in that time zone
    instead of the file's."""
    for written in _read_file(slug):
        moved = _move_dates(written, day - written["casino"]["date"])
        moved["casino"]["time_zone"] = time_zone
        yield from _read_cases(slug, moved)


def _read_file(slug: str) -> Iterator[Members]:
    path = PACK_FOLDER / f"{slug}.violations.toml"
    if path.exists():
        yield tomllib.loads(path.read_text(encoding="utf-8"))


def _move_dates(value: Any, by: timedelta) -> Any:
    if isinstance(value, dict):
        return {key: _move_dates(each, by) for key, each in value.items()}
    if isinstance(value, list):
        return [_move_dates(each, by) for each in value]
    return value + by if isinstance(value, date) else value


def _read_cases(slug: str, written: Members) -> Iterator[ViolationCase]:
    casino, table, usual = written["casino"], written["table"], written.get("records", {})
    starts_at = datetime.combine(casino["date"], FIRST_RECORD, ZoneInfo(casino["time_zone"]))
    for number, case in enumerate(written["case"], start=1):
        given = case.get("given", [])
        honest, breach = (
            tuple(_read_records([*given, *case.get(part, [])], usual, starts_at)) for part in ("honest", "breach")
        )
        yield ViolationCase(
            name=f"{slug}-{number:03d}-{case['code']}",
            rules=slug,
            clauses=tuple(case["clauses"]),
            code=case["code"],
            cites=case.get("cites", case["clauses"][0]),
            also=tuple(case.get("also", ())),
            is_silent=case.get("silent", False),
            says=(stated,) if isinstance(stated := case.get("says", ()), str) else tuple(stated),
            why=case["why"],
            honest=honest,
            breach=breach,
            time_zone=casino["time_zone"],
            starts_at=starts_at,
            casino_facts=casino.get("facts", {}),
            table_facts=_merge(table.get("facts", {}), case.get("facts", {})),
            terminals=table.get("terminals", {}),
            readings=case.get("readings", {}),
        )


def _read_records(
    written: Sequence[Members], usual: Mapping[str, Members], starts_at: datetime
) -> Iterator[CaseRecord]:
    at, rounds = starts_at - BETWEEN_RECORDS, 0
    for record in written:
        kind = record.get("kind", "round")
        at = _parse_time(record["at"], starts_at, at) if "at" in record else at + BETWEEN_RECORDS
        stated = _merge(usual.get(kind, {}), record)
        body = {key: value for key, value in stated.items() if key not in NOT_IN_BODY}
        name = record.get("name", "")
        if kind == "round":
            rounds += 1
            body = _complete_round({"round": f"r-{rounds}", "gaming_day": starts_at.date().isoformat()} | body, usual)
            name = name or body["round"]
        yield CaseRecord(kind, stated.get("table", "t-1"), at, name, _with_instants(body, starts_at, at))


def _merge(usual: Members, stated: Members) -> Members:
    """Stated members over the usual ones, table by table. The value "none" removes a member."""
    merged = dict(usual)
    for key, value in stated.items():
        both = isinstance(merged.get(key), dict) and isinstance(value, dict)
        merged[key] = _merge(merged[key], value) if both else value
    return {key: value for key, value in merged.items() if stated.get(key) != "none"}


def _complete_round(body: Members, usual: Mapping[str, Members]) -> Members:
    events = [
        {"name": name} | (each if isinstance(each, dict) else {"at": each})
        for name, stated in body["events"].items()
        for each in (stated if isinstance(stated, list) else [stated])
    ]
    wagers = [
        _complete_wager({"id": f"w-{number}"} | _merge(usual.get("wager", {}), wager))
        for number, wager in enumerate(body.get("wagers", []), start=1)
    ]
    dice = body.get("dice")
    if body.get("called") is True:
        body["called"] = {"faces": sorted(dice), "total": sum(dice)} if dice else "none"
    if body.get("entered") is True:
        body["entered"] = {"faces": dice} if dice else "none"
    return {key: value for key, value in body.items() if value != "none"} | {"events": events, "wagers": wagers}


def _complete_wager(wager: Members) -> Members:
    if wager.get("verdict") == "open":
        return wager
    returned = wager.get("returned", 0)
    return {"verdict": "win" if returned else "lose", "returned": returned} | wager


def _with_instants(value: Any, starts_at: datetime, at: datetime) -> Any:
    """The value with all times as RFC 3339 in UTC."""
    if isinstance(value, dict):
        return {key: _with_instants(each, starts_at, at) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_instants(each, starts_at, at) for each in value]
    if isinstance(value, str) and (CLOCK.fullmatch(value) or OFFSET.fullmatch(value)):
        return _parse_time(value, starts_at, at).astimezone(ZoneInfo("UTC")).isoformat().replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, date) else value


def _parse_time(text: str, starts_at: datetime, at: datetime) -> datetime:
    if clock := CLOCK.fullmatch(text):
        day = starts_at.date() + timedelta(days=int(clock[4] or 0))
        return datetime.combine(day, time(int(clock[1]), int(clock[2]), int(clock[3])), starts_at.tzinfo)
    offset = OFFSET.fullmatch(text)
    if offset is None:
        raise ValueError(f"{text!r} is not a time such as 20:30:00 or +0:10.")
    length = timedelta(minutes=int(offset[2]), seconds=float(offset[3] + (offset[4] or "")))
    return at + (length if offset[1] == "+" else -length)


def _resolve(value: Any, indexes: Mapping[str, int]) -> Any:
    if isinstance(value, dict):
        return {key: _resolve(each, indexes) for key, each in value.items()}
    if isinstance(value, list):
        return [_resolve(each, indexes) for each in value]
    if not isinstance(value, str) or "@" not in value:
        return value
    whole = REFERENCE.fullmatch(value)
    return indexes[whole[1]] if whole else REFERENCE.sub(lambda found: str(indexes[found[1]]), value)
