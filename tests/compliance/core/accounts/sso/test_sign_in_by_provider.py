"""Sign-in by a real provider over HTTPS, and which parts of its response count."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from pytest_django import Settings

from compliance.core.accounts.models import AccountEvent, EventKind
from compliance.core.accounts.services import disable_person, give_role
from tests.compliance.core.accounts.people import LONG_AGO, PASSWORD, Cast, browser_of, code_now, sign_off
from tests.compliance.core.accounts.sso_organisation import BEGIN, Organisation, Traveller


def test_the_sign_in_page_has_a_way_for_each_provider_and_none_without(
    cast: Cast, organisation: Organisation, settings: Settings
) -> None:
    assert "Sign in by the Inspectorate" in Client().get("/sign-in/").content.decode()
    settings.OIDC_PROVIDERS = None
    assert "your organisation" not in Client().get("/sign-in/").content.decode()
    assert Client().get(BEGIN).status_code == 404


def test_ines_comes_in_by_her_inspectorate_and_gives_her_code(linked: Cast, organisation: Organisation) -> None:
    ines = Traveller.of(organisation, "ines")
    assert ines.travel("?next=/account/").headers["Location"] == "/sign-in/code/?next=%2Faccount%2F"
    assert ines.here.get("/account/").headers["Location"].startswith("/sign-in/code/")
    half_way = ines.here.cookies["sessionid"].value
    answer = ines.here.post("/sign-in/code/?next=/account/", {"code": code_now()})
    assert answer.headers["Location"] == "/account/"
    assert ines.here.get("/account/").status_code == 200
    assert ines.here.cookies["sessionid"].value != half_way
    event = AccountEvent.objects.get(kind=EventKind.SIGNED_IN)
    assert (event.subject, event.detail) == (linked.ines, "by the Inspectorate")


def test_what_is_asked_of_the_provider(linked: Cast, organisation: Organisation) -> None:
    ines = Traveller.of(organisation, "ines")
    asked = parse_qs(urlsplit(ines.here.get(BEGIN).headers["Location"]).query)
    assert asked["redirect_uri"] == ["http://testserver/sign-in/by/inspectorate/back/"]
    assert (asked["response_type"], asked["code_challenge_method"]) == (["code"], ["S256"])
    assert asked["scope"] == ["openid email"]
    again = parse_qs(urlsplit(ines.here.get(BEGIN).headers["Location"]).query)
    for secret in ("state", "nonce", "code_challenge"):
        assert len(asked[secret][0]) >= 32
        assert asked[secret] != again[secret]


def test_the_key_of_the_session_changes_on_the_way(linked: Cast, organisation: Organisation) -> None:
    ines = Traveller.of(organisation, "ines")
    back = ines.leave()
    planted = ines.here.cookies["sessionid"].value
    ines.here.get(back)
    assert ines.here.cookies["sessionid"].value != planted
    intruder = Client()
    intruder.cookies["sessionid"] = planted
    assert intruder.get("/account/").headers["Location"].startswith("/sign-in/?")


def test_the_providers_second_factor_counts_only_by_agreed_words(
    linked: Cast, organisation: Organisation, settings: Settings, tmp_path: Path
) -> None:
    asked_for_code = "/sign-in/code/?next=%2Faccount%2F"
    cases: list[tuple[dict[str, Any], dict[str, Any], str]] = [
        ({"second_factor_amr": ["otp", "hwk"]}, {"amr": ["pwd", "otp"]}, "/account/"),
        ({"second_factor_acr": ["silver"]}, {"acr": "silver"}, "/account/"),
        ({"second_factor_amr": ["otp"]}, {"amr": ["pwd"]}, asked_for_code),
        ({"second_factor_acr": ["silver"]}, {"acr": "bronze"}, asked_for_code),
        ({"second_factor_acr": ["silver"]}, {"acr": ["silver"]}, asked_for_code),
        ({}, {"amr": ["otp", "mfa"], "acr": "silver"}, asked_for_code),
    ]
    for agreed, said, leads_to in cases:
        settings.OIDC_PROVIDERS = organisation.set_up(tmp_path, **agreed)
        organisation.says(claims=said)
        ines = Traveller.of(organisation, "ines")
        assert ines.travel("?next=/account/").headers["Location"] == leads_to, (agreed, said)
        assert (ines.here.get("/account/").status_code == 200) == (leads_to == "/account/")


def test_it_never_stands_in_for_a_phone_that_was_not_set_up_here(
    linked: Cast, organisation: Organisation, settings: Settings, tmp_path: Path
) -> None:
    """Approvals ask for the code: without it a person could approve with a password alone."""
    settings.OIDC_PROVIDERS = organisation.set_up(tmp_path, second_factor_amr=["otp"])
    organisation.says(claims={"amr": ["otp"]})
    linked.ines.totpdevice_set.all().delete()  # type: ignore[attr-defined]
    assert Traveller.of(organisation, "ines").travel().headers["Location"] == "/sign-in/second-factor/"


def test_an_approval_still_asks_for_password_and_code(
    linked: Cast, organisation: Organisation, settings: Settings, tmp_path: Path
) -> None:
    settings.OIDC_PROVIDERS = organisation.set_up(tmp_path, second_factor_amr=["otp"])
    organisation.says(claims={"amr": ["otp"]})
    ines = Traveller.of(organisation, "ines")
    ines.travel()
    page = ines.here.post("/account/recovery-codes/", {}).content.decode()
    assert "Enter your password to sign this off." in page
    assert (
        "Your new recovery codes" in ines.here.post("/account/recovery-codes/", sign_off(linked.ines)).content.decode()
    )


def test_a_disabled_person_stays_out_and_it_is_written_down(linked: Cast, organisation: Organisation) -> None:
    disable_person(subject=linked.ines, casino=linked.harbour, reason="On leave", actor=linked.gail, now=LONG_AGO)
    ines = Traveller.of(organisation, "ines")
    page = ines.travel()
    assert page.status_code == 403
    assert "Your account is disabled." in page.content.decode()
    assert ines.here.get("/account/").headers["Location"].startswith("/sign-in/?")
    assert AccountEvent.objects.filter(kind=EventKind.SIGN_IN_FAILED, subject=linked.ines).count() == 1


def test_a_locked_person_stays_out(linked: Cast, organisation: Organisation) -> None:
    ines = Traveller.of(organisation, "ines")
    back = ines.leave()
    for _ in range(5):
        ines.here.post("/sign-in/", {"email": "ines@example.com", "password": "wrong"})
    assert ines.here.get(back).status_code == 429
    assert ines.here.get("/account/").headers["Location"].startswith("/sign-in/?")


def test_a_provider_opens_nothing_that_others_entrusted(linked: Cast, organisation: Organisation) -> None:
    give_role(subject=linked.ines, casino=linked.marina, role="inspector", actor=linked.gail, now=LONG_AGO)
    page = Traveller.of(organisation, "ines").travel()
    assert page.status_code == 403
    assert "does not answer for every role" in page.content.decode()


def test_somebody_else_who_is_signed_in_is_not_exchanged_unseen(linked: Cast, organisation: Organisation) -> None:
    ines = Traveller.of(organisation, "ines", here=browser_of(linked.mara))
    assert ines.travel().status_code == 409
    assert "Mara" in ines.here.get("/account/").content.decode()


def test_signing_out_leads_on_to_the_provider(linked: Cast, organisation: Organisation) -> None:
    ines = Traveller.of(organisation, "ines")
    ines.travel()
    assert ines.here.post("/sign-out/").headers["Location"] == "/sign-out/done/inspectorate/"
    page = ines.here.get("/sign-out/done/inspectorate/").content.decode()
    address = page.split('class="button" href="')[1].split('"')[0].replace("&amp;", "&")
    assert "Confirm Logout" in ines.there.get(address).text
    assert ines.here.get("/account/").headers["Location"].startswith("/sign-in/?")


def test_too_many_journeys_from_one_place_are_throttled(
    linked: Cast, organisation: Organisation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compliance.core.accounts.views.single_sign_on.MAX_PER_MINUTE", 3)
    browser = Client(REMOTE_ADDR="198.51.100.77")
    answers = [browser.get(BEGIN).status_code for _ in range(8)]
    assert answers[:3] == [302, 302, 302]
    assert 429 in answers
    assert browser.get(BEGIN + "back/").status_code == 429


def test_the_password_remains_a_way_in(linked: Cast, organisation: Organisation) -> None:
    browser = Client()
    browser.post("/sign-in/", {"email": "ines@example.com", "password": PASSWORD})
    assert browser.post("/sign-in/code/", {"code": code_now()}).headers["Location"] == "/"
    assert AccountEvent.objects.get(kind=EventKind.SIGNED_IN).detail == ""
