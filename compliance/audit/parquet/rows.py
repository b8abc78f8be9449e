"""A stretch of a log as rows: numbers from the packed rounds, names from the entries, verdicts from the audit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from compliance.accounts.models import Casino
from compliance.audit import packing
from compliance.audit.bulk import FIRST_DAY
from compliance.audit.circumstances import Places
from compliance.audit.columns import Columns, read_columns
from compliance.audit.packed import KINDS, round_in
from compliance.audit.packing import EVENT_PLACE, NEVER
from compliance.audit.parquet import schema
from compliance.audit.parquet.terms import FACES, TermsBook, readings_sha256
from compliance.audit.parquet.verdicts import Found, Verdicts, verdicts_on
from compliance.audit.parquet.ways import WAYS, odds_of, ways_of
from compliance.audit.seen import Circumstances
from compliance.audit.terms import NO_TERMS, Terms
from rounds.engine.bets import BET_CODES
from rounds.intake.kinds.round import Round
from rounds.ledger.errors import LedgerError
from rounds.ledger.following import read_entries

_VERDICTS = ["void" if word == "withdrawn" else word for word in packing.VERDICTS]


@dataclass(frozen=True, eq=False)
class Rows:
    """Of one gaming day: wagers, and what was found of them; how many rounds they are of."""

    day: date
    wagers: Any
    findings: Any
    rounds: int


@dataclass(frozen=True, eq=False)
class Stretch:
    """Entries first..last-1 of a log, all within one block of the audit: what is asked of them is asked once."""

    casino: Casino
    first: int
    last: int

    @cached_property
    def columns(self) -> Columns:
        return read_columns(self.casino, self.first, self.last)

    @cached_property
    def rounds(self) -> dict[int, Round]:
        read = ((entry.index, round_in(entry)) for entry in read_entries(self.log, self.first, self.last, KINDS))
        return {index: played for index, played in read if played is not None}

    @cached_property
    def verdicts(self) -> Verdicts:
        # Of a round that something was determined about later, nothing is plain.
        unusual = self.columns.indexes[~self.columns.are_plain].tolist()
        return verdicts_on(self.log, self.first, self.last, unusual)

    @cached_property
    def ways(self) -> NDArray[np.uint8]:
        return ways_of(self.columns)

    @cached_property
    def odds(self) -> tuple[Places, Places]:
        return odds_of(self.columns)

    @property
    def log(self) -> str:
        return self.casino.slug


def rows_of(stretch: Stretch, first_day: date, last_day: date, book: TermsBook) -> list[Rows]:
    """Of the rounds of these gaming days, a day after the other."""
    columns, found = stretch.columns, []
    dates = FIRST_DAY + columns.days.astype("timedelta64[D]")
    for day in sorted(day for day in set(dates.tolist()) if first_day <= day <= last_day):
        own = dates == np.datetime64(day)
        indexes: list[int] = columns.indexes[own].tolist()
        rounds = [stretch.rounds[index] for index in indexes if index in stretch.rounds]
        if [len(played.wagers) for played in rounds] != columns.counts[own].tolist():
            raise LedgerError("columns-differ", "What the audit keeps of rounds does not fit the log: verify it first.")
        wagers = _wagers(stretch, np.flatnonzero(columns.spread(own)), rounds, book)
        of_day = set(indexes)
        findings = _findings(each for each in stretch.verdicts.found if each.entry_index in of_day)
        found.append(Rows(day, wagers, findings, len(indexes)))
    return found


def _findings(found: Iterable[Found]) -> Any:
    rows = list(found)
    columns = [[getattr(row, name) for row in rows] for name in schema.FINDING_COLUMNS]
    return pa.table(columns, schema=schema.schema_of(schema.FINDING_COLUMNS))


def _wagers(stretch: Stretch, some: Places, rounds: Sequence[Round], book: TermsBook) -> Any:
    """`some` are the places of the wagers among those of the stretch; `rounds` are theirs, in the same order."""
    made = {
        **_of_rounds(stretch.columns, some, rounds),
        **_of_wagers(stretch.columns, some, rounds),
        **_of_terms(stretch, some, book),
    }
    made |= _judged(stretch, some, made)
    wanted = schema.schema_of(schema.WAGER_COLUMNS)
    return pa.table([_as(made[field.name], field.type) for field in wanted], schema=wanted)


def _as(values: Any, kind: Any) -> Any:
    return values if isinstance(values, pa.Array) else pa.array(values, kind)


def _spelt(words: Sequence[str | None], places: NDArray[Any]) -> Any:
    """A word for each place; -1 is the last one."""
    return pa.array(words, pa.string()).take(pa.array(np.where(places < 0, len(words) - 1, places)))


def _or_none(words: Sequence[int | None], places: NDArray[Any]) -> Any:
    return pa.array(words, pa.int64()).take(pa.array(np.where(places < 0, len(words) - 1, places)))


def _of_rounds(columns: Columns, some: Places, rounds: Sequence[Round]) -> dict[str, Any]:
    of = columns.round_of[some]
    counts = [len(played.wagers) for played in rounds]
    numbers = np.repeat(np.arange(len(rounds)), counts)
    outcomes = np.append(FACES, schema.NO_OUTCOME)
    result_by = ["dice" if each.dice is not None else "cards" if each.cards is not None else None for each in rounds]
    return {
        "entry_index": columns.indexes[of],
        "round": _spelt([each.round for each in rounds], numbers),
        "table": _spelt(columns.tables, columns.table_of[of]),
        "commenced_at": _commenced(columns)[of],
        "result_by": _spelt(result_by, numbers),
        "outcome": outcomes[columns.outcomes[of]],
    }


def _commenced(columns: Columns) -> packing.Instants:
    """The event that the document names, or the first there is."""
    found = columns.started.copy()
    for place, circumstances in enumerate(columns.used):
        rule = circumstances.pack.conduct.commencement
        if rule is not None and rule.event in EVENT_PLACE:
            own = columns.governed_by == place
            named = columns.events[own, EVENT_PLACE[rule.event]]
            found[own] = np.where(named == NEVER, found[own], named)
    return found


def _of_wagers(columns: Columns, some: Places, rounds: Sequence[Round]) -> dict[str, Any]:
    said = [wager for played in rounds for wager in played.wagers]
    records = columns.wagers[some]
    returned = records["returned"].astype(np.int64)
    return {
        "wager": [wager.id for wager in said],
        "player": [wager.player for wager in said],
        "seat": [wager.seat for wager in said],
        "terminal": [wager.terminal for wager in said],
        "placed_at": records["placed"].astype(np.int64),
        "bet": _spelt(BET_CODES, records["bet"].astype(np.int64)),
        "tender": _spelt(packing.TENDERS, records["tender"].astype(np.int64)),
        "stake_cents": records["stake"].astype(np.int64),
        "verdict": _spelt(_VERDICTS, records["verdict"].astype(np.int64)),
        "returned_cents": pa.array(returned, mask=returned < 0),
    }


def _of_terms(stretch: Stretch, some: Places, book: TermsBook) -> dict[str, Any]:
    columns = stretch.columns
    governed_by, terms = columns.governed_by[columns.round_of[some]], columns.terms.of_wager[some]
    names: list[str | None] = [None] * (len(columns.terms.known) + 1)
    _, first_use = np.unique(terms, return_index=True)
    for place in terms[np.sort(first_use)].tolist():
        if place != NO_TERMS:
            names[place] = book.name_of(columns.terms.known[place])
    below, given = (each[some] for each in stretch.odds)
    unknown = terms == NO_TERMS

    def of_used(say: Callable[[Circumstances], str | None]) -> Any:
        return _spelt([*map(say, columns.used), None], governed_by)

    def of_known(say: Callable[[Terms], str]) -> Any:
        return _spelt([*map(say, columns.terms.known), None], terms)

    return {
        "rules": of_used(lambda used: used.version.rules),
        "version": _or_none([*(used.version.number for used in columns.used), None], governed_by).cast(pa.int32()),
        "pack_sha256": of_used(lambda used: used.pack.pack_sha256),
        "readings_sha256": of_used(lambda used: readings_sha256(used.readings)),
        "pay_table": of_known(lambda known: known.sheet.rules.pay_table),
        "terms": _spelt(names, terms),
        "minimum_cents": _or_none([*(used.limits.minimum_cents for used in columns.used), None], governed_by),
        "maximum_cents": _or_none([*(used.limits.maximum_cents for used in columns.used), None], governed_by),
        "odds_numerator": pa.array(np.where(given > 0, given - below, 0).astype(np.int32), mask=unknown),
        "odds_denominator": pa.array(below.astype(np.int32), mask=unknown),
    }


def _judged(stretch: Stretch, some: Places, made: dict[str, Any]) -> dict[str, Any]:
    """What is due by its odds; where they do not decide, what the audit came to."""
    ways, verdicts = stretch.ways[some], stretch.verdicts
    below, given = (each[some] for each in stretch.odds)
    indexes, names, returned = made["entry_index"].tolist(), made["wager"], stretch.columns.returned[some]
    later = np.array([verdicts.later_cents.get(each, 0) for each in zip(indexes, names, strict=True)], np.int64)
    due = np.where(ways == 0, made["stake_cents"] * given // below, returned + later)
    is_known = (ways == 0) | (returned >= 0)
    is_audited = np.array(indexes, np.int64) < verdicts.audited_to
    is_known &= (ways == 0) | is_audited
    audit = np.where(is_audited, 0, 2)
    audit[ways == len(WAYS) - 1] = 3
    codes: list[str | None] = [None] * len(names)
    every: list[list[str]] = [[]] * len(names)
    of_wager = {subject: place for place, subject in enumerate(zip(indexes, names, strict=True))}
    for place in _concerned(verdicts, of_wager, indexes):
        of_round, own = (indexes[place], ""), (indexes[place], names[place])
        every[place] = sorted(verdicts.codes.get(own, set()) | verdicts.codes.get(of_round, set()))
        money = verdicts.money.get(own) or verdicts.money.get(of_round)
        if money is not None:
            codes[place], audit[place] = money.code, 1
            if ways[place]:
                required = money.required_cents if money.wager else None
                is_known[place], due[place] = required is not None, required or 0
    return {
        "later_cents": later,
        "settled_by": _spelt(list(WAYS), ways.astype(np.int64)),
        "due_cents": pa.array(due, mask=~is_known),
        "audit": _spelt([schema.RIGHT, schema.WRONG, schema.WAITING, schema.UNGOVERNED], audit),
        "code": codes,
        "findings": every,
    }


def _concerned(verdicts: Verdicts, of_wager: dict[tuple[int, str], int], indexes: Sequence[int]) -> set[int]:
    """The places of wagers that something was found about, or about their whole round."""
    rounds = {index for index, wager in verdicts.codes if not wager}
    whole = {place for place, index in enumerate(indexes) if index in rounds} if rounds else set()
    return whole | {of_wager[subject] for subject in verdicts.codes if subject in of_wager}
