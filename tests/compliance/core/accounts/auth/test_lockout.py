"""Lockout: five failures lock sign-in for fifteen minutes, for passwords, codes and reauthentication alike."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from axes.models import AccessAttempt
from django.test import Client

from compliance.core.accounts.models import AccountEvent, EventKind
from tests.compliance.core.accounts.people import PASSWORD, Cast, browser_of, code_now, next_code

START = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)


def attempt(email: str, password: str, **environment: str) -> int:
    return Client().post("/sign-in/", {"email": email, "password": password}, **environment).status_code  # type: ignore[arg-type]


def test_the_sixth_attempt_is_refused_even_with_the_right_password_until_the_cool_off(cast: Cast) -> None:
    with time_machine.travel(START, tick=False):
        assert [attempt(cast.mara.email, "wrong") for _ in range(5)] == [200, 200, 200, 200, 429]
        assert attempt(cast.mara.email, PASSWORD) == 429
    with time_machine.travel(START + timedelta(minutes=14, seconds=59), tick=False):
        assert attempt(cast.mara.email, PASSWORD) == 429
    # That attempt restarted the fifteen minutes.
    with time_machine.travel(START + timedelta(minutes=29, seconds=58), tick=False):
        assert attempt(cast.mara.email, PASSWORD) == 429
    with time_machine.travel(START + timedelta(minutes=44, seconds=59), tick=False):
        assert attempt(cast.mara.email, PASSWORD) == 302


def test_it_opens_by_itself_after_fifteen_quiet_minutes(cast: Cast) -> None:
    with time_machine.travel(START, tick=False):
        assert [attempt(cast.mara.email, "wrong") for _ in range(5)][-1] == 429
    with time_machine.travel(START + timedelta(minutes=15, seconds=1), tick=False):
        assert attempt(cast.mara.email, PASSWORD) == 302


def test_four_wrong_ones_do_not_lock_and_a_right_one_wipes_them(cast: Cast) -> None:
    for _ in range(2):
        assert [attempt(cast.mara.email, "wrong") for _ in range(4)] == [200] * 4
        assert attempt(cast.mara.email, PASSWORD) == 302


def test_spelling_the_address_otherwise_gives_no_more_guesses(cast: Cast) -> None:
    spellings = ["mara@example.com", "Mara@example.com", "MARA@EXAMPLE.COM", " mara@example.com", "mara@Example.com "]
    assert [attempt(email, "wrong") for email in spellings][-1] == 429
    assert attempt("mara@example.com", PASSWORD) == 429


def test_another_browser_at_the_same_place_gives_no_more_guesses(cast: Cast) -> None:
    answers = [attempt(cast.mara.email, "wrong", HTTP_USER_AGENT=f"browser {n}") for n in range(5)]
    assert answers[-1] == 429


def test_somebody_elsewhere_is_not_locked_out_by_it(cast: Cast) -> None:
    for _ in range(5):
        attempt(cast.mara.email, "wrong", REMOTE_ADDR="192.0.2.7")
    assert attempt(cast.mara.email, PASSWORD, REMOTE_ADDR="192.0.2.7") == 429
    assert attempt(cast.mara.email, PASSWORD, REMOTE_ADDR="198.51.100.9") == 302


def test_an_unknown_address_is_locked_just_the_same(cast: Cast) -> None:
    assert [attempt("nobody@example.com", "wrong") for _ in range(5)] == [200, 200, 200, 200, 429]


def test_the_page_says_how_long_and_who_can_help(cast: Cast) -> None:
    for _ in range(4):
        attempt(cast.mara.email, "wrong")
    page = Client().post("/sign-in/", {"email": cast.mara.email, "password": "wrong"})
    assert page.status_code == 429
    assert page.headers["Retry-After"] == "900"
    assert "Wait 15 minutes" in page.content.decode()


def test_the_lock_is_written_down_once_and_attempts_during_it_are_not(cast: Cast) -> None:
    for _ in range(8):
        attempt(cast.mara.email, "wrong")
    kinds = AccountEvent.objects.filter(subject=cast.mara, at__gt=START - timedelta(days=1))
    assert kinds.filter(kind=EventKind.SIGN_IN_FAILED).count() == 5
    assert kinds.filter(kind=EventKind.LOCKED).count() == 1


def test_wrong_codes_lock_as_well_although_the_password_was_right(cast: Cast) -> None:
    browser = Client()
    browser.post("/sign-in/", {"email": cast.ines.email, "password": PASSWORD})
    for guess in range(5):
        next_code(cast.ines)
        answer = browser.post("/sign-in/code/", {"code": f"00000{guess}"})
    assert answer.status_code == 429
    next_code(cast.ines)
    assert browser.post("/sign-in/code/", {"code": code_now()}).status_code == 429
    assert browser.get("/").headers["Location"] == "/sign-in/code/"


def test_between_wrong_codes_one_waits_longer_and_longer(cast: Cast) -> None:
    browser = Client()
    with time_machine.travel(START, tick=False) as clock:
        browser.post("/sign-in/", {"email": cast.ines.email, "password": PASSWORD})
        for _ in range(3):
            browser.post("/sign-in/code/", {"code": "000000"})
            clock.shift(timedelta(seconds=4))
        browser.post("/sign-in/code/", {"code": "000000"})
        clock.shift(timedelta(seconds=7))
        page = browser.post("/sign-in/code/", {"code": code_now()}).content.decode()
        assert "Wait 1 second," in page
        clock.shift(timedelta(seconds=1))
        assert browser.post("/sign-in/code/", {"code": code_now()}).status_code == 302


def test_wrong_sign_offs_count_as_failed_sign_ins(cast: Cast) -> None:
    browser = browser_of(cast.ada)
    page = f"/casinos/harbour/people/{cast.mara.pk}/disable/"
    wrong = {"reason": "left", "password": "wrong", "code": "000000"}
    assert [browser.post(page, wrong).status_code for _ in range(5)] == [200, 200, 200, 200, 429]
    right = {"reason": "left", "password": PASSWORD, "code": next_code(cast.ada)}
    assert browser.post(page, right).status_code == 429
    cast.mara.refresh_from_db()
    assert cast.mara.is_active
    assert attempt(cast.ada.email, PASSWORD) == 429


@pytest.mark.parametrize("secret", ["a secret reason", "wrong but close"])
def test_nothing_that_was_typed_is_kept_with_the_failed_attempt(cast: Cast, secret: str) -> None:
    browser_of(cast.ada).post(
        f"/casinos/harbour/people/{cast.mara.pk}/disable/",
        {"reason": "a secret reason", "password": "wrong but close", "code": "000000"},
    )
    kept = AccessAttempt.objects.get()
    assert kept.username == cast.ada.email
    assert secret not in f"{kept.post_data} {kept.get_data} {kept.path_info}"
