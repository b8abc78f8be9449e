"""The approval gate: which house edges must be confirmed with a reason before a version is approved."""

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
    """Boxes of one wager that share an edge. `is_adopted`: under the readings that the version adopts."""

    row: EdgeRow
    is_adopted: bool

    @property
    def is_outside_ordinary_range(self) -> bool:
        return any(edge < 0 or edge > MAX_ORDINARY_EDGE for _, edge in self.row.edges)

    def as_json(self) -> dict[str, Any]:
        """As the approval records it: exact, and with the boxes it is about."""
        terms = self.row.terms
        return {
            "pay_table": terms.pay_table,
            "bets": list(self.row.codes),
            "readings": dict(terms.readings),
            "edges": [{"decks": decks, "edge": str(edge)} for decks, edge in self.row.edges],
        }


def rate_house_edges(pack: Pack, readings: Mapping[str, str]) -> list[RatedEdgeRow]:
    """Every wager under every combination of readings that moves its edge; the adopted ones are marked."""
    exact = _all_house_edges(pack)
    bearing: dict[tuple[str, str], set[str]] = {}
    for edge in exact:
        bearing.setdefault((edge.pay_table, edge.code), set()).update(name for name, _ in edge.readings)
    adopted = [edge for edge in exact if _is_adopted(edge, pack, readings, bearing[edge.pay_table, edge.code])]
    are_adopted = set(adopted)
    others = [edge for edge in exact if edge not in are_adopted]
    return [RatedEdgeRow(row, True) for row in group_house_edges(adopted)] + [
        RatedEdgeRow(row, False) for row in group_house_edges(others)
    ]


def edge_rows_to_confirm(pack: Pack, readings: Mapping[str, str]) -> list[RatedEdgeRow]:
    """Below nought the player has the advantage; above the ceiling the house has more than is usual."""
    return [row for row in rate_house_edges(pack, readings) if row.is_outside_ordinary_range]


@lru_cache(maxsize=64)
def _all_house_edges(pack: Pack) -> tuple[odds.HouseEdge, ...]:
    return tuple(odds.compute_house_edges(pack))


def _is_adopted(edge: odds.HouseEdge, pack: Pack, readings: Mapping[str, str], bearing: set[str]) -> bool:
    """An edge names the choices that are not defaults; of the adopted ones, those that bear on this bet count."""
    departures = {
        name: choice for name, choice in readings.items() if name in bearing and choice != pack.readings[name].default
    }
    return dict(edge.readings) == departures
