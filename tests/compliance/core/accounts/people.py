"""The cast: people at Harbour and at Marina, created through the real services, and helpers to sign them in. Ada and
Bruno administer Harbour; Ines inspects there, Mara does its marketing. Otto administers Marina: the outsider. Gail and
Glen are the government's administrators at every casino."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.test import Client
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.accounts.roles import GOVERNMENT_SIDE, Role
from compliance.core.accounts.services import (
    accept_as_known_person,
    accept_as_new_person,
    bootstrap_casino,
    end_role,
    invite_person,
)
from compliance.core.accounts.services.invitations import find_invitation
from compliance.core.web.models import OutgoingEmail
from tests.fixture_snapshots import snapshotted

PASSWORD = "three dice in a glass dome"
KEY = "3132333435363738393031323334353637383930"
GOVERNMENT_EMAILS = ("gail@example.com", "glen@example.com")
LONG_AGO = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Cast:
    harbour: Casino
    marina: Casino
    ada: User
    bruno: User
    ines: User
    mara: User
    otto: User
    gail: User


@snapshotted
def assemble() -> Cast:
    harbour, ada = found_casino("harbour", "Harbour Casino", "Australia/Sydney", "ada")
    marina, otto = found_casino("marina", "Marina Casino", "Asia/Singapore", "otto")
    bruno = hire("bruno", harbour, Role.ADMINISTRATOR, by=ada)
    ines = hire("ines", harbour, Role.INSPECTOR, by=ada)
    mara = hire("mara", harbour, Role.MARKETING, by=ada)
    gail = government_administrator()
    for person in (ada, bruno, ines, mara, otto, gail):
        give_phone(person)
    return Cast(harbour, marina, ada, bruno, ines, mara, otto, gail)


def found_casino(slug: str, name: str, zone: str, administrator: str) -> tuple[Casino, User]:
    links = bootstrap_casino(
        slug=slug,
        name=name,
        time_zone=zone,
        administrator_email=f"{administrator}@example.com",
        government_emails=GOVERNMENT_EMAILS,
        now=LONG_AGO,
    )
    administrators = [
        accept(link.rstrip("/").rpartition("/")[2], email.partition("@")[0].capitalize())
        for email, link in links.items()
    ]
    return Casino.objects.get(slug=slug), administrators[0]


def government_administrator() -> User:
    return User.objects.get(email=GOVERNMENT_EMAILS[0])


def hire(name: str, casino: Casino, role: str, *, by: User) -> User:
    """`by` administers the casino; government roles are given by the government's administrator instead."""
    invited = invite_person(
        email=f"{name}@example.com",
        name=name.capitalize(),
        casino=casino,
        role=role,
        actor=government_administrator() if role in GOVERNMENT_SIDE else by,
        now=LONG_AGO,
    )
    return accept(invited.token, name.capitalize())


def accept(token: str, name: str) -> User:
    invitation = find_invitation(token)
    assert invitation is not None
    now = LONG_AGO + timedelta(hours=1)
    person = User.objects.filter(email=invitation.email).first()
    if person is None:
        person = accept_as_new_person(invitation=invitation, name=name, password=PASSWORD, now=now)
    else:
        accept_as_known_person(invitation=invitation, actor=person, now=now)
    # E-mails from before a scenario begins are none of its concern.
    OutgoingEmail.objects.all().delete()
    return person


def without_role_and_phone(cast: Cast) -> User:
    """Mara, after she has left."""
    held = RoleAssignment.objects.get(user=cast.mara)
    end_role(held=held, actor=cast.ada, now=LONG_AGO + timedelta(days=1))
    OutgoingEmail.objects.all().delete()
    TOTPDevice.objects.filter(user=cast.mara).delete()
    return cast.mara


def give_phone(person: User) -> TOTPDevice:
    return TOTPDevice.objects.create(user=person, name="Phone", key=KEY)


def code_now() -> str:
    """The current TOTP code; everybody in the cast has the same key, that of RFC 6238."""
    return f"{totp(bytes.fromhex(KEY)):06}"


def next_code(person: User) -> str:
    """An unused code, as if half a minute had passed since the last one."""
    TOTPDevice.objects.filter(user=person).update(last_t=-1, throttling_failure_count=0)
    return code_now()


def sign_off(person: User) -> dict[str, str]:
    return {"password": PASSWORD, "code": next_code(person)}


def browser_of(person: User) -> Client:
    """A client signed in as the person, with the second factor if they have one."""
    browser = Client()
    browser.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    device = TOTPDevice.objects.filter(user=person).first()
    if device is not None:
        session = browser.session
        session[DEVICE_ID_SESSION_KEY] = device.persistent_id
        session.save()
    return browser
