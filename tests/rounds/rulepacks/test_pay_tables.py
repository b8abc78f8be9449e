"""The odds of all seven pay tables, typed from the documents, and the digests of their truth tables."""

from fractions import Fraction

import pytest

from rounds.engine.odds.truth_table import truth_table_sha256
from rounds.engine.pack.compiled_rules import Rules
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, PAY_TABLES, RWS, SKYCITY, rules_of

HALF = Fraction(1, 2)
# The number of rolls (of 216) with each total.
ROLLS = {4: 3, 5: 6, 6: 10, 7: 15, 8: 21, 9: 25, 10: 27, 11: 27, 12: 25, 13: 21, 14: 15, 15: 10, 16: 6, 17: 3}
SINGLE = {1: 75, 2: 15, 3: 1}

Odds = int | Fraction
# Odds by family; totals in the order 4, 5, 6, 7, 8, 9, 10, which 17 down to 11 mirror; singles on one, two, three dice.
PRINTED: dict[tuple[str, str], dict[str, Odds | list[Odds]]] = {
    (NSW, "1"): {
        "small": 1,
        "big": 1,
        "odd": 1,
        "even": 1,
        "triple": 180,
        "triple:any": 31,
        "double": 11,
        "total": [62, 31, 18, 12, 8, 7, 6],
        "four": 7,
        "pair": 6,
        "single": [1, 2, 12],
    },
    (RWS, "1"): {
        "small": 1,
        "big": 1,
        "odd": 1,
        "even": 1,
        "triple": 195,
        "triple:any": 32,
        "double": 11 + HALF,
        "total": [64, 32, 19, 12, 8 + HALF, 7, 6 + HALF],
        "four": 7 + HALF,
        "pair": 6,
        "single": [1, 2, 12],
    },
    (RWS, "2"): {
        "small": 1,
        "big": 1,
        "odd": 1,
        "even": 1,
        "triple": 195,
        "triple:any": 32,
        "double": 11 + HALF,
        "total": [64, 32, 19, 12, 8 + HALF, 7, 6 + HALF],
        "four": 7 + HALF,
        "pair": 6,
        "single": [1, 2, 12],
        "three": 30,
        "double-single": 50,
    },
    (RWS, "3"): {
        "small": 1,
        "big": 1,
        "odd": 1,
        "even": 1,
        "triple": 180,
        "triple:any": 31,
        "double": 11,
        "total": [62, 31, 18, 12, 8, 7, 6],
        "four": 7,
        "pair": 6,
        "single": [1, 2, 12],
        "three": 30,
        "double-single": 50,
    },
    (MBS, "1"): {
        "small": 1,
        "big": 1,
        "odd": 1,
        "even": 1,
        "triple:any": 31,
        "total": [62, 31, 18, 12, 8, 7, 6],
    },
    (SKYCITY, "1"): {
        "small": 1,
        "big": 1,
        "odd": 1,
        "even": 1,
        "field": 1,
        "triple": 190,
        "triple:any": 32,
        "double": 11,
        "total": [64, 32, 19, 12, 8, 7, 6],
        "four": 7,
        "pair": 5 + HALF,
        "single": [1, 2, 10],
    },
    (LICENSEE, "1"): {
        "small": 1,
        "big": 1,
        "triple": 150,
        "triple:any": 24,
        "double": 8,
        "total": [50, 18, 14, 12, 8, 6, 6],
        "pair": 5,
        "single": [Fraction(1, 10), 2, 3],
    },
}

# The number of bets of each family, and the number of rolls (of 216) at which each of them wins.
BOXES = {
    "small": (1, 105), "big": (1, 105), "odd": (1, 105), "even": (1, 105), "field": (1, 104), "triple": (6, 1),
    "triple:any": (1, 6), "double": (6, 16), "four": (4, 24), "pair": (15, 30), "three": (20, 6),
    "double-single": (28, 3),
}  # fmt: skip


def expected_wins(slug: str, table: str) -> dict[str, dict[Odds, int]]:
    """Every bet of a pay table with the number of rolls at which it is paid each odds."""
    wins: dict[str, dict[Odds, int]] = {}
    for family, odds in PRINTED[slug, table].items():
        if isinstance(odds, list) and family == "total":
            for total, rolls in ROLLS.items():
                wins[f"total:{total}"] = {odds[min(total, 21 - total) - 4]: rolls}
        elif isinstance(odds, list):
            for number in range(1, 7):
                wins[f"single:{number}"] = {odds[dice - 1]: rolls for dice, rolls in SINGLE.items()}
        else:
            for code in codes_of(rules_of(slug, table), family):
                wins[code] = {odds: BOXES[family][1]}
            assert len(codes_of(rules_of(slug, table), family)) == BOXES[family][0]
    if slug == NSW:
        wins["even"] = {1: 79}  # as printed: without 10, with 6-6-6
    return wins


def codes_of(rules: Rules, family: str) -> list[str]:
    if family == "triple":
        return [code for code in rules.bets if code.startswith("triple:") and code != "triple:any"]
    return [code for code in rules.bets if code == family or code.startswith(f"{family}:")]


@pytest.mark.parametrize(("slug", "table"), PAY_TABLES)
def test_every_bet_is_paid_as_printed_on_as_many_rolls_as_it_should(slug: str, table: str) -> None:
    found: dict[str, dict[Odds, int]] = {}
    for code, rule in rules_of(slug, table).bets.items():
        paid = [pay.odds for pay in rule.by_outcome if pay is not None]
        found[code] = {odds: paid.count(odds) for odds in paid}
    assert found == expected_wins(slug, table)


DIGESTS = {
    (NSW, "1"): "471087ecfc2a5f12993c07a5ecea93292b9a5451919b3f21a02ed77ebbb5c6d6",
    (RWS, "1"): "fe4d38ecdd14db18aa2f415acef2ef14e70294afe389f9eae8e6fd4dbcba1d4a",
    (RWS, "2"): "bf91eaaebd5a2cb712c539f77f50afcdfc71f7787460ab546aa42e9a1ff30362",
    (RWS, "3"): "4bad3601a6ceb9f072fc962da9c7aab898f1b3c4c4a760034dab2014a75ca566",
    (MBS, "1"): "dc865cd93b97de523628e3401a19cbf0806061e0c9cd6b99f34638beb0669c43",
    (SKYCITY, "1"): "265b7ce50b12ee24c81ea3eaa1a9ce333ca6cc0074443bc1c3e112b8b50393c4",
    (LICENSEE, "1"): "fe84c2f941e1f9311b6aa01406ba50a65debfc012971330bbc075134bb88b560",
}


@pytest.mark.parametrize(("slug", "table"), PAY_TABLES)
def test_truth_tables_are_pinned(slug: str, table: str) -> None:
    assert truth_table_sha256(rules_of(slug, table)) == DIGESTS[slug, table]


def test_streaks_are_paid_as_printed() -> None:
    streak = rules_of(NSW).law.streak
    assert streak is not None
    assert [streak.odds_at(count) for count in range(1, 14)] == [
        None,
        None,
        None,
        6,
        10,
        15,
        20,
        35,
        50,
        75,
        100,
        500,
        None,
    ]


def test_rws_prints_28_double_singles() -> None:
    codes = [code for code in rules_of(RWS, "2").bets if code.startswith("double-single:")]
    assert len(codes) == 28
    assert "double-single:1-1-2" not in codes
    assert "double-single:6-6-5" not in codes


def test_optional_wagers() -> None:
    def optional(slug: str) -> list[str]:
        return [code for code, rule in rules_of(slug).bets.items() if rule.is_optional]

    fours = ["four:1-2-3-4", "four:2-3-4-5", "four:2-3-5-6", "four:3-4-5-6"]
    assert optional(NSW) == ["odd", "even", *fours]
    assert optional(SKYCITY) == ["odd", "even", "field", *fours]
    assert optional(RWS) == optional(MBS) == optional(LICENSEE) == []


def test_skycity_sets_and_pairs_are_to_be_confirmed() -> None:
    wagers = rules_of(SKYCITY).law.wager
    for name in ("four", "pair"):
        assert "taken from the layout, to be confirmed" in wagers[name].to_be_confirmed
    assert [name for name, wager in wagers.items() if wager.to_be_confirmed] == ["four", "pair"]


def test_only_licensee_odds_are_minimums() -> None:
    for slug, table in PAY_TABLES:
        floors = {pay.is_minimum for rule in rules_of(slug, table).bets.values() for pay in rule.levels}
        assert floors == {slug == LICENSEE}
