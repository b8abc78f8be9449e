"""Exact house edges, compared with figures computed independently."""

import math
from collections import defaultdict
from fractions import Fraction
from itertools import product

import pytest

from rounds.engine.bets.bet_codes import BETS, STREAK_PAIRS
from rounds.engine.bets.dice_outcomes import OUTCOMES
from rounds.engine.errors import EngineError
from rounds.engine.odds.house_edges import compute_house_edges, house_edge, streak_returns
from rounds.engine.settle.settlement import WagerQuestion
from rounds.engine.settle.super_streak import StreakEnd, follow_streak
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, RWS, SKYCITY, pack_of, rules_of


def percent(edge: Fraction) -> float:
    return round(float(edge * 100), 2)


@pytest.mark.parametrize(
    ("slug", "table", "code", "readings", "edge"),
    [
        (NSW, "1", "small", {}, 2.78),
        (NSW, "1", "even", {}, 26.85),
        (NSW, "1", "even", {"even": "every-even-total"}, 2.78),
        (NSW, "1", "four:1-2-3-4", {}, 11.11),
        (NSW, "1", "four:1-2-3-4", {"four-number": "repeats-allowed"}, -137.04),
        (NSW, "1", "triple:6", {}, 16.2),
        (NSW, "1", "triple:any", {}, 11.11),
        (NSW, "1", "double:1", {}, 11.11),
        (NSW, "1", "total:4", {}, 12.5),
        (NSW, "1", "total:9", {}, 7.41),
        (NSW, "1", "pair:1-2", {}, 2.78),
        (NSW, "1", "single:1", {}, 3.7),
        (RWS, "1", "total:8", {}, 7.64),
        (RWS, "1", "triple:1", {}, 9.26),
        (RWS, "2", "three:1-2-3", {}, 13.89),
        (RWS, "3", "double-single:1-1-3", {}, 29.17),
        (RWS, "1", "pair:1-2", {"domino": "twice"}, -13.89),
        (SKYCITY, "1", "field", {}, 3.7),
        (SKYCITY, "1", "field", {"field-on-triples": "lose"}, 5.56),
        (SKYCITY, "1", "pair:1-2", {}, 9.72),
        (SKYCITY, "1", "single:1", {}, 4.63),
        (LICENSEE, "1", "single:1", {}, 39.12),
        (LICENSEE, "1", "single:1", {"one-of-a-kind": "even-money"}, 7.87),
        (LICENSEE, "1", "single:1", {"one-of-a-kind": "even-money", "one-of-a-kind-pair": "any-pair"}, 0.93),
        (LICENSEE, "1", "double:1", {}, 33.33),
        (LICENSEE, "1", "double:1", {"two-of-a-kind": "exactly-two"}, 37.5),
        (LICENSEE, "1", "big", {}, 2.78),
        (LICENSEE, "1", "big", {"big": "as-printed"}, 100.0),
    ],
)
def test_dice(slug: str, table: str, code: str, readings: dict[str, str], edge: float) -> None:
    rules = rules_of(slug, table, **{name.replace("-", "_"): choice for name, choice in readings.items()})
    assert percent(house_edge(rules, code)) == edge


@pytest.mark.parametrize(
    ("code", "readings", "edge"),
    [
        ("streak:small", {}, Fraction(201, 2048)),
        ("streak:odd", {}, Fraction(201, 2048)),
        ("streak:small-big", {}, Fraction(201, 2048)),
        ("streak:small", {"streak_count": "opening-counts"}, Fraction(-823, 1024)),
        ("streak:small-big", {"streak_count": "first-result-sets"}, Fraction(-823, 1024)),
        ("streak:small", {"streak_count": "first-result-sets"}, Fraction(201, 2048)),
        ("streak:small", {"streak_ten": "breaks"}, Fraction(201, 2048)),
        ("streak:odd", {"streak_ten": "breaks"}, Fraction(201, 2048)),
    ],
)
def test_streaks_exactly(code: str, readings: dict[str, str], edge: Fraction) -> None:
    assert house_edge(rules_of(NSW, **readings), code) == edge


def test_an_even_streak_that_ten_breaks() -> None:
    assert percent(house_edge(rules_of(NSW, streak_ten="breaks"), "streak:even")) == 80.86


@pytest.mark.parametrize("decks", [2, 3, 4, 5, 6])
def test_cards_are_drawn_without_replacement(decks: int) -> None:
    cards, alike = 48 * decks, 8 * decks
    triple = Fraction(6 * alike * (alike - 1) * (alike - 2), cards * (cards - 1) * (cards - 2))
    # Evens lose on every triple and otherwise win half the time; Any Triple pays 31 to 1.
    assert house_edge(rules_of(MBS), "small", decks) == triple
    assert house_edge(rules_of(MBS), "triple:any", decks) == 1 - 32 * triple


def test_a_total_of_six_in_two_decks() -> None:
    assert percent(house_edge(rules_of(MBS), "total:6", 2)) == 12.55
    assert house_edge(rules_of(MBS, totals_on_triples="lose"), "total:6", 2) == Fraction(1, 5)


@pytest.mark.parametrize("decks", [None, 0, 1, 7])
def test_numbers_of_decks_that_the_rules_do_not_know(decks: int | None) -> None:
    with pytest.raises(EngineError, match="2 to 6 decks"):
        house_edge(rules_of(MBS), "small", decks)
    with pytest.raises(EngineError, match="dice"):
        house_edge(rules_of(NSW), "small", 2)


def test_every_bet_is_listed_under_every_combination_of_readings_that_moves_it() -> None:
    listed = [(edge.code, dict(edge.readings)) for edge in compute_house_edges(pack_of(NSW))]
    assert [readings for code, readings in listed if code == "small"] == [{}]
    assert [readings for code, readings in listed if code == "even"] == [
        {},
        {"even": "every-even-total"},
        {"even": "printed-no-triple"},
    ]
    assert len([code for code, _ in listed if code == "streak:odd-even"]) == 9
    assert len([code for code, _ in listed if code == "streak:small"]) == 3
    singles = [dict(edge.readings) for edge in compute_house_edges(pack_of(LICENSEE)) if edge.code == "single:3"]
    assert len(singles) == 4


def test_a_bet_that_only_a_reading_approves_is_listed_under_it_alone() -> None:
    listed = [edge for edge in compute_house_edges(pack_of(RWS)) if edge.code == "double-single:6-6-5"]
    assert [(edge.pay_table, edge.readings) for edge in listed] == [
        ("2", (("double-single", "all-thirty"),)),
        ("3", (("double-single", "all-thirty"),)),
    ]


def test_cards_are_listed_for_each_number_of_decks() -> None:
    assert [edge.decks for edge in compute_house_edges(pack_of(MBS)) if edge.code == "small"] == [2, 3, 4, 5, 6]


@pytest.mark.parametrize("code", ["streak:small", "streak:big", "streak:odd", "streak:small-big"])
def test_what_a_streak_gives_back_is_as_play_gives_it(code: str) -> None:
    """Compares the exact probabilities with an enumeration: every sequence of sides is settled and weighted by its
    probability. Sequences one result longer than the longest streak decide every wager."""
    rules = rules_of(NSW, "1")
    streak = rules.law.streak
    assert streak is not None
    exact: dict[Fraction, Fraction] = defaultdict(Fraction)
    for returned, chance in streak_returns(rules, code):
        exact[returned] += chance
    pair = BETS[code].streak_pair
    sides = {
        side: [outcome for outcome, at in zip(OUTCOMES, rules.streak_sides[pair], strict=True) if at == side]
        for side in STREAK_PAIRS[pair]
    }
    decisive = sum(map(len, sides.values()))
    played: dict[Fraction, Fraction] = defaultdict(Fraction)
    for run in product(sides, repeat=streak.longest + 1):
        history = [sides[side][0] for side in run]
        opening = history[0] if BETS[code].side in STREAK_PAIRS else None
        asked = WagerQuestion(BETS[code], 1, history=tuple(history[1:] if opening else history), opening=opening)
        ended = follow_streak(streak, rules.streak_sides, asked)
        assert ended.end is not StreakEnd.RUNNING
        odds = streak.odds_at(ended.count)
        played[Fraction(0) if odds is None else 1 + odds] += math.prod(
            (Fraction(len(sides[side]), decisive) for side in run), start=Fraction(1)
        )
    assert played == exact
    assert sum(exact.values()) == 1
    assert 1 - sum(returned * chance for returned, chance in exact.items()) == house_edge(rules, code)
