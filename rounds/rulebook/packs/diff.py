"""Diff of two packs or readings: truth table cells, Super Streak, and settlement terms outside the truth table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rounds.engine import OUTCOMES, EngineError, Outcome, bets, errors, format_odds, pack
from rounds.engine import odds as engine_odds
from rounds.rulebook.packs.pack_sources import NamedRules


@dataclass(frozen=True, slots=True)
class SettlementTerm:
    """A changed settlement term that is not in the truth table: limits, rounding, tokens, faults."""

    key: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class TablePair:
    """Two compared pay tables. `before` or `after` None: that side has no pay table of this name."""

    before: str | None
    after: str | None
    cells: list[engine_odds.TruthTableDifference] = field(default_factory=list)
    streak_rows: list[tuple[str, str]] = field(default_factory=list)

    @property
    def label(self) -> str:
        names = dict.fromkeys(name for name in (self.before, self.after) if name is not None)
        return " → ".join(names)


@dataclass(frozen=True, slots=True)
class PackComparison:
    pairs: list[TablePair]
    terms: list[SettlementTerm]

    @property
    def is_same(self) -> bool:
        return not self.terms and not any(
            pair.cells or pair.streak_rows or None in (pair.before, pair.after) for pair in self.pairs
        )


def compare_rules(before: NamedRules, after: NamedRules) -> PackComparison:
    pairs = [_compare_pay_tables(before, after, one, other) for one, other in _pair_pay_tables(before, after)]
    return PackComparison(pairs, list(_changed_terms(before, after)))


def _pair_pay_tables(before: NamedRules, after: NamedRules) -> Iterator[tuple[str | None, str | None]]:
    """Pairs pay tables by name. If either side names a pay table, pairs that one with the other side's only table."""
    if before.pay_table is not None or after.pay_table is not None:
        yield _only_pay_table(before), _only_pay_table(after)
        return
    for name in dict.fromkeys((*before.pay_tables, *after.pay_tables)):
        yield (name if name in before.pay_tables else None), (name if name in after.pay_tables else None)


def _only_pay_table(rules: NamedRules) -> str:
    if len(rules.pay_tables) > 1:
        raise EngineError(
            errors.ErrorCode.UNKNOWN_PAY_TABLE,
            f"{rules}: only the other side names a pay table, expected one of {', '.join(rules.pay_tables)} here",
        )
    return rules.pay_tables[0]


def _compare_pay_tables(before: NamedRules, after: NamedRules, one: str | None, other: str | None) -> TablePair:
    if one is None or other is None:
        return TablePair(one, other)
    old, new = before.compile_for(one), after.compile_for(other)
    return TablePair(
        one, other, engine_odds.truth_table_differences(old, new), engine_odds.streak_differences(old, new)
    )


def _changed_terms(before: NamedRules, after: NamedRules) -> Iterator[SettlementTerm]:
    old, new = (_terms_outside_truth_table(side.compile_for(side.pay_tables[0]).law) for side in (before, after))
    for key in dict.fromkeys((*old, *new)):
        was, now = old.get(key, pack.SILENT), new.get(key, pack.SILENT)
        # A silent document and an explicit "no" have the same effect.
        if was != now and {was, now} != {pack.SILENT, "no"}:
            yield SettlementTerm(key, was, now)


def _terms_outside_truth_table(law: pack.Law) -> dict[str, str]:
    """Settlement terms by key, without clause numbers and notes, which do not change a settlement."""
    return {
        key: {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
        for key, kind, value in pack.iterate_scalars(pack.Law, law)
        if kind is not pack.Clause and not key.endswith(".note") and _is_outside_truth_table(key)
    }


def _is_outside_truth_table(key: str) -> bool:
    return key.startswith(("settlement.", "void.")) or key == "streak.on_fault"


def before_text(cell: engine_odds.TruthTableDifference) -> str:
    return _payout_text(cell.before, cell.was_approved, cell.was_minimum)


def after_text(cell: engine_odds.TruthTableDifference) -> str:
    return _payout_text(cell.after, cell.is_approved, cell.is_minimum)


def _payout_text(odds: Fraction | None, is_approved: bool, is_minimum: bool) -> str:
    if not is_approved:
        return "unapproved"
    return "lose" if odds is None else f"{'at least ' if is_minimum else ''}{format_odds(odds)}"


def comparison_as_json(comparison: PackComparison) -> Iterator[dict[str, Any]]:
    """One object per difference; `kind` is pay-table, cell, streak or term."""
    for pair in comparison.pairs:
        tables = {"pay_table": [pair.before, pair.after]}
        if pair.before is None or pair.after is None:
            yield {"kind": "pay-table", **tables}
        for cell in pair.cells:
            change = {"bet": cell.code, "dice": cell.outcome, "before": before_text(cell), "after": after_text(cell)}
            yield {"kind": "cell", **tables, **change}
        for side, row in pair.streak_rows:
            yield {"kind": "streak", **tables, "side": side, "row": row}
    for term in comparison.terms:
        yield {"kind": "term", "key": term.key, "before": term.before, "after": term.after}


def changed_cell_rows(pair: TablePair) -> list[list[str]]:
    """Rows of bet, before, after, number of rolls (of 216), and the rolls, sorted and with their number of orders."""
    grouped: dict[tuple[str, str, str], list[Outcome]] = {}
    for cell in pair.cells:
        grouped.setdefault((cell.code, before_text(cell), after_text(cell)), []).append(cell.outcome)
    return [[*change, str(len(rolls)), _rolls_text(rolls)] for change, rolls in grouped.items()]


def changed_streak_rows(pair: TablePair) -> list[list[str]]:
    """The changed Super Streak rows, with rolls on the same side grouped."""
    grouped: dict[tuple[str, str], list[Outcome]] = {}
    for when, row in pair.streak_rows:
        side = _STREAK_SIDE_ROW.fullmatch(row)
        rolls = grouped.setdefault((when, f"{side[1]}: {side[3]}" if side else row.removeprefix("streak ")), [])
        if side:
            rolls.append(bets.parse_outcome([int(face) for face in side[2].split("-")]))
    return [[*row, str(len(rolls) or ""), _rolls_text(rolls)] for row, rolls in grouped.items()]


_STREAK_SIDE_ROW = re.compile(r"streak (\S+) (\d-\d-\d) (\S+)", re.ASCII)


def _rolls_text(rolls: list[Outcome]) -> str:
    if len(rolls) == len(OUTCOMES):
        return "every roll"
    orders = Counter(bets.format_outcome(tuple(sorted(roll))) for roll in rolls)  # type: ignore[arg-type]
    return ", ".join(dice if count == 1 else f"{dice} ×{count}" for dice, count in sorted(orders.items()))
