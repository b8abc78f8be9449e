"""Mandatory providers: password and code alone open nothing; people can still link their account."""

from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from compliance.core.accounts.models import AccountEvent, EventKind
from compliance.core.accounts.services import invite_person
from tests.compliance.core.accounts.people import PASSWORD, Cast, browser_of, code_now, sign_off
from tests.compliance.core.accounts.sso_organisation import Organisation, Traveller

OWED = "/sign-in/required/"


@pytest.fixture(autouse=True)
def required(organisation: Organisation, settings: Settings, tmp_path: Path) -> None:
    settings.OIDC_PROVIDERS = organisation.set_up(tmp_path, required=True)


def come_by_password(name: str, then: str = "/account/") -> Client:
    browser = Client()
    browser.post(f"/sign-in/?next={then}", {"email": f"{name}@example.com", "password": PASSWORD})
    browser.post(f"/sign-in/code/?next={then}", {"code": code_now()})
    return browser


def test_password_and_code_open_nothing_but_the_way_on(linked: Cast, organisation: Organisation) -> None:
    here = come_by_password("ines")
    for address in ("/", "/account/", "/people/"):
        assert here.get(address).headers["Location"].startswith(OWED), address
    page = here.get(f"{OWED}?next=/account/").content.decode()
    assert "Go on to the Inspectorate" in page
    assert "/account/</a>" not in page
    assert "Your account" not in page
    ines = Traveller.of(organisation, "ines", here=here)
    half_way = here.cookies["sessionid"].value
    # The code was given before, so it is not required again.
    assert ines.travel("?next=/account/").headers["Location"] == "/account/"
    assert here.get("/account/").status_code == 200
    assert here.cookies["sessionid"].value != half_way
    details = AccountEvent.objects.filter(kind=EventKind.SIGNED_IN).order_by("pk").values_list("detail", flat=True)
    assert list(details) == ["by the Inspectorate"]


def test_a_session_from_before_it_was_demanded_is_held_too(linked: Cast) -> None:
    assert browser_of(linked.ines).get("/account/").headers["Location"].startswith(OWED)


def test_an_invitation_is_not_a_way_round_it(linked: Cast) -> None:
    invited = invite_person(
        email="ines@example.com",
        name="Ines",
        casino=linked.harbour,
        role="authority-officer",
        actor=linked.gail,
        now=timezone.now(),
    )
    assert come_by_password("ines").get(invited.accept_url("")).headers["Location"].startswith(OWED)


def test_whoever_is_not_linked_yet_can_link_and_is_in(cast: Cast, organisation: Organisation) -> None:
    ines = Traveller.of(organisation, "ines", here=come_by_password("ines"))
    assert ines.travel("?next=/account/").headers["Location"] == "/account/single-sign-on/link/"
    answer = ines.here.post("/account/single-sign-on/link/", sign_off(cast.ines))
    assert answer.headers["Location"] == "/account/"
    assert ines.here.get("/account/").status_code == 200
    assert AccountEvent.objects.get(kind=EventKind.SIGNED_IN).detail == "by the Inspectorate"


def test_it_binds_its_own_people_alone(linked: Cast) -> None:
    assert come_by_password("ada").get("/account/").status_code == 200
    assert come_by_password("mara").get("/account/").status_code == 200
    assert Client().get(OWED).headers["Location"].startswith("/sign-in/?")
    assert come_by_password("mara").get(f"{OWED}?next=/account/").headers["Location"] == "/account/"
