"""The exact house edge of every bet, pinned in `pinned_edges.toml`: a change to a pack that moves one is noticed."""

import tomllib
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rounds.engine.odds.house_edges import HouseEdge

FILE = Path(__file__).with_name("pinned_edges.toml")


class EdgeKey(NamedTuple):
    """What an edge belongs to. `readings` holds the non-default choices only."""

    pay_table: str
    decks: int | None
    readings: tuple[tuple[str, str], ...]
    code: str


@cache
def pinned_edges(slug: str) -> dict[EdgeKey, Fraction]:
    return {
        EdgeKey(row["pay_table"], row.get("decks"), tuple(row.get("readings", {}).items()), code): Fraction(row["edge"])
        for row in tomllib.loads(FILE.read_text())[slug]
        for code in row["bets"]
    }


def by_key(edges: Iterable[HouseEdge]) -> dict[EdgeKey, Fraction]:
    return {EdgeKey(each.pay_table, each.decks, each.readings, each.code): each.edge for each in edges}
