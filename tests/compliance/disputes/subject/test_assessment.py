"""What the rule version gives for a disputed wager, compared with what the table did.
Odds as printed in each document."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

from compliance.disputes.subject.assessment import WagerAssessment
from rounds.floor.fact_values import PostedOddsValue, WagersOfferedValue
from rounds.intake.protocol.examples import BODIES
from tests.compliance.disputes.disputed_round import LICENSEE, NSW, PLAYED, SKYCITY, Floor
from tests.rounds.floor.crew import new_table, record_table_fact


def wager(**said: Any) -> dict[str, Any]:
    return {**BODIES["round"]["wagers"][0], **said}


def assess_wagers(floor: Floor, *wagers: dict[str, Any], **body: Any) -> list[WagerAssessment]:
    return floor.play(wagers=list(wagers), **body).assess_wagers()


def test_a_win_that_was_not_paid_is_told_to_the_cent(floor: Floor) -> None:
    """NSW 7.1: a total of 10 pays 6 to 1. $10 wins $60, so $70 is due."""
    floor.open_table(NSW)
    [each] = assess_wagers(floor, wager(bet="total:10", stake=1_000, verdict="lose", returned=0))
    assert (each.due_cents, each.found_cents, each.difference_cents) == (7_000, 0, 7_000)
    assert each.tag.label == "$70.00 too little handed back"
    assert each.answer is not None
    assert "7.1" in [clause for _, clause in each.answer.steps]


def test_what_the_table_did_rightly_is_said_to_be_so(floor: Floor) -> None:
    floor.open_table(NSW)
    small, nine = floor.play().assess_wagers()
    assert (small.due_cents, small.tag.label) == (5_000, "As the rules say")
    assert (nine.due_cents, nine.tag.label) == (0, "As the rules say")


def test_two_wagers_of_one_player_on_a_box_count_together_against_the_maximum(floor: Floor) -> None:
    """NSW 4.3: the maximum is $500, and $400 and $300 are on Small. Both stand, because nothing shows that they were
    found before they were settled."""
    floor.open_table(NSW)
    first, second = assess_wagers(
        floor,
        wager(id="a", stake=40_000, returned=80_000),
        wager(id="b", stake=30_000, returned=60_000, placed_at="2026-11-16T20:41:20+11:00"),
    )
    assert first.due_cents == 80_000
    assert second.due_cents == 60_000
    assert second.difference_cents == 0


def test_a_player_with_a_sign_of_their_own_is_held_to_its_maximum(floor: Floor) -> None:
    """NSW 4.6: the maximum is $500 at the table, $800 for this player. $900 stands by 4.3 once it was settled."""
    floor.open_table(NSW)
    body = {"player_limits": [{"player": "p-07", "min": 1_000, "max": 80_000}]}
    [within] = assess_wagers(floor, wager(stake=80_000, returned=160_000), **body)
    assert within.tag.label == "As the rules say"
    [beyond] = assess_wagers(floor, wager(stake=90_000, returned=180_000), **body)
    assert beyond.due_cents == 180_000
    [other] = assess_wagers(floor, wager(player="p-08", stake=80_000, returned=130_000), **body)
    assert other.tag.label == "As the rules say", "nobody else's limits change"


def test_odds_posted_above_the_minimum_count_and_are_told_to_the_calculator(floor: Floor) -> None:
    """Licensee 5(f): the odds currently offered are paid. $10 at 9 to 1 returns $100."""
    floor.open_table(LICENSEE)
    table = floor.harbour.tables.get(slug="sb-1")
    record_table_fact(floor.crew, table, PostedOddsValue(odds={"total:10": "9 to 1"}), now=PLAYED)
    [each] = assess_wagers(floor, wager(bet="total:10", stake=1_000, returned=10_000))
    assert each.tag.label == "As the rules say"
    asked = parse_qs(urlsplit(each.read.calculator_href).query)
    assert asked["posted"] == ["9 to 1"]


def test_a_wager_that_was_withdrawn_leaves_the_room_it_took(floor: Floor) -> None:
    floor.open_table(NSW)
    back = {"what": "withdrawn", "at": "2026-11-16T20:41:18+11:00"}
    _, second = assess_wagers(
        floor,
        wager(id="a", stake=40_000, changes=[back], verdict="refused", returned=40_000),
        wager(id="b", stake=30_000, returned=60_000, placed_at="2026-11-16T20:41:20+11:00"),
    )
    assert second.tag.label == "As the rules say"


def test_a_wager_placed_after_betting_closed_is_not_valid(floor: Floor) -> None:
    floor.open_table(NSW)
    [late] = assess_wagers(floor, wager(placed_at="2026-11-16T20:41:43+11:00"))
    assert late.due_cents == 2_500, "its stake is handed back"
    assert late.tag.label == "$25.00 too much handed back"
    assert "after betting had closed" in late.why
    assert late.main_clause == late.clause == "3.10"


def test_a_streak_is_followed_back_to_where_it_was_made(floor: Floor) -> None:
    """Super Streak on small: placed at 2-4-4, then 1-2-3, then a big result ends it."""
    floor.open_table(NSW)
    table = floor.harbour.tables.get(slug="sb-1")
    record_table_fact(floor.crew, table, WagersOfferedValue(wagers=("streak",)), now=PLAYED)
    streak = wager(id="s-1", bet="streak:small", stake=500, verdict="open", returned=None)
    floor.play("R-1", wagers=[streak])
    floor.play("R-2", dice=[1, 2, 3], wagers=[])
    [ended] = assess_wagers(floor, {**streak, "verdict": "lose", "returned": 0}, dice=[5, 5, 6], round="R-3")
    assert ended.answer is not None
    assert ended.answer.history == ("1-2-3", "5-5-6")


def test_where_lights_are_no_guide_skycity_goes_by_the_call(floor: Floor) -> None:
    """7.e: the dice show 2-4-4, Small; 6-5-4, Big, was called, and the lights match neither."""
    floor.open_table(SKYCITY)
    big = wager(bet="big", stake=1_000, verdict="win", returned=2_000)
    events = [*BODIES["round"]["events"], {"name": "bell-rung", "at": BODIES["round"]["events"][2]["at"]}]
    told: dict[str, Any] = {"called": {"faces": [6, 5, 4]}, "lit": ["triple:1"], "events": events}
    [by_call] = assess_wagers(floor, big, **told)
    assert (by_call.due_cents, by_call.tag.label) == (2_000, "As the rules say")


def test_a_round_without_rules_says_so(floor: Floor) -> None:
    new_table(floor.crew)
    [each, _] = floor.play().assess_wagers()
    assert "No approved rules" in each.why
