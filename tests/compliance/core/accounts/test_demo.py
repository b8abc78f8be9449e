"""The demo's people: one for each role, able to sign in at once, and disabled outside demo mode."""

import re
from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from compliance.core.accounts.demo import NotADemoError, demo_code, demo_sign_ins, make_demo_people
from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.accounts.roles import Role

START = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
CASINOS = ["adelaide", "boardwalk", "harbour", "marina", "sentosa"]
EMAILS = [
    "administrator@demo.example", "authority-officer@demo.example", "casino-supervisor@demo.example",
    "compliance-officer@demo.example", "games-supervisor@demo.example", "government-administrator@demo.example",
    "inspector@demo.example", "marketing@demo.example", "shift-manager@demo.example",
]  # fmt: skip
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def demo() -> None:
    make_demo_people(now=START)


def come_in(email: str) -> Client:
    """As described on the sign-in page: follow the link, submit, copy the code."""
    browser = Client()
    page = browser.get(f"/sign-in/?as={email}")
    form = page.context["form"]
    typed = {"email": form["email"].value(), "password": form["password"].value()}
    answer = browser.post("/sign-in/", typed)
    if answer.headers["Location"] == "/sign-in/code/":
        shown = browser.get("/sign-in/code/").content.decode()
        browser.post("/sign-in/code/", {"code": re.findall(r"code for this person is (\d{6})", shown)[0]})
    return browser


def test_one_person_a_role_at_every_casino() -> None:
    assert sorted(Casino.objects.values_list("slug", flat=True)) == CASINOS
    assert sorted(User.objects.values_list("email", flat=True)) == EMAILS
    assert RoleAssignment.objects.count() == 9 * 5
    assert TOTPDevice.objects.count() == 9
    assert User.objects.get(email="inspector@demo.example").name == "Inspector"


def test_made_twice_nothing_is_doubled_and_what_was_ended_stays_ended() -> None:
    RoleAssignment.objects.filter(role=Role.MARKETING, casino__slug="harbour").update(ended_at=START)
    make_demo_people(now=START)
    assert (User.objects.count(), Casino.objects.count(), RoleAssignment.objects.count()) == (9, 5, 45)
    assert RoleAssignment.objects.current().count() == 44


@pytest.mark.parametrize("email", EMAILS)
def test_a_newcomer_gets_in_at_once(email: str) -> None:
    assert come_in(email).get("/").status_code == 200


def test_the_sign_in_page_lists_everybody_with_password_and_code() -> None:
    with time_machine.travel(START, tick=False):
        page = Client().get("/sign-in/").content.decode()
        for sign_in in demo_sign_ins(START):
            assert sign_in.email in page
            assert sign_in.password in page
            assert sign_in.code in page
            assert len(sign_in.code) == 6


def test_the_code_shown_is_one_that_still_works() -> None:
    inspector = User.objects.get(email="inspector@demo.example")
    with time_machine.travel(START, tick=False):
        first = demo_code(inspector, START)
        assert come_in(inspector.email).get("/").status_code == 200
        second = demo_code(inspector, START)
        assert come_in(inspector.email).get("/").status_code == 200
        assert first != second
        assert demo_code(inspector, START) == ""
    with time_machine.travel(START.replace(minute=1), tick=False):
        assert come_in(inspector.email).get("/").status_code == 200


def test_outside_the_demo_its_people_are_unknown_and_cannot_come_in(settings: Settings) -> None:
    inside = come_in("marketing@demo.example")
    assert inside.get("/").status_code == 200
    settings.DEMO = False
    settings.SECURE_SSL_REDIRECT = False
    assert inside.get("/").headers["Location"] == "/sign-in/"
    page = Client().get("/sign-in/?as=inspector@demo.example").content.decode()
    assert "demo.example" not in page
    assert "sic bo" not in page
    typed = {"email": "marketing@demo.example", "password": "sic bo on the harbour"}
    refused = Client().post("/sign-in/", typed)
    assert "The e-mail address or the password is not right." in refused.content.decode()
    assert demo_sign_ins(START) == []
    assert demo_code(User.objects.get(email="inspector@demo.example"), START) == ""
    with pytest.raises(NotADemoError):
        make_demo_people(now=START)


def test_a_published_password_cannot_be_changed() -> None:
    browser = come_in("marketing@demo.example")
    new = {"new_password": "a dome of dice at dawn", "new_password_again": "a dome of dice at dawn"}
    marketing = User.objects.get(email="marketing@demo.example")
    proof = {"password": "sic bo on the harbour", "code": demo_code(marketing, timezone.now())}
    page = browser.post("/account/password/", {**new, **proof}).content.decode()
    assert "they stay as they are" in page
    marketing.refresh_from_db()
    assert marketing.check_password("sic bo on the harbour")
