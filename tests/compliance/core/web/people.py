"""A small cast for the tests of core.web. Mo does marketing."""

from datetime import UTC, datetime

from django.test import Client
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_totp.models import TOTPDevice

from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.accounts.roles import Role

LONG_AGO = datetime(2026, 1, 5, tzinfo=UTC)


def casino(slug: str, name: str, time_zone: str) -> Casino:
    return Casino.objects.get_or_create(
        slug=slug, defaults={"name": name, "time_zone": time_zone, "created_at": LONG_AGO}
    )[0]


def harbour() -> Casino:
    return casino("harbour", "Harbour Casino", "Australia/Sydney")


def person(name: str, role: Role, *casinos: Casino) -> User:
    user = User.objects.create(email=f"{name.lower()}@example.com", name=name, created_at=LONG_AGO)
    for place in casinos:
        RoleAssignment.objects.create(user=user, casino=place, role=role, given_at=LONG_AGO)
    return user


def mo() -> User:
    return person("Mo", Role.MARKETING, harbour())


def signed_in(client: Client, user: User) -> Client:
    """Signs the person in, with a second factor, without the pages of core.accounts."""
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    device = TOTPDevice.objects.create(user=user, name="Phone", confirmed=True)
    session = client.session
    session[DEVICE_ID_SESSION_KEY] = device.persistent_id
    session.save()
    return client
