"""Invitations by e-mail: valid for seven days, once, and only for the invited person."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from compliance.core.accounts.errors import (
    CannotGiveOwnRole,
    InvitationForAnotherPerson,
    InvitedAlready,
    NotAdministrator,
)
from compliance.core.accounts.models import (
    AccountAct,
    AccountEvent,
    Casino,
    EventKind,
    Invitation,
    RoleAssignment,
    User,
)
from compliance.core.accounts.roles import Role
from compliance.core.accounts.services import (
    accept_as_known_person,
    bootstrap_casino,
    invite_person,
    send_invitation_again,
    withdraw_invitation,
)
from compliance.core.accounts.services.invitations import hash_token
from compliance.core.web.mail.outbox import send_due_emails
from compliance.core.web.models import OutgoingEmail
from tests.compliance.core.accounts.people import PASSWORD, Cast, browser_of, code_now, sign_off
from tests.compliance.core.web.mail.mail_server import mail_server

START = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
WEEK = timedelta(days=7)
SECOND = timedelta(seconds=1)
NEW_PASSWORD = {"new_password": "a dome of dice at dawn", "new_password_again": "a dome of dice at dawn"}
NINA = {"email": "Nina@Example.com", "name": "Nina", "role": Role.SHIFT_MANAGER.value}


@pytest.fixture(autouse=True)
def local_letters(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def invite(cast: Cast, **changes: str) -> None:
    typed = {**NINA, **changes, **sign_off(cast.ada)}
    assert browser_of(cast.ada).post("/casinos/harbour/people/invite/", typed).status_code == 302
    send_due_emails(timezone.now)


def link() -> str:
    """The path of the link in the last e-mail."""
    return str(re.findall(r"http://testserver(/invitation/\S+)", str(mail.outbox[-1].body))[0])


def test_a_new_person_accepts_sets_a_password_and_comes_in(cast: Cast) -> None:
    invite(cast)
    letter = mail.outbox[-1]
    assert letter.to == ["nina@example.com"]
    assert letter.subject == "Your invitation to Fairthrow: Shift manager, Harbour Casino"
    browser = Client()
    page = browser.get(link()).content.decode()
    assert "Your invitation to Harbour Casino" in page
    assert "<strong>Shift manager</strong>" in page
    answer = browser.post(link(), {"name": "Nina Novak", **NEW_PASSWORD})
    assert answer.headers["Location"] == "/sign-in/second-factor/"
    nina = User.objects.get(email="nina@example.com")
    assert nina.name == "Nina Novak"
    held = RoleAssignment.objects.get(user=nina)
    assert (held.role, held.casino, held.given_by) == (Role.SHIFT_MANAGER, cast.harbour, cast.ada)
    assert Client().get(link()).status_code == 410
    assert AccountEvent.objects.filter(kind=EventKind.INVITATION_ACCEPTED, subject=nina).count() == 1


@pytest.mark.parametrize(("after", "status"), [(WEEK - SECOND, 200), (WEEK, 410), (WEEK + SECOND, 410)])
def test_it_runs_out_after_seven_days(cast: Cast, after: timedelta, status: int) -> None:
    with time_machine.travel(START, tick=False) as clock:
        invite(cast)
        clock.shift(after)
        browser = Client()
        assert browser.get(link()).status_code == status
        answer = browser.post(link(), {"name": "Nina", **NEW_PASSWORD})
        assert answer.status_code == (302 if status == 200 else 410)
        assert User.objects.filter(email="nina@example.com").exists() is (status == 200)


def test_sent_again_the_new_link_works_and_the_old_one_does_not(cast: Cast) -> None:
    with time_machine.travel(START, tick=False) as clock:
        invite(cast)
        old = link()
        clock.shift(WEEK)
        page = f"/casinos/harbour/people/invitations/{Invitation.objects.latest('pk').pk}/again/"
        assert browser_of(cast.ada).get(page).status_code == 200
        assert len(mail.outbox) == 1
        assert browser_of(cast.ada).post(page).status_code == 302
        send_due_emails(timezone.now)
        assert Client().get(old).status_code == 404
        clock.shift(WEEK - SECOND)
        assert Client().get(link()).status_code == 200


def test_withdrawn_it_opens_nothing_and_can_be_offered_anew(cast: Cast) -> None:
    invite(cast)
    page = f"/casinos/harbour/people/invitations/{Invitation.objects.latest('pk').pk}/withdraw/"
    assert browser_of(cast.ada).post(page).status_code == 302
    assert "It was withdrawn" in Client().get(link()).content.decode()
    assert "It was accepted, withdrawn or ran out." in browser_of(cast.ada).post(page).content.decode()
    invite(cast)
    assert Client().get(link()).status_code == 200


def test_the_same_offer_is_not_made_twice_at_once(cast: Cast) -> None:
    invite(cast)
    again = browser_of(cast.ada).post("/casinos/harbour/people/invite/", {**NINA, **sign_off(cast.ada)})
    assert "There is an open invitation for this e-mail address and role." in again.content.decode()
    with pytest.raises(InvitedAlready):
        invite_person(
            email="nina@example.com",
            name="Nina",
            casino=cast.harbour,
            role=Role.SHIFT_MANAGER,
            actor=cast.bruno,
            now=START,
        )
    invite(cast, role=Role.MARKETING.value)
    assert Invitation.objects.open().filter(email="nina@example.com").count() == 2


def test_nobody_invites_themselves(cast: Cast) -> None:
    typed = {"email": "ADA@example.com", "name": "Ada", "role": Role.SHIFT_MANAGER.value, **sign_off(cast.ada)}
    page = browser_of(cast.ada).post("/casinos/harbour/people/invite/", typed).content.decode()
    assert "You cannot give a role to yourself." in page
    with pytest.raises(CannotGiveOwnRole):
        invite_person(
            email=cast.ada.email, name="Ada", casino=cast.harbour, role=Role.SHIFT_MANAGER, actor=cast.ada, now=START
        )
    assert not Invitation.objects.open().exists()


def test_a_known_person_signs_in_with_the_second_factor_and_agrees(cast: Cast) -> None:
    invite(cast, email="otto@example.com", name="Otto")
    browser = Client()
    assert "You have an account already" in browser.get(link()).content.decode()
    assert browser.post(link(), {"name": "Thief", **NEW_PASSWORD}).status_code == 200
    assert not RoleAssignment.objects.filter(user=cast.otto, casino=cast.harbour).exists()
    browser.post("/sign-in/", {"email": cast.otto.email, "password": PASSWORD})
    assert browser.get(link()).headers["Location"].startswith("/sign-in/code/?next=%2Finvitation")
    assert browser.post(link()).headers["Location"] == "/sign-in/code/"
    assert not RoleAssignment.objects.filter(user=cast.otto, casino=cast.harbour).exists()
    browser.post("/sign-in/code/", {"code": code_now()})
    assert browser.get(link()).status_code == 200
    assert browser.post(link()).headers["Location"] == "/"
    assert RoleAssignment.objects.get(user=cast.otto, casino=cast.harbour).given_by == cast.ada


def test_somebody_else_cannot_use_it(cast: Cast) -> None:
    invite(cast)
    thief = browser_of(cast.mara)
    assert thief.get(link()).status_code == 409
    assert thief.post(link(), {"name": "Nina", **NEW_PASSWORD}).status_code == 409
    with pytest.raises(InvitationForAnotherPerson):
        accept_as_known_person(invitation=Invitation.objects.open().get(), actor=cast.mara, now=START)
    assert Client().get("/invitation/no-such-token/").status_code == 404


def test_a_weak_or_mistyped_password_is_refused_and_the_rest_kept(cast: Cast) -> None:
    invite(cast)
    for wrong, problem in (
        ({"new_password": "short", "new_password_again": "short"}, "This password is too short"),
        ({"new_password": "a dome of dice at dawn", "new_password_again": "another"}, "not the same"),
        ({"new_password": "nina@example.com", "new_password_again": "nina@example.com"}, "too similar"),
        ({"new_password": "1234567890123", "new_password_again": "1234567890123"}, "entirely numeric"),
    ):
        page = Client().post(link(), {"name": "Nina Novak", **wrong}).content.decode()
        assert problem in page
        assert "Nina Novak" in page
    assert not User.objects.filter(email="nina@example.com").exists()


def test_only_the_casinos_administrators_see_and_touch_its_invitations(cast: Cast) -> None:
    invite(cast)
    invitation = Invitation.objects.open().get()
    otto = browser_of(cast.otto)
    for page in ("", f"{invitation.pk}/again/", f"{invitation.pk}/withdraw/"):
        assert otto.get(f"/casinos/harbour/people/invitations/{page}").status_code == 404
        assert browser_of(cast.bruno).get(f"/casinos/harbour/people/invitations/{page}").status_code == 200
    assert otto.get(f"/casinos/marina/people/invitations/{invitation.pk}/again/").status_code == 404
    with pytest.raises(NotAdministrator):
        withdraw_invitation(invitation=invitation, actor=cast.otto, now=START)


def test_an_invitation_waits_until_the_mail_server_takes_it(cast: Cast, settings: Settings) -> None:
    OutgoingEmail.objects.all().delete()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with mail_server() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT, server.is_refusing = "127.0.0.1", server.port, True
        browser = browser_of(cast.ada)
        typed = {**NINA, **sign_off(cast.ada)}
        page = browser.post("/casinos/harbour/people/invite/", typed, follow=True).content.decode()
        assert "To be sent" in page
        email = OutgoingEmail.objects.get()
        assert send_due_emails(timezone.now) == 0
        email.refresh_from_db()
        assert (email.state, email.attempts, email.last_error) == ("waiting", 1, "The mail server refused it (451).")
        assert hash_token(email.secret) == Invitation.objects.get(email="nina@example.com").token_sha256
        server.is_refusing = False
        assert send_due_emails(lambda: timezone.now() + 11 * SECOND) == 1
        [letter] = server.messages
    assert letter["To"] == "nina@example.com"
    [path] = re.findall(r"http://testserver(/invitation/\S+)", str(letter.get_payload()))
    assert Client().get(path).status_code == 200
    email.refresh_from_db()
    assert (email.state, email.secret) == ("sent", ""), "the link is not stored any longer than it must be"
    page = browser.get("/casinos/harbour/people/invitations/").content.decode()
    assert "To be sent" not in page
    assert ">Sent<" in page


def test_a_link_that_was_replaced_or_withdrawn_meanwhile_is_not_sent(cast: Cast) -> None:
    OutgoingEmail.objects.all().delete()
    invited = invite_person(
        email="nina@example.com", name="Nina", casino=cast.harbour, role=Role.SHIFT_MANAGER, actor=cast.ada, now=START
    ).invitation
    send_invitation_again(invitation=invited, actor=cast.ada, now=START)
    assert send_due_emails(lambda: START) == 1
    assert [*OutgoingEmail.objects.order_by("pk").values_list("state", flat=True)] == ["withheld", "sent"]
    send_invitation_again(invitation=invited, actor=cast.ada, now=START)
    withdraw_invitation(invitation=invited, actor=cast.ada, now=START)
    assert send_due_emails(lambda: START) == 0
    assert not OutgoingEmail.objects.exclude(secret="").exists()


def test_the_list_shows_each_in_its_state(cast: Cast) -> None:
    with time_machine.travel(START, tick=False) as clock:
        invite(cast)
        clock.shift(WEEK)
        invite(cast, email="pia@example.com", name="Pia")
        page = browser_of(cast.ada).get("/casinos/harbour/people/invitations/").content.decode()
    for word in ("Waiting", "Expired", "Accepted"):
        assert f">{word}</strong>" in page


PIER: dict[str, Any] = {
    "slug": "pier",
    "name": "Pier",
    "time_zone": "Australia/Perth",
    "administrator_email": "Zoe@Example.com",
    "government_emails": ("Gail@example.com", "glen@example.com"),
}


def accept_link(link: str, name: str) -> None:
    Client().post(link.removeprefix("http://testserver"), {"name": name, **NEW_PASSWORD})


def test_the_links_of_a_casino_without_administrators_can_be_made_again(db: None) -> None:
    old = bootstrap_casino(**PIER, now=START)
    new = bootstrap_casino(**PIER, now=START + WEEK, site="http://testserver")
    assert list(old) == list(new) == ["zoe@example.com", "gail@example.com", "glen@example.com"]
    for link in old.values():
        assert link.startswith("http://localhost:8000/invitation/")
        assert Client().get(link.removeprefix("http://localhost:8000")).status_code == 410
    with time_machine.travel(START + WEEK, tick=False):
        accept_link(new["zoe@example.com"], "Zoe")
        again = bootstrap_casino(**PIER, now=START + WEEK, site="http://testserver")
        assert list(again) == ["gail@example.com", "glen@example.com"], "the casino has its administrator"
        for email, link in again.items():
            accept_link(link, email)
    assert set(RoleAssignment.objects.filter(given_by=None).values_list("user__email", "role")) == {
        ("zoe@example.com", "administrator"),
        ("gail@example.com", "government-administrator"),
        ("glen@example.com", "government-administrator"),
    }
    recorded = AccountAct.objects.filter(log="pier", event__kind=EventKind.ROLE_GIVEN).order_by("entry_index")
    assert [act.role for act in recorded] == ["administrator", *["government-administrator"] * 2]
    with pytest.raises(ValidationError, match="has its administrators already"):
        bootstrap_casino(**PIER, now=START + WEEK)


@pytest.mark.parametrize(
    "government", [("zoe@example.com", "glen@example.com"), ("glen@example.com", "Glen@example.com")]
)
def test_a_casino_begins_with_three_different_people(db: None, government: tuple[str, str]) -> None:
    with pytest.raises(ValidationError, match="Name three people"):
        bootstrap_casino(**{**PIER, "government_emails": government}, now=START)
    assert not Casino.objects.exists()
