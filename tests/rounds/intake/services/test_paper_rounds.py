"""Rounds from paper: entered by one supervisor, recorded with their origin once a second one confirms."""

import re
from datetime import UTC, datetime
from typing import Any, get_args

import msgspec
import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from compliance.core.accounts.separation import TookPartBefore
from compliance.core.web.errors import NotFound, Refusal
from rounds.engine import BETS
from rounds.floor.models import Table
from rounds.intake.errors import PaperRoundAlreadyDecided
from rounds.intake.models import PaperRound, PaperState
from rounds.intake.protocol.round import Round, RoundEventName
from rounds.intake.selectors import access_paper_round
from rounds.intake.services.paper_rounds import confirm_paper_round, plan_paper_round, refuse_paper_round
from rounds.ledger import size_of
from rounds.ledger.entry import LogEntry
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.verify.verify_log import verify_log
from rounds.rulepacks import shipped_packs
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.core.web.confirming import REASON, post_anyway, shown_prediction
from tests.rounds.floor.crew import Crew, new_table, table_under

LIST = "/casinos/harbour/floor/paper/"


def answers(**changes: object) -> dict[str, object]:
    return {
        "round": "P-17",
        "gaming_day": "2026-07-16",
        "bets_open_at": "2026-07-16T20:41",
        "no_more_bets_at": "2026-07-16T20:42",
        "uncovered_at": "2026-07-16T20:43",
        "tumbled_at": "2026-07-16T20:40",
        "tumbles": "3",
        "outcome": "dice",
        "faces": "4 2 4",
        "why": "Controller out of order.",
        "rows-wager": "5",
        "wager-1-seat": "4",
        "wager-1-bet": "total:10",
        "wager-1-stake": "10.00",
        "wager-1-tender": "value-chips",
        "wager-1-verdict": "win",
        "wager-1-returned": "70",
        **changes,
    }


def enter(crew: Crew, table: Table | None = None, **changes: object) -> PaperRound:
    table = table or new_table(crew)
    before = PaperRound.objects.count()
    sent = post_anyway(browser_of(crew.sid), f"{LIST}enter/", answers(table=table.pk, **changes))
    assert PaperRound.objects.count() == before + 1, sent.content.decode()
    return PaperRound.objects.latest("pk")


def rounds() -> list[LogEntry]:
    return [entry for entry in read_entries("harbour", 0, 10**6) if entry.kind == "round"]


def test_a_round_from_paper_is_an_entry_once_a_second_person_confirmed_it(crew: Crew) -> None:
    paper = enter(crew)
    assert rounds() == []
    browser = browser_of(crew.gina)
    assert "Controller out of order." in browser.get(f"{LIST}{paper.pk}/").content.decode()
    confirm = f"{LIST}{paper.pk}/confirm/"
    post_anyway(browser, confirm, sign_off(crew.gina), again=lambda: sign_off(crew.gina))
    [entry] = rounds()
    said = entry.content()
    assert (entry.table, entry.controller, entry.sequence) == ("sb-1", None, None)
    assert said["at"] == "2026-07-16T10:41:00.000000Z"
    assert said["body"]["dice"] == [4, 2, 4]
    assert said["body"]["events"][0] == {"name": "tumbled", "at": "2026-07-16T10:40:00Z", "count": 3}
    assert said["body"]["wagers"] == [
        {
            "id": "w1",
            "seat": 4,
            "bet": "total:10",
            "stake": 1000,
            "tender": "value-chips",
            "verdict": "win",
            "returned": 7000,
            "placed_at": "2026-07-16T10:41:00Z",
        }
    ]
    origin = said["origin"]
    assert (origin["how"], origin["why"]) == ("paper", "Controller out of order.")
    assert (origin["entered_by"]["name"], origin["confirmed_by"]["name"]) == ("Sid", "Gina")
    assert verify_log("harbour").issues == ()


def test_the_person_who_enters_it_is_warned_and_the_reason_becomes_part_of_the_entry(crew: Crew) -> None:
    table, browser = table_under(crew, "nsw-sic-bo"), browser_of(crew.sid)
    size = size_of("harbour")
    typed = answers(table=table.pk, **{"wager-1-returned": "7000"}, gaming_day="2025-07-16")
    warned = browser.post(f"{LIST}enter/", typed)
    prediction = shown_prediction(warned)
    assert "SETTLE-OVERPAID" in [each.code for each in prediction.findings]
    assert list(prediction.doubts)[1:] == ["Bets were opened on 16 Jul 2026, and the gaming day is 16 Jul 2025."]
    assert 'value="P-17"' in warned.content.decode()
    assert PaperRound.objects.count() == 0
    post_anyway(browser, f"{LIST}enter/", typed)
    paper = PaperRound.objects.get()
    assert paper.warning_reason == REASON
    assert size_of("harbour") == size
    shown = browser_of(crew.gina).get(f"{LIST}{paper.pk}/").content.decode()
    assert REASON in shown
    assert prediction.doubts[1] in shown
    confirm_paper_round(paper=paper, actor=crew.gina, now=timezone.now())
    origin = rounds()[0].content()["origin"]
    assert (origin["entered_because"], origin["warned_of"]) == (REASON, paper.warnings)
    assert verify_log("harbour").issues == ()


def test_a_round_is_only_planned_by_the_person_who_enters_it(crew: Crew) -> None:
    paper = enter(crew)
    played = msgspec.json.decode(paper.body, type=Round)
    entered: dict[str, Any] = {
        "table": paper.table,
        "played": played,
        "played_at": paper.played_at,
        "why": "Out of order.",
    }
    with pytest.raises(RuntimeError):
        plan_paper_round(**entered, actor=crew.sid, now=timezone.now())
    assert PaperRound.objects.count() == 1


def test_nobody_confirms_what_they_entered_and_nothing_is_decided_twice(crew: Crew) -> None:
    paper, now = enter(crew), timezone.now()
    with pytest.raises(TookPartBefore):
        confirm_paper_round(paper=paper, actor=crew.sid, now=now)
    with pytest.raises(Refusal):
        confirm_paper_round(paper=paper, actor=crew.cora, now=now)
    refuse_paper_round(paper=paper, reason="The stake was 100.", actor=crew.gina, now=now)
    with pytest.raises(PaperRoundAlreadyDecided):
        confirm_paper_round(paper=paper, actor=crew.gina, now=now)
    assert PaperRound.objects.get().state == PaperState.REFUSED
    assert rounds() == []


def test_what_is_missing_is_asked_for_and_nothing_typed_is_lost(crew: Crew) -> None:
    table = new_table(crew)
    browser = browser_of(crew.sid)
    for changes, words in (
        ({"faces": ""}, "Enter the three numbers"),
        ({"faces": "4 2 7"}, "Enter three numbers from 1 to 6"),
        ({"outcome": "none"}, "Choose why there was no result."),
        ({"wager-1-stake": ""}, "Enter the stake."),
        ({"wager-1-bet": ""}, "Choose the bet."),
        ({"wager-2-seat": "5"}, "Choose the bet."),
        ({"tumbled_at": ""}, "Enter when the dice were tumbled or shaken."),
        ({"uncovered_at": "2999-01-01T20:43"}, "This lies ahead. Enter when it happened."),
        ({"wager-1-stake": "-5"}, "Enter an amount in dollars"),
        ({"why": ""}, "Say why no controller reported this round."),
    ):
        page = browser.post(f"{LIST}enter/", answers(table=table.pk, **changes)).content.decode()
        assert words in page
        assert 'value="P-17"' in page
    assert PaperRound.objects.count() == 0


def test_more_rows_keep_what_was_typed_and_complain_of_nothing(crew: Crew) -> None:
    new_table(crew)
    page = browser_of(crew.sid).post(f"{LIST}enter/", answers(**{"more-wager": "1"}, faces="")).content.decode()
    assert "Wager 10" in page
    assert 'value="P-17"' in page
    assert "There is a problem" not in page


def test_a_round_without_a_result_says_why(crew: Crew) -> None:
    paper = enter(crew, outcome="none", no_result="not-flat", faces="")
    confirm_paper_round(paper=paper, actor=crew.gina, now=datetime(2026, 11, 16, 12, tzinfo=UTC))
    assert rounds()[0].content()["body"]["no_result"] == {"reason": "not-flat"}


def streak(**changes: object) -> dict[str, object]:
    typed = {
        "number": "S-9", "seat": "3", "bet": "streak:small", "stake": "10", "tender": "value-chips",
        "made_at": "2026-07-16T20:44", "verdict": "open", "returned": "", **changes,
    }  # fmt: skip
    return {f"streak-1-{part}": value for part, value in typed.items()}


def test_a_super_streak_wager_is_made_after_one_round_and_ended_by_another_under_one_number(crew: Crew) -> None:
    table = table_under(crew, "nsw-sic-bo")
    made = enter(crew, table, **streak())
    ended = enter(crew, table, round="P-18", **streak(verdict="lose", returned="0"))
    for paper in (made, ended):
        page = browser_of(crew.gina).get(f"{LIST}{paper.pk}/").content.decode()
        assert "S-9" in page
        assert "Streak small" in page
        confirm_paper_round(paper=paper, actor=crew.gina, now=timezone.now())
    wagers = [entry.content()["body"]["wagers"][1] for entry in rounds()]
    said = {
        "id": "S-9",
        "seat": 3,
        "bet": "streak:small",
        "stake": 1000,
        "tender": "value-chips",
        "placed_at": "2026-07-16T10:44:00Z",
    }
    assert wagers == [{**said, "verdict": "open"}, {**said, "verdict": "lose", "returned": 0}]


def test_a_super_streak_wager_that_is_half_written_is_asked_about_field_by_field(crew: Crew) -> None:
    table = table_under(crew, "nsw-sic-bo")
    browser = browser_of(crew.sid)
    for changes, words in (
        ({"number": ""}, "Enter the number of the wager."),
        ({"number": "w1"}, "Two wagers have the id w1."),
        ({"made_at": ""}, "Enter when it was made."),
        ({"returned": "5"}, "Nothing is returned while the wager runs."),
        ({"verdict": "win"}, "Enter what was returned, 0 if nothing."),
        ({"seat": ""}, "Enter the seat."),
    ):
        page = browser.post(f"{LIST}enter/", answers(table=table.pk, **streak(**changes))).content.decode()
        assert words in page, changes
        assert 'value="P-17"' in page
    assert PaperRound.objects.count() == 0
    more = answers(table=table.pk, **{"more-streak": "1"}, **streak())
    page = browser.post(f"{LIST}enter/", more).content.decode()
    assert "Super Streak wager 5" in page
    assert 'value="S-9"' in page


def test_super_streak_is_asked_for_only_where_the_rules_have_it(crew: Crew) -> None:
    table_under(crew, "skycity-big-and-small")
    assert "Super Streak" not in browser_of(crew.sid).get(f"{LIST}enter/").content.decode()
    table_under(crew, "nsw-sic-bo", slug="sb-2")
    assert "Super Streak wager 2" in browser_of(crew.sid).get(f"{LIST}enter/").content.decode()


@pytest.mark.parametrize(
    ("rules", "event"),
    [
        ("nsw-sic-bo", "no-more-bets-called"),
        ("rws-sic-bo-etg", "no-more-bets-displayed"),
        ("skycity-big-and-small", "bell-rung"),
    ],
)
def test_betting_is_closed_by_what_the_tables_own_rules_close_it_with(crew: Crew, rules: str, event: str) -> None:
    paper = enter(crew, table_under(crew, rules))
    confirm_paper_round(paper=paper, actor=crew.gina, now=timezone.now())
    assert rounds()[0].content()["body"]["events"][2] == {"name": event, "at": "2026-07-16T10:42:00Z"}


@pytest.mark.parametrize(
    ("rules", "asked"),
    [
        ("skycity-big-and-small", {"no-more-bets-called": "4.b", "result-called": "4.c", "result-entered": "4.c"}),
        (
            "nsw-sic-bo",
            {
                "no-more-bets-pressed": "5.2 at tables with a touch screen",
                "result-called": "5.3 and 5.4",
                "result-entered": "5.4 and 5.5",
            },
        ),
        ("licensee-sic-bo", {"result-called": "5(e)", "result-entered": "5(e)"}),
        ("rws-sic-bo-etg", {}),
        ("mbs-3-card-sic-bo", {}),
    ],
)
def test_the_form_asks_for_the_events_of_the_rules_in_force(crew: Crew, rules: str, asked: dict[str, str]) -> None:
    table_under(crew, rules)
    page = browser_of(crew.sid).get(f"{LIST}enter/").content.decode()
    for event in get_args(RoundEventName):
        assert (f'name="event-{event}"' in page) is (event in asked), event
    for clause in asked.values():
        assert f", {clause}." in page


def test_the_announcement_beside_the_bell_is_an_event_of_the_round(crew: Crew) -> None:
    announced = {"event-no-more-bets-called": "2026-07-16T20:42", "event-result-called": "2026-07-16T20:44"}
    paper = enter(crew, table_under(crew, "skycity-big-and-small"), **announced)
    confirm_paper_round(paper=paper, actor=crew.gina, now=timezone.now())
    assert [(each["name"], each["at"][11:16]) for each in rounds()[0].content()["body"]["events"]] == [
        ("tumbled", "10:40"),
        ("bets-open", "10:41"),
        ("bell-rung", "10:42"),
        ("no-more-bets-called", "10:42"),
        ("uncovered", "10:43"),
        ("result-called", "10:44"),
    ]


def test_an_event_from_the_future_or_entered_twice_is_asked_about(crew: Crew) -> None:
    """SkyCity has a field for the announcement; at a table of New South Wales the announcement closes betting."""
    adelaide, sydney = table_under(crew, "skycity-big-and-small"), table_under(crew, "nsw-sic-bo", slug="sb-2")
    for table, at, words in (
        (adelaide, "2999-01-01T20:42", "This lies ahead. Enter when it happened."),
        (sydney, "2026-07-16T20:42", "Enter it once, as “Betting was closed”."),
    ):
        sent = answers(table=table.pk, **{"event-no-more-bets-called": at})
        page = browser_of(crew.sid).post(f"{LIST}enter/", sent).content.decode()
        assert words in page
        assert 'value="P-17"' in page
    assert PaperRound.objects.count() == 0


def test_the_outsider_and_marketing_see_nothing_of_it(crew: Crew) -> None:
    paper = enter(crew)
    assert access_paper_round(crew.cast.ines, crew.harbour, paper.pk) == paper
    for person in (crew.cast.mara, crew.cast.otto):
        with pytest.raises(NotFound):
            access_paper_round(person, crew.harbour, paper.pk)


def test_the_database_lets_nobody_rewrite_or_remove_it(crew: Crew) -> None:
    enter(crew)
    for statement in (
        "UPDATE intake_paperround SET body = '{}'",
        "UPDATE intake_paperround SET state = 'confirmed', decided_by_id = entered_by_id, decided_at = now(),"
        " entry_index = 1",
        "DELETE FROM intake_paperround",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


@pytest.mark.parametrize(
    ("rules", "closing"),
    [
        ("skycity-big-and-small", "Bell rung"),
        ("rws-sic-bo-etg", "“No more bets” displayed"),
        ("nsw-sic-bo", "“No more bets” called"),
    ],
)
def test_the_form_says_what_closes_betting_under_the_rules(crew: Crew, rules: str, closing: str) -> None:
    table_under(crew, rules)
    page = browser_of(crew.sid).get(f"{LIST}enter/").content.decode()
    assert f"By what closes it under the rules of the table: {closing} (" in page


def groups_of(page: str, field: str) -> dict[str, list[str]]:
    select = page.partition(f'<select name="{field}"')[2].partition("</select>")[0]
    return {
        label: re.findall(r'value="([^"]+)"', options)
        for label, options in re.findall(r'<optgroup label="([^"]+)">(.*?)</optgroup>', select, re.DOTALL)
    }


def test_bets_and_reasons_of_the_rules_in_force_come_first_in_words(crew: Crew) -> None:
    """The others can still be chosen, because a wager that no rule has is recorded and found by the audit."""
    pack = shipped_packs().find("skycity-big-and-small")
    table = table_under(crew, pack.slug)
    page = browser_of(crew.sid).get(f"{LIST}enter/").content.decode()
    known, other = groups_of(page, "wager-1-bet").values()
    assert set(known) == {bet for wager in pack.law.wager.values() for bet in wager.bets}
    assert {*known, *other} == {code for code, bet in BETS.items() if not bet.is_streak}
    assert ">Total: 10</option>" in page
    groups = groups_of(page, "no_result")
    assert list(groups) == ["By the rules in force", "Not in the rules in force"]
    assert set(groups["By the rules in force"]) == set(pack.law.void)
    assert "nmb-not-pressed" in groups["Not in the rules in force"]
    assert "The “no more bets” button was not pressed" in page
    assert "Nmb not pressed" not in page
    assert enter(crew, table, **{"wager-1-bet": other[0]}).state == PaperState.ENTERED


def test_the_page_of_a_confirmed_round_from_paper_leads_to_its_round(crew: Crew) -> None:
    paper = enter(crew)
    confirm_paper_round(paper=paper, actor=crew.gina, now=timezone.now())
    [entry] = rounds()
    browser = browser_of(crew.sid)
    page = browser.get(f"{LIST}{paper.pk}/").content.decode()
    [link] = re.findall(rf'href="([^"]*/{entry.index}/)"[^>]*>The round', page)
    assert browser.get(link).status_code == 200
