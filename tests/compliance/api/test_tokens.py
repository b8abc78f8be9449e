"""A token grants its scopes until it expires or is revoked, or its maker loses their role."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from compliance.api.endpoints import authentication
from compliance.api.errors import NothingToRead, RevokedAlready
from compliance.api.models import ApiToken, TokenEnd, TokenGrant
from compliance.api.tokens.services import make_token, revoke_token
from compliance.core.accounts.models import RoleAssignment
from compliance.core.accounts.roles import Role
from compliance.core.accounts.services import disable_person, end_role
from rounds.ledger.readers.consumer import read_entries
from tests.compliance.api.api_client import HARBOUR, ApiClient
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.inspection.reviews.scenario import ReviewScenario

TOKENS = "/casinos/harbour/tokens/"
CHOSEN = {"name": "Case system", "casinos": ["harbour"], "scopes": ["findings", "coverage"], "days": "90"}


def make_by_page(office: ReviewScenario) -> str:
    """Ines fills in the form; the token is in the response."""
    page = browser_of(office.ines).post(f"{TOKENS}new/", CHOSEN | sign_off(office.ines)).content.decode()
    assert "shown only here and only once" in page
    return page.partition('id="token">')[2].partition("<")[0]


def ask(secret: str, path: str = "findings") -> tuple[int, str]:
    response = Client().get(f"{HARBOUR}/{path}", headers={"Authorization": f"Bearer {secret}"})
    return response.status_code, response.json().get("code", "")


def test_an_inspector_makes_a_token_that_is_shown_once_and_kept_nowhere(office: ReviewScenario) -> None:
    secret = make_by_page(office)
    assert ask(secret) == (200, "")
    assert ask(secret, "rounds") == (403, "out-of-scope")
    token = ApiToken.objects.get()
    assert (token.name, token.scopes, token.made_by) == ("Case system", ["findings", "coverage"], office.ines)
    assert token.expires_at - token.made_at == timedelta(days=90)
    assert secret not in str(ApiToken.objects.values())
    page = browser_of(office.ines).get(TOKENS).content.decode()
    assert "Case system" in page
    assert secret not in page

    grant = TokenGrant.objects.get()
    [entry] = read_entries("harbour", grant.entry_index, grant.entry_index + 1)
    assert (entry.kind, entry.content()["by"]["name"]) == ("api-token-made", "Ines")
    leaves = b"".join(one.body for one in read_entries("harbour", 0, 10_000))
    assert secret.encode() not in leaves


def test_its_page_says_in_words_all_that_it_reads(office: ReviewScenario) -> None:
    every = CHOSEN | {"scopes": ["findings", "rounds", "coverage", "reports", "entries"]}
    page = browser_of(office.ines).post(f"{TOKENS}new/", every | sign_off(office.ines)).content.decode()
    assert "It reads findings, rounds, coverage, reports, the whole log until" in page
    assert "Findings, Rounds, Coverage, Reports, The whole log" in browser_of(office.ines).get(TOKENS).content.decode()


def test_nothing_is_made_without_password_and_code(office: ReviewScenario) -> None:
    for wrong in ({"password": "not it"}, {"code": "000000"}):
        page = browser_of(office.ines).post(f"{TOKENS}new/", CHOSEN | sign_off(office.ines) | wrong).content.decode()
        assert "Case system" in page, "what was typed is still there"
        assert 'id="token"' not in page
    assert ApiToken.objects.count() == 0


@pytest.mark.parametrize(
    "wrong", [{"casinos": []}, {"casinos": ["marina"]}, {"scopes": []}, {"scopes": ["patrons"]}, {"days": "9999"}]
)
def test_a_token_for_nothing_or_for_too_much_is_not_made(office: ReviewScenario, wrong: dict[str, object]) -> None:
    browser_of(office.ines).post(f"{TOKENS}new/", CHOSEN | sign_off(office.ines) | wrong)
    assert ApiToken.objects.count() == 0


def test_the_service_itself_refuses_what_the_form_would(office: ReviewScenario) -> None:
    marina = office.house.crew.cast.marina
    for casinos, scopes, days in (
        ([marina], ["findings"], 30),
        ([office.casino], [], 30),
        ([office.casino], ["findings"], 367),
    ):
        with pytest.raises(NothingToRead):
            make_token(name="X", casinos=casinos, scopes=scopes, days=days, actor=office.ines, now=timezone.now())
    assert ApiToken.objects.count() == 0


def test_only_the_government_makes_tokens_and_the_compliance_officer_sees_them(office: ReviewScenario) -> None:
    ApiClient(office)
    page = browser_of(office.cora).get(TOKENS).content.decode()
    assert "Case system" in page
    assert "Revoke" not in page.replace("Revoked", "")
    assert "Make a token" not in page
    for person in (office.cora, office.sid):
        assert browser_of(person).get(f"{TOKENS}new/").status_code == 404
    assert browser_of(office.sid).get(TOKENS).status_code == 404


@pytest.mark.parametrize("sent", ["", "Bearer", "Bearer fairthrow_guess", "Basic aW5lczpw", "Bearer \x7f"])
def test_without_a_token_there_is_nothing_to_read(office: ReviewScenario, sent: str) -> None:
    response = Client().get(f"{HARBOUR}/findings", headers={"Authorization": sent})
    assert (response.status_code, response.json()["code"]) == (401, "no-token")
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="Fairthrow"'


def test_a_session_is_no_token(office: ReviewScenario) -> None:
    assert browser_of(office.ines).get(f"{HARBOUR}/findings").status_code == 401


def test_it_ends_on_its_day(office: ReviewScenario) -> None:
    assert ApiClient(office, days=30, ago=29).get("findings").status_code == 200
    assert ApiClient(office, days=30, ago=30).refused("findings") == (401, "expired-token")


def test_a_revoked_token_reads_nothing_and_says_who_revoked_it(office: ReviewScenario) -> None:
    system = ApiClient(office)
    page = f"{TOKENS}{system.token.pk}/revoke/"
    browser_of(office.iris).post(page, {"reason": "It was in a mail."} | sign_off(office.iris))
    assert system.refused("findings") == (401, "revoked-token")
    assert "By Iris: It was in a mail." in browser_of(office.ines).get(TOKENS).content.decode()
    end = TokenEnd.objects.get()
    [entry] = read_entries("harbour", end.entry_index, end.entry_index + 1)
    assert (entry.kind, entry.content()["reason"]) == ("api-token-revoked", "It was in a mail.")
    with pytest.raises(RevokedAlready):
        revoke_token(token=system.token, reason="Again", actor=office.ines, now=timezone.now())


def test_it_ends_with_the_role_of_whoever_made_it(office: ReviewScenario) -> None:
    system, gail = ApiClient(office, by=office.iris), office.house.crew.cast.gail
    assert system.get("findings").status_code == 200
    held = RoleAssignment.objects.get(user=office.iris, role=Role.INSPECTOR)
    end_role(held=held, actor=gail, now=timezone.now())
    assert system.refused("findings") == (401, "revoked-token")


def test_and_with_their_account(office: ReviewScenario) -> None:
    system, gail = ApiClient(office, by=office.iris), office.house.crew.cast.gail
    disable_person(subject=office.iris, casino=office.casino, reason="Left", actor=gail, now=timezone.now())
    assert system.refused("findings") == (401, "revoked-token")


def test_another_casino_is_as_if_it_were_not_there(office: ReviewScenario) -> None:
    system = ApiClient(office)
    assert system.refused("/api/v1/casinos/marina/findings") == (404, "not-found")
    assert system.refused("/api/v1/casinos/nowhere/findings") == (404, "not-found")


def test_a_round_tells_no_findings_to_a_token_for_rounds_alone(office: ReviewScenario) -> None:
    office.overpay()
    system = ApiClient(office, "rounds")
    index = system.read("rounds")["rounds"][0]["index"]
    assert system.read(f"rounds/{index}")["findings"] == []


def test_its_last_use_is_shown(office: ReviewScenario) -> None:
    system = ApiClient(office)
    assert ApiToken.objects.get().last_used_at is None
    before = timezone.now()
    system.read("coverage")
    used = ApiToken.objects.get().last_used_at
    assert used is not None
    assert used >= before


def test_too_many_requests_are_told_to_wait(office: ReviewScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authentication, "MAX_REQUESTS_PER_MINUTE", 2)
    system = ApiClient(office)
    answers = [system.get("coverage") for _ in range(6)]
    last = answers[-1]
    assert (last.status_code, last.json()["code"]) == (429, "too-many")
    assert 1 <= int(last.headers["Retry-After"]) <= 60


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE inspectorate_apitoken SET expires_at = expires_at + interval '1 year'",
        "UPDATE inspectorate_apitoken SET scopes = '[]'",
        "DELETE FROM inspectorate_apitoken",
        "DELETE FROM inspectorate_tokenend",
        "UPDATE inspectorate_tokengrant SET casino_id = casino_id",
    ],
)
def test_the_database_keeps_a_token_as_it_was_made(office: ReviewScenario, statement: str) -> None:
    ApiClient(office)
    with pytest.raises(DatabaseError, match=r"permission denied|stays as it was made"), transaction.atomic():
        connection.cursor().execute(statement)
