"""Changing a password, and resetting a forgotten one."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from compliance.core.accounts import tasks
from compliance.core.accounts.models import AccountEvent, EventKind, User
from compliance.core.web.mail.outbox import send_due_emails
from tests.compliance.core.accounts.people import PASSWORD, Cast, browser_of, sign_off

START = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
NEW = "a dome of dice at dawn"
TYPED = {"new_password": NEW, "new_password_again": NEW}


@pytest.fixture(autouse=True)
def local_letters(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def send_password_reset(*, email: str, site: str) -> None:
    """The task, then the worker of the outbox."""
    tasks.send_password_reset(email=email, site=site)
    send_due_emails(timezone.now)


def ask(person: User) -> str:
    """The path of the link in the e-mail."""
    send_password_reset(email=person.email.upper(), site="http://testserver")
    return str(re.findall(r"http://testserver(/password/reset/\S+)", str(mail.outbox[-1].body))[0])


def can_sign_in(person: User, password: str) -> bool:
    return Client().post("/sign-in/", {"email": person.email, "password": password}).status_code == 302


def test_changing_it_keeps_this_session_and_ends_the_others(cast: Cast) -> None:
    here, there = browser_of(cast.ines), browser_of(cast.ines)
    assert here.post("/account/password/", {**TYPED, "password": "wrong"}).status_code == 200
    assert can_sign_in(cast.ines, PASSWORD)
    assert here.post("/account/password/", {**TYPED, **sign_off(cast.ines)}).status_code == 302
    assert here.get("/").status_code == 200
    assert there.get("/").headers["Location"] == "/sign-in/"
    assert can_sign_in(cast.ines, NEW)
    assert not can_sign_in(cast.ines, PASSWORD)


def test_a_forgotten_one_is_replaced_by_the_link_once(cast: Cast) -> None:
    inside = browser_of(cast.ines)
    link = ask(cast.ines)
    browser = Client()
    assert browser.get(link).status_code == 200
    assert browser.post(link, {**TYPED, "new_password_again": "other"}).status_code == 200
    assert browser.post(link, TYPED).headers["Location"] == "/sign-in/"
    assert inside.get("/").headers["Location"] == "/sign-in/"
    assert browser.post(link, TYPED).status_code == 410
    assert can_sign_in(cast.ines, NEW)
    assert browser.get("/").headers["Location"] == "/sign-in/"
    browser.post("/sign-in/", {"email": cast.ines.email, "password": NEW})
    assert browser.get("/").headers["Location"] == "/sign-in/code/"


@pytest.mark.parametrize(("minutes", "status"), [(59, 200), (60, 200), (61, 410)])
def test_the_link_works_for_an_hour(cast: Cast, minutes: int, status: int) -> None:
    with time_machine.travel(START, tick=False) as clock:
        link = ask(cast.ines)
        clock.shift(timedelta(minutes=minutes))
        assert Client().get(link).status_code == status


def test_the_page_says_the_same_for_a_known_and_an_unknown_address(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    answers = []
    for email in (cast.ines.email, "nobody@example.com"):
        with django_capture_on_commit_callbacks() as rung:
            answer = Client().post("/password/forgotten/", {"email": email})
        answers.append((answer.status_code, answer.headers["Location"], answer.content, len(rung)))
    assert answers[0] == answers[1] == (302, "/password/forgotten/sent/", b"", 1)
    send_password_reset(email="nobody@example.com", site="http://testserver")
    assert mail.outbox == []


def test_a_disabled_person_gets_no_link_and_an_old_one_stops_working(cast: Cast) -> None:
    link = ask(cast.ines)
    User.objects.filter(pk=cast.ines.pk).update(is_active=False)
    assert Client().post(link, TYPED).status_code == 410
    send_password_reset(email=cast.ines.email, site="http://testserver")
    assert len(mail.outbox) == 1


def test_three_letters_an_hour_are_enough(cast: Cast) -> None:
    with time_machine.travel(START, tick=False) as clock:
        for _ in range(5):
            send_password_reset(email=cast.ines.email, site="http://testserver")
        assert len(mail.outbox) == 3
        clock.shift(timedelta(hours=1))
        send_password_reset(email=cast.ines.email, site="http://testserver")
    assert len(mail.outbox) == 4
    assert AccountEvent.objects.filter(kind=EventKind.PASSWORD_RESET_ASKED).count() == 4


@pytest.mark.parametrize("who", ["MQ", "x", "LTE", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "é"])
def test_a_forged_link_opens_nothing(cast: Cast, who: str) -> None:
    assert Client().get(f"/password/reset/{who}/abc-def/").status_code == 410
    other = ask(cast.mara).rstrip("/").rpartition("/")[2]
    mine = ask(cast.ines).split("/")[3]
    assert Client().get(f"/password/reset/{mine}/{other}/").status_code == 410
