from dataclasses import dataclass

import pytest
from pytest_django import Settings

from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from tests.compliance.core.accounts.people import Cast, assemble, give_phone, hire


@dataclass(frozen=True)
class Overseers:
    """In addition to the cast:
    Cleo is Harbour's compliance officer, Aron its authority officer, Gita a games supervisor."""

    cleo: User
    aron: User
    gita: User


@pytest.fixture(autouse=True)
def quick_passwords(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def cast(db: None) -> Cast:
    return assemble()


@pytest.fixture
def more(cast: Cast) -> Overseers:
    cleo, aron, gita = (
        hire(name, cast.harbour, role, by=cast.ada)
        for name, role in (
            ("cleo", Role.COMPLIANCE_OFFICER),
            ("aron", Role.AUTHORITY_OFFICER),
            ("gita", Role.GAMES_SUPERVISOR),
        )
    )
    for person in (cleo, aron, gita):
        give_phone(person)
    return Overseers(cleo, aron, gita)
