"""Session time-out: thirty idle minutes, twelve hours at most, and sign-out everywhere on request."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compliance.core.accounts.models import AccountEvent, EventKind
from tests.compliance.core.accounts.people import Cast, browser_of

START = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
IDLE = timedelta(minutes=30)
SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(("after", "is_in"), [(IDLE - SECOND, True), (IDLE, False), (IDLE + SECOND, False)])
def test_idle_at_just_under_and_just_over_thirty_minutes(cast: Cast, after: timedelta, is_in: bool) -> None:
    browser = browser_of(cast.ines)
    with time_machine.travel(START, tick=False) as clock:
        assert browser.get("/").status_code == 200
        clock.shift(after)
        assert (browser.get("/").status_code == 200) is is_in
        assert AccountEvent.objects.filter(kind=EventKind.SIGNED_OUT).exists() is not is_in


def test_each_request_counts_as_activity_but_polling_does_not(cast: Cast) -> None:
    active, polling = browser_of(cast.ines), browser_of(cast.ada)
    with time_machine.travel(START, tick=False) as clock:
        for _ in range(4):
            assert active.get("/").status_code == 200
            answer = polling.get("/", headers={"X-Background": "1"})
            clock.shift(timedelta(minutes=10))
        assert active.get("/").status_code == 200
        assert answer.headers.get("Location") == "/sign-in/"


def test_polling_alone_does_not_end_it_early(cast: Cast) -> None:
    browser = browser_of(cast.ines)
    with time_machine.travel(START, tick=False) as clock:
        browser.get("/")
        clock.shift(IDLE - SECOND)
        assert browser.get("/", headers={"X-Background": "1"}).status_code == 200
        clock.shift(SECOND)
        assert browser.get("/", headers={"X-Background": "1"}).status_code == 302


def test_page_after_page_is_written_down_once_a_minute_and_never_ends_it_late(cast: Cast) -> None:
    browser = browser_of(cast.ines)
    with time_machine.travel(START, tick=False) as clock:
        browser.get("/")
        clock.shift(timedelta(seconds=59))
        assert writes_of(browser) == []
        # The page shows the end: thirty minutes after the stored activity.
        assert "8:30 pm" in browser.get("/").content.decode()
        clock.shift(SECOND)
        assert len(writes_of(browser)) == 1
        assert writes_of(browser) == []
        assert "8:31 pm" in browser.get("/").content.decode()
        clock.shift(IDLE - SECOND)
        assert browser.get("/", headers={"X-Background": "1"}).status_code == 200
        clock.shift(SECOND)
        assert browser.get("/").status_code == 302


def writes_of(browser: Client) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        assert browser.get("/").status_code == 200
    return [query["sql"] for query in captured.captured_queries if query["sql"].startswith("UPDATE")]


def test_one_is_told_why_and_returns_to_the_same_page(cast: Cast) -> None:
    browser = browser_of(cast.ines)
    with time_machine.travel(START, tick=False) as clock:
        browser.get("/")
        clock.shift(IDLE)
        answer = browser.get("/account/?tab=1")
        assert answer.headers["Location"] == "/sign-in/?next=%2Faccount%2F%3Ftab%3D1"
        page = browser.get(answer.headers["Location"]).content.decode()
    assert "You were signed out after 30 minutes without activity." in page


def test_a_form_sent_too_late_leads_back_to_its_page(cast: Cast) -> None:
    browser = browser_of(cast.ines)
    with time_machine.travel(START, tick=False) as clock:
        browser.get("/")
        clock.shift(IDLE)
        page = {"Referer": "http://testserver/account/password/?a=1"}
        answer = browser.post("/account/password/", {"password": "x"}, headers=page)
        assert answer.headers["Location"] == "/sign-in/?next=%2Faccount%2Fpassword%2F%3Fa%3D1"
        elsewhere = browser.post("/account/password/", {}, headers={"Referer": "https://evil.example/trap/"})
        assert elsewhere.headers["Location"] == "/sign-in/"


def test_a_public_page_stays_open_to_somebody_timed_out(cast: Cast) -> None:
    browser = browser_of(cast.ines)
    with time_machine.travel(START, tick=False) as clock:
        browser.get("/")
        clock.shift(IDLE)
        assert browser.get("/password/forgotten/sent/").status_code == 200
        assert browser.get("/").status_code == 302


def test_after_twelve_busy_hours_it_ends_all_the_same(cast: Cast) -> None:
    browser = browser_of(cast.ines)
    with time_machine.travel(START, tick=False) as clock:
        browser.get("/")
        for _ in range(35):
            clock.shift(timedelta(minutes=20))
            assert browser.get("/").status_code == 200
        clock.shift(timedelta(minutes=20) - SECOND)
        assert browser.get("/").status_code == 200
        clock.shift(SECOND)
        assert browser.get("/").status_code == 302


def test_staying_signed_in_by_the_warning(cast: Cast) -> None:
    browser = browser_of(cast.ines)
    with time_machine.travel(START, tick=False) as clock:
        browser.get("/")
        clock.shift(timedelta(minutes=29))
        answer = browser.post("/session/stay/", headers={"Accept": "application/json"})
        assert answer.json()["seconds"] == 1800
        clock.shift(timedelta(minutes=29))
        assert browser.get("/").status_code == 200


def test_signing_out_everywhere_ends_the_other_session_too(cast: Cast) -> None:
    here, there, somebody = browser_of(cast.ines), browser_of(cast.ines), browser_of(cast.ada)
    assert there.get("/").status_code == 200
    assert here.get("/account/sign-out-everywhere/").status_code == 200
    assert there.get("/").status_code == 200
    assert here.post("/account/sign-out-everywhere/").headers["Location"] == "/sign-in/"
    assert there.get("/").headers["Location"] == "/sign-in/"
    assert here.get("/").headers["Location"] == "/sign-in/"
    assert somebody.get("/").status_code == 200
    assert "You are signed out everywhere." in here.get("/sign-in/").content.decode()


@pytest.mark.django_db
def test_a_visitor_has_no_session_to_end() -> None:
    visitor = Client()
    assert visitor.get("/password/forgotten/sent/").status_code == 200
    assert "sessionid" not in visitor.cookies
