"""The exact house edge of every bet: the engine's, and the reference settlement's, against the pinned ones."""

from fractions import Fraction
from itertools import product
from math import prod

import pytest

from rounds.engine.bets.bet_codes import BETS
from rounds.engine.odds.house_edges import compute_house_edges
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, PAY_TABLES, RWS, SKYCITY, pack_of
from tests.rounds.engine.odds.pinned_edges import EdgeKey, by_key, pinned_edges
from tests.rounds.reference.naive import naive_settle

ROLLS = list(product(range(1, 7), repeat=3))
# A stake that the odds of every document pay in whole cents and whole chips.
STAKE = 100_000


@pytest.mark.parametrize("slug", [NSW, RWS, MBS, SKYCITY, LICENSEE])
def test_the_engine_computes_the_pinned_edges(slug: str) -> None:
    assert by_key(compute_house_edges(pack_of(slug))) == pinned_edges(slug)


@pytest.mark.parametrize("slug", [NSW, RWS, MBS, SKYCITY, LICENSEE])
def test_the_reference_settlement_has_the_pinned_edges(slug: str) -> None:
    """Streak bets are not settled by one roll; tests/rounds/reference/test_edges_of_naive.py has theirs."""
    for key, edge in pinned_edges(slug).items():
        if not BETS[key.code].is_streak:
            assert reference_edge(slug, key) == edge, key


def reference_edge(slug: str, key: EdgeKey) -> Fraction:
    line = {"rules": slug, "bet": key.code, "stake": STAKE, "readings": dict(key.readings)}
    if len([1 for other, _ in PAY_TABLES if other == slug]) > 1:
        line["pay_table"] = key.pay_table
    returned = Fraction(0)
    for roll in ROLLS:
        chance = Fraction(1, 216) if key.decks is None else draw_chance(roll, key.decks)
        returned += chance * naive_settle(line | {"dice": list(roll)})["returned"]
    return 1 - returned / STAKE


def draw_chance(roll: tuple[int, ...], decks: int) -> Fraction:
    """Three cards in this order from decks of 48 cards, eight of each face, none put back."""
    left = [8 * decks - roll[:at].count(face) for at, face in enumerate(roll)]
    return Fraction(prod(left), prod(48 * decks - at for at in range(3)))
