"""House edges grouped into rows: the bets of one family with the same edge share a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from rounds.engine import BET_INDEX, BETS, odds
from rounds.rulebook.packs.formatting import format_columns, format_percent

MAX_BETS_NAMED = 3


class EdgeTerms(NamedTuple):
    """What an edge was computed under, except the number of decks."""

    rules: str
    version: str
    pay_table: str
    readings: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """Bets of one family with the same edges. `edges` are (number of decks, edge); decks None for dice."""

    terms: EdgeTerms
    codes: tuple[str, ...]
    edges: tuple[tuple[int | None, Fraction], ...]

    @property
    def bets(self) -> str:
        """All codes, or first and last if there are more than MAX_BETS_NAMED consecutive ones."""
        first, last = BET_INDEX[self.codes[0]], BET_INDEX[self.codes[-1]]
        if len(self.codes) <= MAX_BETS_NAMED or last - first >= len(self.codes):
            return ", ".join(self.codes)
        return f"{self.codes[0]} … {self.codes[-1]} ({len(self.codes)} boxes)"


def group_house_edges(edges: Iterable[odds.HouseEdge]) -> list[EdgeRow]:
    """Groups edges into rows, in the order of first occurrence."""
    boxes: dict[tuple[EdgeTerms, str], list[tuple[int | None, Fraction]]] = {}
    for each in edges:
        terms = EdgeTerms(each.rules, each.version, each.pay_table, each.readings)
        boxes.setdefault((terms, each.code), []).append((each.decks, each.edge))
    rows: dict[tuple[EdgeTerms, str, tuple[tuple[int | None, Fraction], ...]], list[str]] = {}
    for (terms, code), by_decks in boxes.items():
        rows.setdefault((terms, BETS[code].family, tuple(by_decks)), []).append(code)
    return [EdgeRow(terms, tuple(codes), by_decks) for (terms, _, by_decks), codes in rows.items()]


def edge_tables_as_text(rows: Iterable[EdgeRow]) -> Iterator[str]:
    """One text table for each pay table."""
    by_table: dict[str, list[EdgeRow]] = {}
    for row in rows:
        by_table.setdefault(f"{row.terms.rules}@{row.terms.version}, pay table {row.terms.pay_table}", []).append(row)
    for title, its_rows in by_table.items():
        cells = [_row_cells(row, decks, edge) for row in its_rows for decks, edge in row.edges]
        headings = ("bets", "decks", "percent", "edge", "readings that are not the default")
        yield f"{title}\n\n{format_columns(headings, cells, figures=frozenset({'decks', 'percent'}))}"


def _row_cells(row: EdgeRow, decks: int | None, edge: Fraction) -> list[str]:
    readings = ", ".join(f"{name}={choice}" for name, choice in row.terms.readings)
    return [row.bets, "" if decks is None else str(decks), format_percent(edge), str(edge), readings]


def house_edge_as_json(edge: odds.HouseEdge) -> dict[str, Any]:
    """The line that `rulebook edges --json` prints."""
    return {
        "rules": edge.rules,
        "version": edge.version,
        "pay_table": edge.pay_table,
        "decks": edge.decks,
        "bet": edge.code,
        "readings": dict(edge.readings),
        "edge": str(edge.edge),
    }
