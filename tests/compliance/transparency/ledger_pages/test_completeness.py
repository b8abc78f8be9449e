"""The completeness statement for a table and a period, on the page and as a bundle."""

from typing import Any

import pytest
from django.utils.html import escape

from rounds.floor.services import add_table
from rounds.ledger.readers.search import size_of
from rounds.ledger.writing.append import make_entry
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.transparency.ledger_pages.harbour_scenario import Floor, a_round, after, play
from tests.rounds.ledger import harbour_log

PAGE = "/casinos/harbour/ledger/completeness/"
# 8:30 pm and an hour later in Sydney.
EVENING = {"table": "sb-7", "since": "2026-11-16T20:00", "until": "2026-11-16T21:00"}
LATER = {"table": "sb-7", "since": "2026-11-16T21:00", "until": "2026-11-16T23:00"}


@pytest.fixture
def played(floor: Floor) -> Floor:
    """Forty rounds in the evening, twenty an hour later."""
    add_table(casino=floor.harbour, slug="sb-7", name="Table <7>", actor=floor.cora, now=after())
    play(40, first=1, table="sb-7")
    play(20, first=41, table="sb-7", at=after(hours=1))
    return floor


def words_of(floor: Floor, asked: dict[str, str]) -> str:
    response = browser_of(floor.sam).get(PAGE, asked)
    assert response.status_code == 200
    content: str = response.content.decode()
    return content


def silences(*times: tuple[str, str, str]) -> list[Any]:
    member = {"feed-silent": "last_seen_at", "feed-returned": "silent_since"}
    return [
        make_entry(kind, {"controller": "shaker", "table": "sb-7", member[kind]: since, "seen_at": until}, table="sb-7")
        for kind, since, until in times
    ]


def test_nothing_is_asked_at_first(played: Floor) -> None:
    page = words_of(played, {})
    assert escape("Table <7> (sb-7)") in page
    assert "Take the proof away" not in page
    assert "Enter the time" not in page


def test_an_evening_without_a_gap(played: Floor) -> None:
    page = words_of(played, EVENING)
    assert "Nothing is missing" in page
    assert "1 to 40" in page
    assert "Nothing: these are its first" in page
    assert "None of its controllers was silent." in page
    later = words_of(played, LATER)
    assert "41 to 60" in later
    assert "Number 40" in later


def test_a_gap_is_named_and_what_came_elsewhere_too(played: Floor) -> None:
    harbour_log.record_all([a_round(number, "sb-7") for number in (64, 66, 70)], now=after(hours=4))
    harbour_log.record_all([a_round(65, "sb-7")], now=after(hours=5))
    page = words_of(played, {"table": "sb-7", "since": "2026-11-17T00:00", "until": "2026-11-17T01:00"})
    assert "6 missing" in page
    assert "61 to 63, 67 to 69" in page
    assert "Number 60" in page
    assert "64 to 70" in page
    assert ">65<" in page


def test_silences_are_shown_in_the_casino_s_own_time(played: Floor) -> None:
    since, until = "2026-11-16T09:40:00.000000Z", "2026-11-16T09:44:00.000000Z"
    harbour_log.record_all(
        silences(("feed-silent", since, ""), ("feed-returned", since, until), ("feed-silent", until, "")), now=after()
    )
    page = words_of(played, EVENING)
    assert "8:40" in page
    assert "8:44" in page
    assert "Not in this time" in page


def test_what_cannot_be_read_is_asked_again_and_nothing_typed_is_lost(played: Floor) -> None:
    page = words_of(played, {"table": "sb-7", "since": "2026-11-16T21:00", "until": "2026-11-16T20:00"})
    assert "The end must come after the beginning." in page
    assert "2026-11-16T21:00" in page
    assert "Enter the time before which." in words_of(played, {"table": "sb-7", "since": "2026-11-16T21:00"})
    assert "Select a valid choice" in words_of(played, {**EVENING, "table": "nowhere"})


def test_a_time_in_which_nothing_was_recorded(played: Floor) -> None:
    page = words_of(played, {"table": "sb-7", "since": "2020-01-01T00:00", "until": "2020-01-02T00:00"})
    assert "Nothing was recorded in that time." in page


def test_a_table_that_sent_nothing(played: Floor) -> None:
    add_table(casino=played.harbour, slug="sb-9", name="Nine", actor=played.cora, now=after())
    page = words_of(played, {**EVENING, "table": "sb-9"})
    assert "No controller sent a numbered line" in page
    assert "No line" in page


def test_who_may_take_it_away_gets_there_with_the_range_filled_in(played: Floor) -> None:
    assert "Take the proof away" not in words_of(played, EVENING)
    page = browser_of(played.ines).get(PAGE, EVENING).content.decode()
    # The table itself was added in that period.
    first = size_of("harbour") - 61
    link = f"/casinos/harbour/ledger/bundles/new/?first={first}&amp;last={first + 40}"
    assert link in page
    form = browser_of(played.ines).get(link.replace("&amp;", "&")).content.decode()
    assert f'value="{first}"' in form
    assert f'value="{first + 40}"' in form


def test_other_casinos_are_as_if_absent(played: Floor) -> None:
    assert browser_of(played.otto).get(PAGE, EVENING).status_code == 404


def test_it_can_be_taken_away_as_a_list(played: Floor) -> None:
    answer: Any = browser_of(played.ines).get(PAGE, {**EVENING, "format": "csv"})
    assert b"".join(answer).decode().splitlines()[1:] == [
        "shaker,1 to 40,40,None,Nothing: these are its first,None,None"
    ]


def test_the_page_asks_the_same_number_of_questions_however_much_there_is(
    played: Floor, django_assert_max_num_queries: Any
) -> None:
    play(2_000, first=61, table="sb-7", at=after(hours=6))
    browser = browser_of(played.sam)
    with django_assert_max_num_queries(24):
        browser.get(PAGE, {"table": "sb-7", "since": "2026-11-16T20:00", "until": "2026-11-17T20:00"})
