"""One round as reported: nothing is judged, and everything links to its proof."""

import re
from datetime import timedelta

import pytest
from django.db import transaction

from rounds.intake.protocol.examples import BODIES
from rounds.ledger.tasks import update_search_index
from rounds.ledger.writing.append import append, correct, make_entry
from tests.compliance.audit.conftest import house
from tests.compliance.audit.house import House
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.pages.live_floor import indexes_of, nsw_table, open_page, record_round
from tests.rounds.floor.crew import OPENING, Crew, new_table

__all__ = ["house"]


def page_of(crew: Crew, index: int) -> str:
    return open_page(browser_of(crew.gina), f"/casinos/harbour/rounds/{index}/")


def words_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_a_round_as_a_person_reads_it(crew: Crew) -> None:
    feeder = nsw_table(crew)
    [index] = indexes_of(feeder.send(feeder.line("round")))
    page = page_of(crew, index)
    words = words_of(page)
    for said in (
        "Round 20261116-0041",
        "Table SB-1",
        "16 Nov 2026",
        "version 1",
        "$5.00 to $500.00",
        "set-0912",
        "8:41:07.1 pm AEDT Dice tumbled 3 times, Dealer D-112",
        "8:41:42.0 pm AEDT “No more bets” pressed",
        "4-2-4",
        "2-4-4 , announced as total 10",
        "Shown on wnd",
        "Player p-07",
        "Small",
        "$25.00",
        "Value chips",
        "Won",
        "$50.00",
        "Seat 4",
        "Raised to $10.00",
        "Colour checks",
        "blue, $5.00 each",
        "Lost",
        "$0.00",
        "2 wagers: $35.00 AUD staked, $50.00 AUD returned.",
        "Controller box-1, its number 1, signed by it",
    ):
        assert said in words, said
    assert f'href="/casinos/harbour/ledger/{index}/check/"' in page
    order = ["Dice tumbled", "Bets open", "Uncovered", "Result called", "Winners paid"]
    assert sorted(order, key=words.index) == order


def test_the_sign_of_the_round_with_limits_by_type_of_wager(crew: Crew) -> None:
    feeder = nsw_table(crew)
    limits = {
        "min": 500,
        "max": 50_000,
        "multiples": True,
        "by_bet": {"small": {"max": 10_000}, "total:9": {"min": 700}},
    }
    [index] = indexes_of(feeder.send(feeder.line("round", limits=limits)))
    words = words_of(page_of(crew, index))
    for said in (
        "$5.00 to $500.00",
        "Wagers in multiples of the minimum",
        "Small: $5.00 to $100.00",
        "Total: 9: $7.00 to $500.00",
    ):
        assert said in words, said


def test_whoever_makes_reports_is_led_to_the_sheet_of_the_round(crew: Crew) -> None:
    feeder = nsw_table(crew)
    [index] = indexes_of(feeder.send(feeder.line("round")))
    sheet = f"/casinos/harbour/reports/new/round/?round={index}"
    assert f'href="{sheet}"' not in page_of(crew, index), "a games supervisor makes none"
    inspector = browser_of(crew.cast.ines)
    assert f'href="{sheet}"' in open_page(inspector, f"/casinos/harbour/rounds/{index}/")
    assert f'value="{index}"' in open_page(inspector, sheet)


def test_the_calculator_is_asked_the_same_question(crew: Crew) -> None:
    feeder = nsw_table(crew)
    [index] = indexes_of(feeder.send(feeder.line("round")))
    page = page_of(crew, index)
    small, total = (
        href.replace("&amp;", "&") for href in re.findall(r'href="(/casinos/harbour/calculator/[^"]+)"', page)
    )
    browser = browser_of(crew.gina)
    won, lost = words_of(open_page(browser, small)), words_of(open_page(browser, total))
    assert "Wins" in won
    assert "$50.00" in won
    assert "Loses" in lost


def test_the_calculator_is_told_what_the_player_s_own_sign_says(crew: Crew) -> None:
    """NSW 4.6: 800 dollars are within this player's own maximum, though above the table's 500."""
    feeder = nsw_table(crew)
    wagers = [{**BODIES["round"]["wagers"][0], "stake": 80_000, "returned": 160_000}]
    own = [{"player": "p-07", "min": 1_000, "max": 80_000}]
    [index] = indexes_of(feeder.send(feeder.line("round", wagers=wagers, player_limits=own)))
    [href] = re.findall(r'href="(/casinos/harbour/calculator/[^"]+)"', page_of(crew, index))
    assert "$1,600.00" in words_of(open_page(browser_of(crew.gina), href.replace("&amp;", "&")))


def test_without_approved_rules_the_round_is_shown_and_says_so(crew: Crew) -> None:
    new_table(crew)
    words = words_of(page := page_of(crew, record_round("sb-1", OPENING, OPENING)))
    assert "No approved version was in force" in words
    assert "Total: 9" in words
    assert "/calculator/?" not in page


def test_a_round_from_paper_says_through_whom(crew: Crew) -> None:
    new_table(crew)
    origin = {
        "how": "paper",
        "why": "Box 1 had no power.",
        "entered_by": {"name": "Gina"},
        "confirmed_by": {"name": "Sid"},
    }
    line = {"kind": "round", "table": "sb-1", "at": OPENING.isoformat(), "body": BODIES["round"], "origin": origin}
    with transaction.atomic():
        [receipt] = append("harbour", [make_entry("round", line, table="sb-1")], OPENING)
    words = words_of(page_of(crew, receipt.index))
    assert "Entered from paper by Gina, confirmed by Sid. Box 1 had no power." in words


def test_no_result_a_streak_still_running_and_a_wager_withdrawn(crew: Crew) -> None:
    at = "2026-11-16T20:41:15+11:00"
    wager = {"seat": 1, "stake": 2_500, "tender": "value-chips", "placed_at": at}
    withdrawn = {"what": "withdrawn", "at": at}
    wagers = [
        {**wager, "id": "w-1", "bet": "streak:small", "verdict": "open"},
        {**wager, "id": "w-2", "bet": "big", "verdict": "void", "returned": 2_500},
        {**wager, "id": "w-3", "bet": "odd", "verdict": "refused", "returned": 0, "changes": [withdrawn]},
    ]
    new_table(crew)
    reason = {"reason": "invalidated", "grounds": "fraud", "by": {"position": "casino-supervisor", "number": "S-2"}}
    index = record_round("sb-1", OPENING, OPENING, dice=None, no_result=reason, wagers=wagers)
    words = words_of(page_of(crew, index))
    for said in (
        "The result was invalidated, on grounds of fraud, Casino supervisor S-2",
        "Still running",
        "Not yet",
        "Void",
        "Withdrawn",
        "3 wagers: $50.00 staked, $25.00 returned.",
        "Super Streak: Small",
    ):
        assert said in words, said


def test_a_withdrawn_wager_is_in_neither_total(crew: Crew) -> None:
    at = "2026-11-16T20:41:15+11:00"
    wager = {"seat": 1, "stake": 2_500, "tender": "value-chips", "placed_at": at, "verdict": "void", "returned": 2_500}
    wagers = [
        {**wager, "id": "w-1", "bet": "big"},
        {**wager, "id": "w-2", "bet": "odd", "changes": [{"what": "withdrawn", "at": at}]},
    ]
    new_table(crew)
    index = record_round("sb-1", OPENING, OPENING, dice=None, no_result={"reason": "not-flat"}, wagers=wagers)
    words = words_of(page_of(crew, index))
    assert "2 wagers: $25.00 staked, $25.00 returned. Without 1 withdrawn wager." in words


def test_corrections_are_on_top_of_the_page(crew: Crew) -> None:
    feeder = nsw_table(crew)
    [index] = indexes_of(feeder.send(feeder.line("round")))
    assert "taken back" not in page_of(crew, index)
    assert "was wrong" not in page_of(crew, index)
    [said_wrong] = indexes_of(feeder.send(feeder.line("correction", corrects=1)))
    with transaction.atomic():
        receipt = correct("harbour", index, {"reason": "Wrong table.", "by": "Sid"}, OPENING)
    page = page_of(crew, index)
    assert f'/ledger/{said_wrong}/">entry {said_wrong}' in page
    assert f'/ledger/{receipt.index}/">entry {receipt.index}' in page


def test_other_entries_that_name_the_round(crew: Crew) -> None:
    feeder = nsw_table(crew)
    index, _ = indexes_of(feeder.send(feeder.line("round"), feeder.line("streak-state")))
    elsewhere = record_round("sb-2", OPENING, OPENING)
    update_search_index()
    assert "Elsewhere about this round" in page_of(crew, index)
    assert f"/ledger/{elsewhere}/" not in page_of(crew, index)
    assert "small 2 in a row" in page_of(crew, index)


@pytest.mark.parametrize("body", [{}, {"at": "x", "body": {}}, {"at": "2026-06-01T02:00:00Z", "body": {"round": 5}}])
def test_what_can_no_longer_be_read_leads_to_its_bytes(crew: Crew, body: dict[str, object]) -> None:
    with transaction.atomic():
        [receipt] = append("harbour", [make_entry("round", body, table="sb-1")], OPENING)
    page = page_of(crew, receipt.index)
    assert "can no longer be read as a round" in page
    assert f'href="/casinos/harbour/ledger/{receipt.index}/"' in page


def test_absent_forbidden_and_no_round_look_the_same(crew: Crew) -> None:
    new_table(crew)
    index = record_round("sb-1", OPENING, OPENING)
    gina, otto, mara = (browser_of(person) for person in (crew.gina, crew.cast.otto, crew.cast.mara))
    answers = [
        gina.get("/casinos/harbour/rounds/0/"),
        gina.get("/casinos/harbour/rounds/999999/"),
        gina.get(f"/casinos/harbour/rounds/{10**25}/"),
        gina.get(f"/casinos/marina/rounds/{index}/"),
        otto.get(f"/casinos/harbour/rounds/{index}/"),
        mara.get(f"/casinos/harbour/rounds/{index}/"),
    ]
    assert [answer.status_code for answer in answers] == [404] * 6


def test_the_rounds_before_it_are_those_played_before(house: House) -> None:
    """The second entry is a round that was played first, such as one entered from paper."""
    house.open_table()
    later = house.play((1, 2, 4), later=timedelta(hours=2))
    earlier = house.play((1, 2, 4), later=timedelta(hours=1))
    browser = browser_of(house.crew.gina)
    for consume in (lambda: None, house.audit):
        consume()
        first, second = (open_page(browser, f"/casinos/harbour/rounds/{index}/") for index in (earlier, later))
        assert "No round of this table was played before it." in first
        assert f"/casinos/harbour/rounds/{earlier}/" in second.partition('id="before"')[2]
