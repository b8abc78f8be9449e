"""Limits that the sign states by type of wager (NSW 4.1, 4.3, SkyCity 3.h, 8.e, RWS 3.3): each type at, just inside and
just outside its own limits; the table's limits for every other wager."""

from typing import Any

import pytest

from rounds.engine.settle.settlement import WagerLimits
from rounds.intake.protocol.fields import BetLimits, Limits, PlayerLimits
from rounds.intake.protocol.round import Change
from tests.compliance.audit.checks.round.test_settlement import found, judge
from tests.compliance.audit.round_builders import NSW, RWS, SKYCITY, at, wager

DICE = (4, 2, 4)
# $5 to $500 at the table; $10 to $100 on Small.
TABLE, SMALL = WagerLimits(500, 50_000), WagerLimits(1_000, 10_000)
BY_TYPE: dict[str, Any] = {"limits": TABLE, "limits_by_bet": {"small": SMALL}}
SIGN = Limits(min=500, max=50_000, by_bet={"small": BetLimits(min=1_000, max=10_000)})
DOCUMENTS = pytest.mark.parametrize("rules", [NSW, SKYCITY, RWS])


def codes(rules: str, bet: str, stake: int, returned: int | None = None, **rest: Any) -> list[str]:
    """Findings about one wager; small wins and big loses."""
    paid = returned if returned is not None else 2 * stake if bet == "small" else 0
    return [draft.code for draft in judge(rules, DICE, wager(bet, stake, paid, rules=rules), **BY_TYPE, **rest)]


@DOCUMENTS
@pytest.mark.parametrize("stake", [1_000, 1_001, 9_999, 10_000])
def test_within_the_limits_of_its_type(rules: str, stake: int) -> None:
    assert codes(rules, "small", stake) == []


@pytest.mark.parametrize(
    ("rules", "code", "clause"),
    [(NSW, "LIMIT-OVER-MAX", "4.3"), (SKYCITY, "SETTLE-CLIP", "8.e"), (RWS, "LIMIT-OVER-MAX", "3.3")],
)
def test_a_cent_above_the_maximum_of_its_type(rules: str, code: str, clause: str) -> None:
    """Paid in full: in New South Wales it stands, at SkyCity the cent above had to be handed back."""
    [draft] = judge(rules, DICE, wager("small", 10_001, 20_002, rules=rules), **BY_TYPE)
    assert (draft.code, draft.clause) == (code, clause)


@pytest.mark.parametrize("rules", [NSW, SKYCITY])
def test_a_wager_is_settled_up_to_the_maximum_of_its_type(rules: str) -> None:
    """$150 on Small counts as $100: $200 and the $50 above it are due."""
    [draft] = judge(rules, DICE, wager("small", 15_000, 25_000), **BY_TYPE)
    assert (draft.code, draft.required_cents) == ("LIMIT-OVER-MAX", None)
    assert "$100.00" in draft.sentence
    [draft] = judge(rules, DICE, wager("small", 15_000, 27_500), **BY_TYPE)
    assert (draft.code, draft.required_cents) == ("SETTLE-CLIP", 25_000)


@DOCUMENTS
def test_a_cent_below_the_minimum_of_its_type(rules: str) -> None:
    [draft] = judge(rules, DICE, wager("small", 999, 1_998, rules=rules), **BY_TYPE)
    assert draft.code == "WAGER-UNDER-MIN"
    assert "$10.00" in draft.sentence


@DOCUMENTS
@pytest.mark.parametrize(
    ("stake", "expected"),
    [(499, ["WAGER-UNDER-MIN"]), (500, []), (50_000, [])],
    ids=["below", "at-minimum", "at-maximum"],
)
def test_the_limits_of_the_table_hold_for_other_types(rules: str, stake: int, expected: list[str]) -> None:
    assert codes(rules, "big", stake) == expected


@pytest.mark.parametrize("rules", [NSW, SKYCITY])
def test_wagers_of_one_player_on_a_type_count_together(rules: str) -> None:
    first = wager("small", 6_000, 12_000, id="first", placed_at=at(15))
    [draft] = judge(rules, DICE, first, wager("small", 6_000, 10_000, id="second", placed_at=at(16)), **BY_TYPE)
    assert (draft.code, draft.wager) == ("LIMIT-OVER-MAX", "second")
    assert judge(rules, DICE, first, wager("small", 4_000, 8_000, id="second", placed_at=at(16)), **BY_TYPE) == []


def test_the_type_is_that_of_the_box_on_which_the_wager_lay_in_the_end() -> None:
    moved = (Change(what="moved", at=at(25), bet="small"),)
    [draft] = judge(NSW, DICE, wager("big", 20_000, 40_000, changes=moved, verdict="win"), **BY_TYPE)
    assert (draft.code, draft.clause) == ("LIMIT-OVER-MAX", "4.3")
    away = (Change(what="moved", at=at(25), bet="big"),)
    assert judge(NSW, DICE, wager("small", 20_000, 0, changes=away), **BY_TYPE) == []


def test_a_player_with_own_limits_plays_under_those() -> None:
    own = {"player_limits": (PlayerLimits(min=500, max=60_000, player="p-01"),)}
    assert codes(NSW, "small", 60_000, round=own) == []


def test_multiples_are_those_of_the_minimum_of_the_type() -> None:
    """SkyCity 8.f: $15 on domino 2-4 with multiples of $10 wins like $10, which is $55; the whole stake goes back."""
    notice: dict[str, Any] = {"needs_multiples": True, "payable_unit_cents": 500}
    facts: dict[str, Any] = {
        "limits": WagerLimits(500, 50_000, **notice),
        "limits_by_bet": {"pair:2-4": WagerLimits(1_000, 10_000, **notice)},
    }
    assert judge(SKYCITY, DICE, wager("pair:2-4", 1_500, 7_000), **facts) == []
    [draft] = judge(SKYCITY, DICE, wager("pair:2-4", 1_500, 10_000), **facts)
    assert (draft.code, draft.required_cents) == ("SETTLE-ROUNDING", 7_000)


class TestSign:
    """LIMIT-SOURCES: what the sign in the round states by type, against the record."""

    @DOCUMENTS
    def test_it_states_what_is_on_record(self, rules: str) -> None:
        assert judge(rules, DICE, round={"limits": SIGN}, **BY_TYPE) == []

    @pytest.mark.parametrize(("rules", "clause"), [(NSW, "4.1"), (SKYCITY, "3.h"), (RWS, "3.3")])
    @pytest.mark.parametrize(
        "by_bet",
        [
            {},
            {"small": BetLimits(min=1_000, max=10_001)},
            {"small": BetLimits(min=999, max=10_000)},
            {"small": BetLimits(max=10_000)},
        ],
    )
    def test_it_states_other_limits_of_the_type(self, rules: str, clause: str, by_bet: dict[str, BetLimits]) -> None:
        shown = Limits(min=500, max=50_000, by_bet=by_bet)
        assert found(judge(rules, DICE, round={"limits": shown}, **BY_TYPE)) == [("LIMIT-SOURCES", None, None, clause)]

    @DOCUMENTS
    def test_it_states_limits_of_a_type_that_are_not_on_record(self, rules: str) -> None:
        [draft] = judge(rules, DICE, round={"limits": SIGN}, limits=TABLE)
        assert (
            draft.sentence == "The sign in the round says $5.00 to $500.00; Small $10.00 to $100.00; the limits on "
            "record are $5.00 to $500.00; Small $5.00 to $500.00."
        )

    def test_types_that_are_not_offered_are_left_out(self) -> None:
        shown = Limits(min=500, max=50_000, by_bet={"streak:small": BetLimits(max=10_000)})
        assert judge(NSW, DICE, round={"limits": shown}, limits=TABLE) == []
