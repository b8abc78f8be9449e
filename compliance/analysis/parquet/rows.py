"""A range of a log as rows: numbers from the packed rounds, names from the entries, verdicts from the audit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from compliance.analysis.parquet import schema
from compliance.analysis.parquet.audit_verdicts import AuditVerdicts, WagerFinding, load_verdicts
from compliance.analysis.parquet.payout_terms import OUTCOME_NUMBERS, TermsRegister, readings_sha256
from compliance.analysis.parquet.settlement_basis import SETTLEMENT_BASES, payout_odds, settlement_basis_of
from compliance.audit.context.pay_sheets import NO_TERMS_INDEX, PayTerms
from compliance.audit.context.round_columns import RoundColumns, read_columns
from compliance.audit.context.rules_in_force import Indexes
from compliance.audit.projections.bulk_read import DAY_EPOCH
from compliance.audit.projections.rounds import ROUND_KINDS, round_from_entry
from compliance.core.accounts.models import Casino
from rounds.engine import BET_CODES, RulesInForce, WagerLimits
from rounds.intake.columns import round_encoding
from rounds.intake.columns.round_encoding import EVENT_INDEX, NO_TIME
from rounds.intake.protocol.round import Round
from rounds.ledger import read_entries
from rounds.transparency_log.errors import LedgerError

_VERDICT_LABELS = ["void" if word == "withdrawn" else word for word in round_encoding.VERDICTS]


@dataclass(frozen=True, eq=False)
class DayRows:
    """Rows of one gaming day: wagers, findings, and the number of rounds."""

    day: date
    wagers: Any
    findings: Any
    rounds: int


@dataclass(frozen=True, eq=False)
class ExportRange:
    """Entries first..last-1 of a log, within one block of the audit. Reads are cached."""

    casino: Casino
    first: int
    last: int

    @cached_property
    def columns(self) -> RoundColumns:
        return read_columns(self.casino, self.first, self.last)

    @cached_property
    def rounds(self) -> dict[int, Round]:
        read = (
            (entry.index, round_from_entry(entry))
            for entry in read_entries(self.log, self.first, self.last, ROUND_KINDS)
        )
        return {index: played for index, played in read if played is not None}

    @cached_property
    def audit_verdicts(self) -> AuditVerdicts:
        # A round with later decisions is never plain.
        unusual = self.columns.indexes[~self.columns.are_plain].tolist()
        return load_verdicts(self.log, self.first, self.last, unusual)

    @cached_property
    def settlement_basis(self) -> NDArray[np.uint8]:
        return settlement_basis_of(self.columns)

    @cached_property
    def odds(self) -> tuple[Indexes, Indexes]:
        return payout_odds(self.columns)

    @property
    def log(self) -> str:
        return self.casino.slug


def rows_by_day(export_range: ExportRange, first_day: date, last_day: date, register: TermsRegister) -> list[DayRows]:
    """The rows of these gaming days, by day."""
    columns, found = export_range.columns, []
    dates = DAY_EPOCH + columns.days.astype("timedelta64[D]")
    for day in sorted(day for day in set(dates.tolist()) if first_day <= day <= last_day):
        own = dates == np.datetime64(day)
        indexes: list[int] = columns.indexes[own].tolist()
        rounds = [export_range.rounds[index] for index in indexes if index in export_range.rounds]
        if [len(played.wagers) for played in rounds] != columns.counts[own].tolist():
            raise LedgerError("columns-differ", "What the audit keeps of rounds does not fit the log: verify it first.")
        wagers = _wagers_table(export_range, np.flatnonzero(columns.repeat_per_wager(own)), rounds, register)
        of_day = set(indexes)
        findings = _findings_table(each for each in export_range.audit_verdicts.found if each.entry_index in of_day)
        found.append(DayRows(day, wagers, findings, len(indexes)))
    return found


def _findings_table(found: Iterable[WagerFinding]) -> Any:
    rows = list(found)
    columns = [[getattr(row, name) for row in rows] for name in schema.FINDING_COLUMNS]
    return pa.table(columns, schema=schema.arrow_schema(schema.FINDING_COLUMNS))


def _wagers_table(export_range: ExportRange, some: Indexes, rounds: Sequence[Round], register: TermsRegister) -> Any:
    """`some` are the indexes of the wagers in the range; `rounds` are their rounds, in the same order."""
    made = {
        **_round_columns(export_range.columns, some, rounds),
        **_wager_columns(export_range.columns, some, rounds),
        **_terms_columns(export_range, some, register),
    }
    made |= _verdict_columns(export_range, some, made)
    arrow_schema = schema.arrow_schema(schema.WAGER_COLUMNS)
    return pa.table([_to_arrow(made[field.name], field.type) for field in arrow_schema], schema=arrow_schema)


def _to_arrow(values: Any, kind: Any) -> Any:
    return values if isinstance(values, pa.Array) else pa.array(values, kind)


def _strings_at(words: Sequence[str | None], indexes: NDArray[Any]) -> Any:
    """The word at each index; -1 is the last word."""
    return pa.array(words, pa.string()).take(pa.array(np.where(indexes < 0, len(words) - 1, indexes)))


def _integers_at(words: Sequence[int | None], indexes: NDArray[Any]) -> Any:
    return pa.array(words, pa.int64()).take(pa.array(np.where(indexes < 0, len(words) - 1, indexes)))


def _round_columns(columns: RoundColumns, some: Indexes, rounds: Sequence[Round]) -> dict[str, Any]:
    of = columns.round_indexes[some]
    counts = [len(played.wagers) for played in rounds]
    numbers = np.repeat(np.arange(len(rounds)), counts)
    outcomes = np.append(OUTCOME_NUMBERS, schema.NO_OUTCOME)
    result_by = ["dice" if each.dice is not None else "cards" if each.cards is not None else None for each in rounds]
    return {
        "entry_index": columns.indexes[of],
        "round": _strings_at([each.round for each in rounds], numbers),
        "table": _strings_at(columns.tables, columns.table_of[of]),
        "commenced_at": _commencement_times(columns)[of],
        "result_by": _strings_at(result_by, numbers),
        "outcome": outcomes[columns.outcomes[of]],
    }


def _commencement_times(columns: RoundColumns) -> round_encoding.Instants:
    """The event that the document names, or the first event."""
    found = columns.started_at.copy()
    for place, rules_in_force in enumerate(columns.rules_used):
        rule = rules_in_force.pack.conduct.commencement
        if rule is not None and rule.event in EVENT_INDEX:
            own = columns.governed_by == place
            named = columns.events[own, EVENT_INDEX[rule.event]]
            found[own] = np.where(named == NO_TIME, found[own], named)
    return found


def _wager_columns(columns: RoundColumns, some: Indexes, rounds: Sequence[Round]) -> dict[str, Any]:
    wagers = [wager for played in rounds for wager in played.wagers]
    records = columns.wagers[some]
    returned = records["returned"].astype(np.int64)
    return {
        "wager": [wager.id for wager in wagers],
        "player": [wager.player for wager in wagers],
        "seat": [wager.seat for wager in wagers],
        "terminal": [wager.terminal for wager in wagers],
        "placed_at": records["placed"].astype(np.int64),
        "bet": _strings_at(BET_CODES, records["bet"].astype(np.int64)),
        "tender": _strings_at(round_encoding.TENDERS, records["tender"].astype(np.int64)),
        "stake_cents": records["stake"].astype(np.int64),
        "verdict": _strings_at(_VERDICT_LABELS, records["verdict"].astype(np.int64)),
        "returned_cents": pa.array(returned, mask=returned < 0),
    }


def _terms_columns(export_range: ExportRange, some: Indexes, register: TermsRegister) -> dict[str, Any]:
    columns = export_range.columns
    governed_by, terms = columns.governed_by[columns.round_indexes[some]], columns.wager_terms.of_wager[some]
    names: list[str | None] = [None] * (len(columns.wager_terms.known) + 1)
    _, first_use = np.unique(terms, return_index=True)
    for place in terms[np.sort(first_use)].tolist():
        if place != NO_TERMS_INDEX:
            names[place] = register.register(columns.wager_terms.known[place])
    below, given = (each[some] for each in export_range.odds)
    unknown = terms == NO_TERMS_INDEX

    def by_rules_used(say: Callable[[RulesInForce], str | None]) -> Any:
        return _strings_at([*map(say, columns.rules_used), None], governed_by)

    def by_terms(say: Callable[[PayTerms], str]) -> Any:
        return _strings_at([*map(say, columns.wager_terms.known), None], terms)

    def by_limits(say: Callable[[WagerLimits], int | None]) -> Any:
        stated = [say(used.limits_for(bet)) for used in columns.rules_used for bet in BET_CODES]
        box = governed_by * len(BET_CODES) + columns.bets[some]
        return _integers_at([*stated, *[None] * len(BET_CODES)], box)

    return {
        "rules": by_rules_used(lambda used: used.version.rules),
        "version": _integers_at([*(used.version.number for used in columns.rules_used), None], governed_by).cast(
            pa.int32()
        ),
        "pack_sha256": by_rules_used(lambda used: used.pack.pack_sha256),
        "readings_sha256": by_rules_used(lambda used: readings_sha256(used.readings)),
        "pay_table": by_terms(lambda known: known.sheet.rules.pay_table),
        "terms": _strings_at(names, terms),
        "minimum_cents": by_limits(lambda limits: limits.minimum_cents),
        "maximum_cents": by_limits(lambda limits: limits.maximum_cents),
        "odds_numerator": pa.array(np.where(given > 0, given - below, 0).astype(np.int32), mask=unknown),
        "odds_denominator": pa.array(below.astype(np.int32), mask=unknown),
    }


def _verdict_columns(export_range: ExportRange, some: Indexes, made: dict[str, Any]) -> dict[str, Any]:
    """What is due by the odds; where they alone do not decide, what the audit's verdict says."""
    ways, verdicts = export_range.settlement_basis[some], export_range.audit_verdicts
    below, given = (each[some] for each in export_range.odds)
    indexes, names, returned = made["entry_index"].tolist(), made["wager"], export_range.columns.returned[some]
    later = np.array([verdicts.later_cents.get(each, 0) for each in zip(indexes, names, strict=True)], np.int64)
    due = np.where(ways == 0, made["stake_cents"] * given // below, returned + later)
    is_known = (ways == 0) | (returned >= 0)
    is_audited = np.array(indexes, np.int64) < verdicts.audited_to
    is_known &= (ways == 0) | is_audited
    audit = np.where(is_audited, 0, 2)
    audit[ways == len(SETTLEMENT_BASES) - 1] = 3
    codes: list[str | None] = [None] * len(names)
    every: list[list[str]] = [[]] * len(names)
    of_wager = {subject: place for place, subject in enumerate(zip(indexes, names, strict=True))}
    for place in _wagers_with_findings(verdicts, of_wager, indexes):
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
        "settled_by": _strings_at(list(SETTLEMENT_BASES), ways.astype(np.int64)),
        "due_cents": pa.array(due, mask=~is_known),
        "audit": _strings_at([schema.RIGHT, schema.WRONG, schema.WAITING, schema.UNGOVERNED], audit),
        "code": codes,
        "findings": every,
    }


def _wagers_with_findings(
    verdicts: AuditVerdicts, of_wager: dict[tuple[int, str], int], indexes: Sequence[int]
) -> set[int]:
    """Indexes of wagers with a finding about them or their whole round."""
    rounds = {index for index, wager in verdicts.codes if not wager}
    whole = {place for place, index in enumerate(indexes) if index in rounds} if rounds else set()
    return whole | {of_wager[subject] for subject in verdicts.codes if subject in of_wager}
