"""Approval gate: house edges outside the ordinary range must be confirmed with a reason to approve a version."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rounds.engine import Pack, odds
from rounds.rulebook.packs.house_edge_rows import EdgeRow, group_house_edges

MAX_ORDINARY_EDGE = Fraction(35, 100)


@dataclass(frozen=True)
class RatedEdgeRow:
    """A row of bets with the same edge. `is_adopted`: under the version's adopted readings."""

    row: EdgeRow
    is_adopted: bool

    @property
    def is_outside_ordinary_range(self) -> bool:
        return any(edge < 0 or edge > MAX_ORDINARY_EDGE for _, edge in self.row.edges)

    def as_json(self) -> dict[str, Any]:
        """The row as recorded in the approval entry, with exact fractions."""
        terms = self.row.terms
        return {
            "pay_table": terms.pay_table,
            "bets": list(self.row.codes),
            "readings": dict(terms.readings),
            "edges": [{"decks": decks, "edge": str(edge)} for decks, edge in self.row.edges],
        }


def rate_house_edges(pack: Pack, readings: Mapping[str, str]) -> list[RatedEdgeRow]:
    """The edges under every combination of readings that affects them, adopted ones first and marked."""
    exact = _all_house_edges(pack)
    affecting: dict[tuple[str, str], set[str]] = {}
    for edge in exact:
        affecting.setdefault((edge.pay_table, edge.code), set()).update(name for name, _ in edge.readings)
    adopted = [edge for edge in exact if _is_adopted(edge, pack, readings, affecting[edge.pay_table, edge.code])]
    are_adopted = set(adopted)
    others = [edge for edge in exact if edge not in are_adopted]
    return [RatedEdgeRow(row, True) for row in group_house_edges(adopted)] + [
        RatedEdgeRow(row, False) for row in group_house_edges(others)
    ]


def edge_rows_to_confirm(pack: Pack, readings: Mapping[str, str]) -> list[RatedEdgeRow]:
    """The rows outside the ordinary range: below 0 the player has the advantage, above MAX_ORDINARY_EDGE is unusual."""
    return [row for row in rate_house_edges(pack, readings) if row.is_outside_ordinary_range]


@lru_cache(maxsize=64)
def _all_house_edges(pack: Pack) -> tuple[odds.HouseEdge, ...]:
    return tuple(odds.compute_house_edges(pack))


def _is_adopted(edge: odds.HouseEdge, pack: Pack, readings: Mapping[str, str], affecting: set[str]) -> bool:
    """Whether the edge's non-default readings are the adopted non-default readings that affect this bet."""
    non_default = {
        name: choice for name, choice in readings.items() if name in affecting and choice != pack.readings[name].default
    }
    return dict(edge.readings) == non_default
