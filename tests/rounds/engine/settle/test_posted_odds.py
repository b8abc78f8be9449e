"""Posted odds compared with the Licensee's minimums, by level: at, just below and above the minimum."""

from fractions import Fraction

import pytest

from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.settle.posted_odds import find_posted_below_minimum
from tests.rounds.engine.cases import LICENSEE, NSW, rules_of, settle_case


def test_every_bet_posted_too_low_is_named_with_its_minimum_and_clause() -> None:
    posted = {"total:4": Fraction(45), "total:17": Fraction(50), "triple:any": Fraction(30), "pair:1-2": Fraction(4)}
    found = find_posted_below_minimum(rules_of(LICENSEE), posted)
    assert [(each.code, each.posted, each.minimum, each.clause) for each in found] == [
        ("total:4", Fraction(45), Fraction(50), "4(b)"),
        ("pair:1-2", Fraction(4), Fraction(5), "4(b)"),
    ]
    assert found[0].sentence == "total:4 is posted at 45 to 1, below the minimum of 50 to 1 in clause 4(b)"


@pytest.mark.parametrize(
    ("odds", "is_below"), [(Fraction(50), False), (Fraction(499999, 10000), True), (Fraction(51), False)]
)
def test_the_minimum_itself_is_enough(odds: Fraction, is_below: bool) -> None:
    assert bool(find_posted_below_minimum(rules_of(LICENSEE), {"total:4": odds})) is is_below


def test_each_level_of_a_single_number_has_its_own_minimum() -> None:
    def below(*odds: Fraction | int, **readings: str) -> list[tuple[str, str]]:
        posted = {"single:3": tuple(map(Fraction, odds))}
        return [(each.level, each.clause) for each in find_posted_below_minimum(rules_of(LICENSEE, **readings), posted)]

    assert below(Fraction(1, 10), 2, 3) == []
    assert below(Fraction(1, 11), 1, 3) == [("one", "4(b)"), ("two", "4(c)")]
    assert below(Fraction(1, 10), 2, 3, one_of_a_kind="even-money") == [("one", "4(b)")]


def test_a_wrong_number_of_levels_is_refused() -> None:
    with pytest.raises(EngineError) as refused:
        find_posted_below_minimum(rules_of(LICENSEE), {"single:3": Fraction(1)})
    assert refused.value.code is ErrorCode.BAD_ODDS


def test_exact_odds_have_no_minimum_and_unapproved_bets_are_another_matter() -> None:
    assert find_posted_below_minimum(rules_of(NSW), {"total:4": Fraction(1)}) == []
    assert find_posted_below_minimum(rules_of(LICENSEE), {"total:3": Fraction(1)}) == []


def test_settling_says_the_same() -> None:
    line = settle_case(LICENSEE, "total:4", "1-1-2", posted_odds={"total:4": "45 to 1"})
    assert line == {
        "error": "total:4 is posted at 45 to 1, below the minimum of 50 to 1 in clause 4(b)",
        "code": "posted-below-minimum",
    }
