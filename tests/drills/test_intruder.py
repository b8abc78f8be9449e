"""An intruder tries every URL: with another casino's ids, from another site, in a frame, by another host name.

The URLs are those of the permission matrix, which is complete.
"""

import re
from urllib.parse import quote

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import GOVERNMENT_SIDE, Role, side_of
from compliance.core.accounts.services import give_role
from compliance.core.accounts.views.login_session import request_base_url
from tests.compliance.core.accounts.people import (
    LONG_AGO,
    PASSWORD,
    browser_of,
    code_now,
    found_casino,
    give_phone,
    government_administrator,
    hire,
)
from tests.contracts.blank_responses import blank_pages, blank_templates
from tests.contracts.test_permission_matrix import ROWS, browser_for, places
from tests.contracts.url_arguments import Places, person_named

__all__ = ["blank_pages", "places"]

ABSENT = {404, 405}
# A batch is signed by its controller, a cosignature by its witness; the API's schema and its viewer take no form. A
# mail program unsubscribes with one click (RFC 8058): the signed link is its only credential.
TAKE_NO_COOKIE = {
    "intake:entries", "intake:openapi", "intake:reader", "witnesses:cosignatures", "saved:stop", "evidence:inclusion",
    "evidence:consistency",
}  # fmt: skip


def marina_person(first: Role) -> User:
    """A person with every role of one side at Marina, and none at Harbour."""
    marina, otto = Casino.objects.get(slug="marina"), person_named("outs")
    oskar = hire("oskar", marina, first, by=otto)
    give_phone(oskar)
    administrator = government_administrator() if first in GOVERNMENT_SIDE else otto
    for role in side_of(first) - {first}:
        give_role(subject=oskar, casino=marina, role=role, actor=administrator, now=LONG_AGO)
    return oskar


def is_anybodys(name: str) -> bool:
    """Open to everybody, or to anybody with a token."""
    return ROWS[name]["anonym"] not in ("in", "code")


def status(browser: Client, url: str) -> int:
    return browser.get(url).status_code


@pytest.mark.parametrize("first", [Role.INSPECTOR, Role.CASINO_SUPERVISOR])
def test_every_page_with_another_casinos_number_answers_as_if_it_were_absent(places: Places, first: Role) -> None:
    """Lists of what is about a number may open and be empty; then they say nothing of the other casino."""
    browser = browser_of(marina_person(first))
    theirs = {name: parts for name, parts in places.items() if "casino" in parts and not is_anybodys(name)}
    here = {name: reverse(name, kwargs=parts | {"casino": "marina"}) for name, parts in theirs.items()}
    with blank_templates():
        told = [name for name, parts in theirs.items() if status(browser, reverse(name, kwargs=parts)) not in ABSENT]
        opened = [name for name, url in here.items() if status(browser, url) == 200]
    told += [f"{name} at Marina" for name in opened if b"harbour" in browser.get(here[name]).getvalue().lower()]
    assert told == []
    assert len(opened) > 50
    assert len(theirs) > 100


@pytest.mark.usefixtures("blank_pages")
def test_no_form_is_taken_from_another_site(places: Places) -> None:
    browser = browser_of(person_named("insp"))
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = browser.cookies
    taken = set()
    for name in ROWS:
        response = strict.post(reverse(name, kwargs=places.get(name)), {"reason": "x"})
        if response.status_code != 403:
            # 404: there is no such checkpoint to cosign.
            assert response.status_code in (400, 401, 404, 405, 415) or name == "saved:stop", name
            taken.add(name)
    assert taken == TAKE_NO_COOKIE | {name for name in ROWS if name.startswith("inspectorate:api-")}


@pytest.mark.usefixtures("blank_pages")
def test_no_page_can_be_framed_sniffed_or_made_to_run_a_script(places: Places) -> None:
    browser = browser_for("insp")
    lax = {}
    for name, row in ROWS.items():
        if row["insp"] != "200":
            continue
        headers = browser.get(reverse(name, kwargs=places.get(name))).headers
        policy = headers.get("Content-Security-Policy", "")
        has_all = (
            headers.get("X-Frame-Options") == "DENY"
            and headers.get("X-Content-Type-Options") == "nosniff"
            and headers.get("Referrer-Policy") == "same-origin"
            and ("frame-ancestors 'none'" in policy or "sandbox" in policy)
            and "default-src 'none'" in policy
            and not re.search(r"(script|style)-src[^;]*(unsafe|\*|data:)", policy)
        )
        if not has_all:
            lax[name] = dict(headers)
    assert lax == {}


class CountedHasher(MD5PasswordHasher):
    """Counts password hashes, which dominate the response time."""

    algorithm = "counted"
    times = 0

    def encode(self, password: str, salt: str) -> str:
        CountedHasher.times += 1
        return super().encode(password, salt)


@pytest.fixture
def people(settings: Settings, db: None) -> tuple[User, User]:
    """Ada, who signs in with a code, and Bea, whose account is disabled."""
    settings.PASSWORD_HASHERS = ["tests.drills.test_intruder.CountedHasher"]
    casino, ada = found_casino("harbour", "Harbour Casino", "Australia/Sydney", "ada")
    give_phone(ada)
    bea = hire("bea", casino, Role.MARKETING, by=ada)
    User.objects.filter(pk=bea.pk).update(is_active=False)
    return ada, bea


def test_an_unknown_address_takes_as_long_as_a_known_one(people: tuple[User, User]) -> None:
    hashed = {}
    for email in ("ada@example.com", "bea@example.com", "nobody@example.com"):
        before = CountedHasher.times
        Client().post("/sign-in/", {"email": email, "password": "guess"})
        hashed[email] = CountedHasher.times - before
    assert len(set(hashed.values())) == 1, hashed
    assert hashed["nobody@example.com"] >= 1


def test_a_session_planted_before_signing_in_is_worth_nothing_afterwards(people: tuple[User, User]) -> None:
    browser = Client()
    browser.get("/sign-in/?next=/account/")
    browser.cookies["sessionid"] = planted = "a" * 32
    browser.post("/sign-in/", {"email": "ada@example.com", "password": PASSWORD})
    after_password = browser.cookies["sessionid"].value
    browser.post("/sign-in/code/", {"code": code_now()})
    cookie = browser.cookies["sessionid"]
    assert planted not in (after_password, cookie.value)
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert thief.get("/account/").headers["Location"].startswith("/sign-in/")


@pytest.mark.parametrize(
    "wanted",
    [
        "//evil.example/",
        "https://evil.example/",
        "\\\\evil.example/",
        "/\\evil.example/",
        "javascript:alert(1)",
        "http:///evil.example",
        "%2F%2Fevil.example",
        "\thttps://evil.example/",
    ],
)
def test_nobody_is_sent_to_another_site(people: tuple[User, User], wanted: str) -> None:
    browser = Client()
    there = browser.post(
        f"/sign-in/?next={quote(wanted, safe='%')}", {"email": "ada@example.com", "password": PASSWORD}
    ).headers["Location"]
    last = browser.post(there, {"code": code_now()}).headers["Location"]
    for place in (there, last):
        assert place.startswith("/")
        assert not place.startswith(("//", "/\\"))


def test_another_host_name_is_refused_and_gets_into_no_letter(people: tuple[User, User]) -> None:
    assert Client().get("/sign-in/", headers={"Host": "evil.example"}).status_code == 400
    asked = RequestFactory().post("/password/forgotten/", headers={"X-Forwarded-Host": "evil.example"})
    assert request_base_url(asked) == "http://testserver"


@pytest.mark.parametrize(
    "address",
    [
        "/static/../compliance/config/settings.py",
        "/static/%2e%2e/%2e%2e/etc/passwd",
        "/help/..%2f..%2fsettings/",
        "/help/../../etc/passwd",
        "/logs/..%2f..%2fharbour/checkpoint",
        "/reports/..%2fverify_report.py",
    ],
)
def test_no_address_leads_out_of_its_folder(db: None, address: str) -> None:
    assert Client().get(address).status_code in (302, 404)
