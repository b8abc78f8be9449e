"""The approval gate: which house edges must be confirmed with a reason before a version is approved."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rounds.engine.edges import Edge, edges
from rounds.engine.packs import Pack
from rounds.rulebook.edge_rows import EdgeRow, edge_rows

EDGE_CEILING = Fraction(35, 100)


@dataclass(frozen=True)
class JudgedRow:
    """Boxes of one wager that share an edge. `is_adopted`: under the readings that the version adopts."""

    row: EdgeRow
    is_adopted: bool

    @property
    def is_outside(self) -> bool:
        return any(edge < 0 or edge > EDGE_CEILING for _, edge in self.row.edges)

    def as_json(self) -> dict[str, Any]:
        """As the approval records it: exact, and with the boxes it is about."""
        terms = self.row.terms
        return {
            "pay_table": terms.pay_table,
            "bets": list(self.row.codes),
            "readings": dict(terms.readings),
            "edges": [{"decks": decks, "edge": str(edge)} for decks, edge in self.row.edges],
        }


def judged_rows(pack: Pack, readings: Mapping[str, str]) -> list[JudgedRow]:
    """Every wager under every combination of readings that moves its edge; the adopted ones are marked."""
    exact = _every_edge(pack)
    bearing: dict[tuple[str, str], set[str]] = {}
    for edge in exact:
        bearing.setdefault((edge.pay_table, edge.code), set()).update(name for name, _ in edge.readings)
    adopted = [edge for edge in exact if _is_adopted(edge, pack, readings, bearing[edge.pay_table, edge.code])]
    are_adopted = set(adopted)
    others = [edge for edge in exact if edge not in are_adopted]
    return [JudgedRow(row, True) for row in edge_rows(adopted)] + [JudgedRow(row, False) for row in edge_rows(others)]


def rows_to_confirm(pack: Pack, readings: Mapping[str, str]) -> list[JudgedRow]:
    """Below nought the player has the advantage; above the ceiling the house has more than is usual."""
    return [row for row in judged_rows(pack, readings) if row.is_outside]


@lru_cache(maxsize=64)
def _every_edge(pack: Pack) -> tuple[Edge, ...]:
    return tuple(edges(pack))


def _is_adopted(edge: Edge, pack: Pack, readings: Mapping[str, str], bearing: set[str]) -> bool:
    """An edge names the choices that are not defaults; of the adopted ones, those that bear on this bet count."""
    departures = {
        name: choice for name, choice in readings.items() if name in bearing and choice != pack.readings[name].default
    }
    return dict(edge.readings) == departures
