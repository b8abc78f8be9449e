"""Wagers settled under each document: rule set, dice, bet, stake."""

from fractions import Fraction

import pytest

from rounds.engine.bets.bet_codes import parse_bet
from rounds.engine.errors import ErrorCode
from rounds.engine.settle.alternative_readings import Alternative, alternative_settlements
from rounds.engine.settle.settle_wager import settle_wager
from rounds.engine.settle.settlement import WagerQuestion
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, RWS, SKYCITY, alternative_verdict, rules_of, settle_case


def test_rws_table_1_total_8_pays_eight_and_a_half() -> None:
    assert settle_case(RWS, "total:8", "2-3-3", pay_table="1") == {
        "verdict": "win",
        "odds": "8.5 to 1",
        "winnings": 850,
        "returned": 950,
        "clauses": ["4.1.1"],
        "alternatives": [],
    }


def test_the_terminal_layout_decides_the_pay_table() -> None:
    assert [settle_case(RWS, "total:8", "2-3-3", pay_table=table)["returned"] for table in "123"] == [950, 950, 900]
    assert settle_case(RWS, "total:8", "2-3-3", pay_table="2")["clauses"] == ["4.1.2"]
    assert settle_case(RWS, "total:8", "2-3-3", pay_table=3)["clauses"] == ["4.1.3"]


def test_rws_double_single_left_out_of_the_list_is_unapproved() -> None:
    line = settle_case(RWS, "double-single:1-1-2", "1-1-2", pay_table="2")
    assert (line["verdict"], line["winnings"], line["returned"], line["odds"]) == ("unapproved", None, None, None)
    assert alternative_verdict(line, "double-single", "all-thirty") == ("win", 5100)
    assert settle_case(RWS, "double-single:1-1-3", "3-1-1", pay_table="2")["returned"] == 5100


def test_rws_table_1_has_neither_threes_nor_double_singles() -> None:
    assert settle_case(RWS, "three:1-2-3", "1-2-3", pay_table="1")["verdict"] == "unapproved"
    assert settle_case(RWS, "three:1-2-3", "3-1-2", pay_table="3")["returned"] == 3100


def test_nsw_even_on_ten_loses_as_printed_and_wins_if_every_even_total_does() -> None:
    line = settle_case(NSW, "even", "2-4-4")
    assert (line["verdict"], line["returned"]) == ("lose", 0)
    assert line["alternatives"] == [
        {"reading": "even", "choice": "every-even-total", "verdict": "win", "returned": 200}
    ]
    ruled = settle_case(NSW, "even", "2-4-4", readings={"even": "every-even-total"})
    assert (ruled["verdict"], ruled["returned"]) == ("win", 200)
    assert alternative_verdict(ruled, "even", "as-printed") == ("lose", 0)


def test_nsw_even_on_triple_six_wins_as_printed_only() -> None:
    line = settle_case(NSW, "even", "6-6-6")
    assert line["returned"] == 200
    assert alternative_verdict(line, "even", "every-even-total") == ("lose", 0)
    assert alternative_verdict(line, "even", "printed-no-triple") == ("lose", 0)


@pytest.mark.parametrize(
    ("bet", "dice", "returned"),
    [
        ("small", "1-2-1", 200),
        ("small", "2-2-2", 0),
        ("small", "4-6-1", 0),
        ("big", "4-6-1", 200),
        ("big", "5-5-5", 0),
        ("odd", "3-3-3", 0),
        ("odd", "1-2-2", 200),
        ("triple:4", "4-4-4", 18100),
        ("triple:any", "4-4-4", 3200),
        ("double:4", "4-4-4", 1200),
        ("double:4", "4-1-4", 1200),
        ("double:4", "4-1-5", 0),
        ("total:12", "4-4-4", 800),
        ("pair:1-2", "1-2-2", 700),
        ("pair:1-2", "1-1-3", 0),
        ("single:5", "5-1-2", 200),
        ("single:5", "5-5-2", 300),
        ("single:5", "5-5-5", 1300),
        ("four:2-3-5-6", "6-2-5", 800),
        ("four:2-3-5-6", "6-6-5", 0),
    ],
)
def test_nsw_wagers(bet: str, dice: str, returned: int) -> None:
    assert settle_case(NSW, bet, dice)["returned"] == returned


@pytest.mark.parametrize(
    ("bet", "dice", "odds", "returned"),
    [
        ("double:2", "2-2-5", "11.5 to 1", 1250),
        ("four:1-2-3-4", "4-1-3", "7.5 to 1", 850),
        ("total:10", "6-2-2", "6.5 to 1", 750),
        ("triple:6", "6-6-6", "195 to 1", 19600),
        ("pair:5-6", "5-6-6", "6 to 1", 700),
    ],
)
def test_rws_wagers_on_tables_1_and_2(bet: str, dice: str, odds: str, returned: int) -> None:
    for table in "12":
        line = settle_case(RWS, bet, dice, pay_table=table)
        assert (line["odds"], line["returned"]) == (odds, returned)


def test_mbs_knows_six_sections_only() -> None:
    assert settle_case(MBS, "total:6", "2-2-2")["returned"] == 1900
    assert alternative_verdict(settle_case(MBS, "total:6", "2-2-2"), "totals-on-triples", "lose") == ("lose", 0)
    for code in ("single:1", "double:1", "triple:1", "pair:1-2", "field", "four:1-2-3-4", "streak:small"):
        assert settle_case(MBS, code, "1-1-1")["verdict"] == "unapproved"


def test_skycity_domino_is_rounded_up_to_what_can_be_paid() -> None:
    line = settle_case(SKYCITY, "pair:1-2", "1-2-6", stake=500, limits={"payable_unit": 100})
    assert (line["odds"], line["winnings"], line["returned"]) == ("5.5 to 1", 2800, 3300)
    assert line["clauses"] == ["5.j", "6.g", "8.f"]


def test_skycity_lights_that_failed_make_the_result_called_decide() -> None:
    line = settle_case(SKYCITY, "total:9", "1-2-5", called=[1, 2, 6], lights_failed=True)
    assert (line["verdict"], line["returned"]) == ("win", 800)
    assert line["clauses"] == ["7.e", "5.k", "6.m"]
    assert alternative_verdict(line, "lights-fail", "dice") == ("lose", 0)
    assert settle_case(SKYCITY, "total:9", "1-2-5", called=[1, 2, 6])["verdict"] == "lose"


def test_nsw_lights_that_failed_leave_it_to_the_dice() -> None:
    line = settle_case(NSW, "total:9", "1-2-6", called=[1, 2, 5], lights_failed=True)
    assert (line["verdict"], line["clauses"][0]) == ("win", "8.7")


def test_licensee_pays_what_is_posted_and_never_less_than_the_minimum() -> None:
    assert settle_case(LICENSEE, "total:4", "1-1-2")["returned"] == 5100
    assert settle_case(LICENSEE, "total:4", "1-1-2", posted_odds={"total:4": "60 to 1"})["returned"] == 6100
    assert settle_case(LICENSEE, "total:4", "1-1-2", posted_odds={"total:4": "50 to 1"})["returned"] == 5100
    below = settle_case(LICENSEE, "total:4", "1-1-2", posted_odds={"total:4": "45 to 1"})
    assert below["code"] == "posted-below-minimum"
    assert "4(b)" in below["error"]
    # Odds posted below the minimum are an error even if the wager loses.
    assert (
        settle_case(LICENSEE, "total:4", "6-6-5", posted_odds={"total:4": "45 to 1"})["code"] == "posted-below-minimum"
    )
    assert settle_case(LICENSEE, "total:5", "1-1-3", posted_odds={"total:4": "45 to 1"})["returned"] == 1900


def test_licensee_posts_single_numbers_at_three_levels() -> None:
    posted = {"single:5": ["1 to 1", "5 to 2", "4 to 1"]}
    assert settle_case(LICENSEE, "single:5", "5-1-2", posted_odds=posted)["returned"] == 200
    line = settle_case(LICENSEE, "single:5", "5-5-2", posted_odds=posted)
    assert (line["odds"], line["returned"]) == ("2.5 to 1", 350)
    assert alternative_verdict(line, "one-of-a-kind-levels", "exact") == ("win", 300)
    assert settle_case(LICENSEE, "single:5", "5-5-5", posted_odds={"single:5": ["1 to 1", "1 to 1", "3 to 1"]})[
        "code"
    ] == ("posted-below-minimum")
    assert settle_case(LICENSEE, "single:5", "5-5-5", posted_odds={"single:5": "1 to 1"})["code"] == "bad-odds"


def test_a_choice_that_makes_the_posted_odds_a_breach_has_no_verdict_to_show() -> None:
    posted = {"single:5": ["1 to 2", "2 to 1", "3 to 1"]}
    line = settle_case(LICENSEE, "single:5", "5-1-2", posted_odds=posted)
    assert (line["returned"], line["alternatives"]) == (150, [])
    rules = rules_of(LICENSEE)
    asked = WagerQuestion(parse_bet("single:5"), 100, (5, 1, 2), posted_odds=(Fraction(1, 2), Fraction(2), Fraction(3)))
    assert alternative_settlements(rules, asked, settle_wager(rules, asked)) == [
        Alternative("one-of-a-kind", "even-money", None, None, ErrorCode.POSTED_BELOW_MINIMUM)
    ]


def test_a_void_wager_goes_back_whatever_was_posted() -> None:
    line = settle_case(LICENSEE, "total:4", void="not-flat", posted_odds={"total:4": "45 to 1"})
    assert (line["verdict"], line["returned"]) == ("void", 100)


def test_posted_odds_count_only_where_the_documents_odds_are_minimums() -> None:
    assert settle_case(NSW, "total:4", "1-1-2", posted_odds={"total:4": "45 to 1"})["returned"] == 6300


def test_a_wager_the_table_does_not_offer_is_unapproved() -> None:
    assert settle_case(NSW, "odd", "1-2-2", offered=["small", "big"])["verdict"] == "unapproved"
    assert settle_case(NSW, "small", "1-2-2", offered=["small", "big"])["verdict"] == "win"
    assert settle_case(NSW, "odd", "1-2-2")["verdict"] == "win"


@pytest.mark.parametrize("slug", [NSW, MBS, SKYCITY, LICENSEE])
def test_totals_of_3_and_18_are_nowhere_offered(slug: str) -> None:
    assert settle_case(slug, "total:3", "1-1-1")["verdict"] == "unapproved"
    assert settle_case(slug, "total:18", "6-6-6")["verdict"] == "unapproved"


def test_a_token_wins_its_winnings_only() -> None:
    line = settle_case(NSW, "small", "1-2-3", tender="promotional-token")
    assert (line["winnings"], line["returned"]) == (100, 100)
    assert alternative_verdict(line, "promo-token", "token-returned") == ("win", 200)
    assert settle_case(NSW, "small", "6-5-4", tender="promotional-token")["returned"] == 0
    assert settle_case(NSW, "small", "6-5-4", tender="promotional-token", void="not-flat")["returned"] == 100
    assert settle_case(NSW, "small", "1-2-3", tender="value-chips")["returned"] == 200
    assert settle_case(MBS, "small", "1-2-3", tender="promotional-token")["returned"] == 100
