"""Rejected responses of a provider: replayed, stolen, forged, expired, or from somebody else."""

import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import requests
from django.test import Client
from pytest_django import Settings

from compliance.core.accounts.models import AccountEvent, EventKind
from compliance.core.accounts.sso.metadata import clear_cache
from tests.compliance.core.accounts.oidc_provider import CLIENT, SECRET, SHARED
from tests.compliance.core.accounts.people import Cast
from tests.compliance.core.accounts.sso_organisation import BACK, BEGIN, Organisation, Traveller

DISCOVERY, TOKEN, KEYS = "/o/.well-known/openid-configuration", "/o/token/", "/o/.well-known/jwks.json"


def words(page: Any) -> str:
    text: str = page.content.decode()
    return text


def is_outside(browser: Client) -> bool:
    return browser.get("/account/").headers.get("Location", "").startswith("/sign-in/?")


def test_a_way_back_leads_in_once_in_its_own_browser_and_for_ten_minutes(
    linked: Cast, organisation: Organisation, time_machine_at: Any
) -> None:
    ines = Traveller.of(organisation, "ines")
    back = ines.leave()
    thief = Client()
    assert thief.get(back).status_code == 400
    assert is_outside(thief)
    assert ines.here.get(back).status_code == 302
    ines.here.post("/sign-out/")
    again = ines.here.get(back)
    assert again.status_code == 400
    assert "used already" in words(again)
    late = ines.leave()
    with time_machine_at(minutes=10, seconds=1):
        assert ines.here.get(late).status_code == 400
    # The state is used up even when it was too late.
    assert ines.here.get(late).status_code == 400


def test_one_way_back_does_not_serve_for_another_provider_or_without_its_state(
    linked: Cast, organisation: Organisation
) -> None:
    ines = Traveller.of(organisation, "ines")
    code = parse_qs(urlsplit(ines.leave()).query)["code"][0]
    for query in ({"code": code}, {"code": code, "state": ""}, {"code": code, "state": "x" * 32}):
        assert ines.here.get(BACK, query).status_code == 400
    assert is_outside(ines.here)


def test_a_stolen_code_is_worth_nothing_without_the_verifier(linked: Cast, organisation: Organisation) -> None:
    """Rejected by the provider, even with the client secret; and in another authorization of ours."""
    ines = Traveller.of(organisation, "ines")
    stolen = parse_qs(urlsplit(ines.leave()).query)["code"][0]
    way_back = f"http://testserver{BACK}"
    told = {"grant_type": "authorization_code", "code": stolen, "redirect_uri": way_back, "code_verifier": "v" * 64}
    answer = ines.there.post(f"{organisation.issuer}/token/", told, auth=(CLIENT, SECRET))
    assert answer.status_code == 400
    other = Traveller.of(organisation, "bruno")
    came_with = {name: value[0] for name, value in parse_qs(urlsplit(other.leave()).query).items()}
    page = other.here.get(f"{BACK}?{urlencode(came_with | {'code': stolen})}")
    assert page.status_code == 403
    assert "refused our question" in words(page)
    assert is_outside(other.here)


FORGERIES: dict[str, dict[str, Any]] = {
    "signed with another key": {"sign": "stranger"},
    "not signed": {"sign": "none"},
    "signed with the secret that both know": {"sign": "secret"},
    "signed with it, which the provider publishes as its key": {
        "sign": "secret",
        "answers": {KEYS: {"keys": [SHARED]}},
    },
    "for another client": {"claims": {"aud": "somebody-else"}},
    "for another client, authorised by us": {"claims": {"aud": "somebody-else", "azp": CLIENT}},
    "for us and others, authorised by another": {"claims": {"aud": [CLIENT, "other"], "azp": "other"}},
    "for us and others, authorised by nobody": {"claims": {"aud": [CLIENT, "other"]}},
    "about another sign-in": {"claims": {"nonce": "another"}},
    "about no sign-in": {"claims": {"nonce": None}},
    "of another issuer": {"claims": {"iss": "https://localhost/another"}},
    "about nobody": {"claims": {"sub": ""}},
    "about somebody without a name": {"claims": {"sub": None}},
    "about a number": {"claims": {"sub": 1}},
    "about a name that no database could hold": {"claims": {"sub": "in\0es"}},
    "about a name with half a letter": {"claims": {"sub": "ines\ud800"}},
    "without an end": {"claims": {"exp": None}},
    "with another access token": {"claims": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"}},
}


def test_a_forged_answer_is_not_believed(linked: Cast, organisation: Organisation) -> None:
    ines = Traveller.of(organisation, "ines")
    for name, forgery in FORGERIES.items():
        organisation.says(**forgery)
        page = ines.travel()
        assert page.status_code == 403, name
        assert "not a word of your organisation" in words(page), name
        assert is_outside(ines.here), name
    organisation.says(claims={"aud": [CLIENT, "other"], "azp": CLIENT})
    assert ines.travel().status_code == 302
    assert not AccountEvent.objects.filter(kind=EventKind.SIGNED_IN).exists()


def test_clocks_may_differ_by_a_minute_and_no_more(linked: Cast, organisation: Organisation) -> None:
    now = int(time.time())
    ines = Traveller.of(organisation, "ines")
    for claims in ({"exp": now - 75}, {"iat": now + 90, "exp": now + 900}):
        organisation.says(claims=claims)
        page = ines.travel()
        assert (page.status_code, "out of date or comes from the future" in words(page)) == (403, True)
        assert is_outside(ines.here)
    for claims in ({"exp": now - 30}, {"iat": now + 40, "exp": now + 900}):
        organisation.says(claims=claims)
        assert ines.travel().status_code == 302
        ines.here.logout()


def test_somebody_who_proved_themselves_there_too_long_ago_does_so_again(
    linked: Cast, organisation: Organisation, settings: Settings, tmp_path: Path
) -> None:
    settings.OIDC_PROVIDERS = organisation.set_up(tmp_path, max_age_minutes=60)
    now = int(time.time())
    ines = Traveller.of(organisation, "ines")
    asked = parse_qs(urlsplit(ines.here.get(BEGIN).headers["Location"]).query)
    assert asked["max_age"] == ["3600"]
    for said, status, told in (
        (now - 3600 - 90, 403, "longer ago than is allowed"),
        (None, 403, "not a word of your organisation"),
        (True, 403, "not a word of your organisation"),
        (now - 3500, 302, ""),
    ):
        organisation.says(claims={"auth_time": said})
        page = ines.travel()
        assert (page.status_code, told in words(page)) == (status, True), said


def test_the_answer_names_its_issuer_where_the_provider_offers_that(linked: Cast, organisation: Organisation) -> None:
    """RFC 9207: a response of one provider must not be accepted for another (mix-up attack)."""
    ines = Traveller.of(organisation, "ines")
    for issuer in ("https://localhost/another", "", None):
        came_with = {name: value[0] for name, value in parse_qs(urlsplit(ines.leave()).query).items()}
        assert came_with.pop("iss") == organisation.issuer
        page = ines.here.get(BACK, came_with | ({} if issuer is None else {"iss": issuer}))
        assert page.status_code == 403
        assert is_outside(ines.here)


def test_whoever_cancels_is_told_and_so_is_whoever_is_refused(linked: Cast, organisation: Organisation) -> None:
    ines = Traveller.of(organisation, "ines")
    for error, told in (("access_denied", "You cancelled"), ("server_error", "refused our question")):
        came_with = {name: value[0] for name, value in parse_qs(urlsplit(ines.leave()).query).items()}
        answer = {"error": error, "state": came_with["state"], "iss": organisation.issuer}
        page = ines.here.get(BACK, answer | {"error_description": "<script>alert(1)</script>"})
        assert (page.status_code, told in words(page), "alert" in words(page)) == (403, True, False)


def test_a_provider_may_change_its_key(linked: Cast, organisation: Organisation) -> None:
    ines = Traveller.of(organisation, "ines")
    ines.travel()
    ines.here.logout()
    organisation.changes_key()
    assert ines.travel().headers["Location"] == "/sign-in/code/"


MISBEHAVIOURS: list[tuple[str, Any, int]] = [
    (DISCOVERY, "endless", 503),
    (DISCOVERY, "elsewhere", 503),
    (DISCOVERY, "failing", 503),
    (DISCOVERY, {"issuer": "https://localhost/another"}, 502),
    (DISCOVERY, {"jwks_uri": "https://127.0.0.1/keys"}, 502),
    (DISCOVERY, {"token_endpoint": "http://localhost/token"}, 502),
    (DISCOVERY, {"end_session_endpoint": "javascript:alert(1)"}, 502),
    (DISCOVERY, {"code_challenge_methods_supported": ["plain"]}, 502),
    (DISCOVERY, {"token_endpoint_auth_methods_supported": ["none"]}, 502),
    (TOKEN, "endless", 503),
    (TOKEN, "elsewhere", 503),
    (KEYS, "endless", 503),
    (KEYS, {"keys": []}, 502),
]


def test_a_provider_that_answers_otherwise_than_agreed_gets_a_plain_page(
    linked: Cast, organisation: Organisation
) -> None:
    for place, answer, status in MISBEHAVIOURS:
        clear_cache()
        organisation.says(answers={place: answer})
        ines = Traveller.of(organisation, "ines")
        begun = ines.here.get(BEGIN)
        page = ines.here.get(ines.sent_back_from(begun.headers["Location"])) if begun.status_code == 302 else begun
        assert (page.status_code, "<h1>Your organisation" in words(page)) == (status, True), (place, answer)
        assert is_outside(ines.here)


def test_a_provider_that_is_down_or_slow_or_not_to_be_trusted(
    linked: Cast, organisation: Organisation, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    down = organisation.set_up(tmp_path, issuer="https://localhost:1/o")
    stranger = organisation.set_up(tmp_path, ca_file="")
    for file in (down, stranger):
        settings.OIDC_PROVIDERS = file
        page = Client().get(BEGIN)
        assert (page.status_code, "your password works too" in words(page)) == (503, True)
    settings.OIDC_PROVIDERS = organisation.set_up(tmp_path)
    organisation.says(answers={DISCOVERY: "slow"})
    with monkeypatch.context() as impatient:
        impatient.setattr("compliance.core.accounts.sso.http_client.READ_SECONDS", 0.2)
        began = time.monotonic()
        assert Client().get(BEGIN).status_code == 503
        assert time.monotonic() - began < 1.5
    # The failure is not cached.
    organisation.says()
    assert Client().get(BEGIN).status_code == 302


def test_its_addresses_are_asked_for_once_an_hour(
    linked: Cast, organisation: Organisation, monkeypatch: pytest.MonkeyPatch, time_machine_at: Any
) -> None:
    asked: list[str] = []
    send = requests.Session.send

    def listen(self: requests.Session, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        asked.append(urlsplit(request.url or "").path)
        return send(self, request, **options)

    monkeypatch.setattr(requests.Session, "send", listen)
    for _ in range(2):
        assert Client().get(BEGIN).status_code == 302
    assert asked == ["/o/.well-known/openid-configuration"]
    with time_machine_at(hours=1, seconds=1):
        assert Client().get(BEGIN).status_code == 302
    assert len(asked) == 2
    clear_cache()
