"""Sign-in with e-mail and password, and where it leads."""

import pytest
from django.contrib.auth.hashers import identify_hasher
from django.test import Client
from pytest_django import Settings

from compliance.core.accounts.models import AccountEvent, EventKind, User
from tests.compliance.core.accounts.people import PASSWORD, Cast, browser_of, code_now, without_role_and_phone
from tests.conftest import HASHERS_OF_THE_SERVICE


def give_password(browser: Client, person: User, password: str = PASSWORD, then: str = "") -> str:
    answer = browser.post(f"/sign-in/{then}", {"email": person.email, "password": password})
    return answer.headers.get("Location", "")


def test_somebody_without_a_role_comes_in_with_a_password_and_everybody_else_is_asked_for_a_code(cast: Cast) -> None:
    browser = Client()
    assert give_password(browser, without_role_and_phone(cast)) == "/"
    assert browser.get("/").status_code == 200
    browser = Client()
    assert give_password(browser, cast.ines) == "/sign-in/code/"
    assert browser.get("/").headers["Location"] == "/sign-in/code/"
    assert browser.post("/sign-in/code/", {"code": code_now()}).headers["Location"] == "/"
    assert browser.get("/").status_code == 200


def test_the_sign_in_is_written_down_once_it_is_complete(cast: Cast) -> None:
    browser = Client()
    give_password(browser, cast.ines)
    assert not AccountEvent.objects.filter(kind=EventKind.SIGNED_IN).exists()
    browser.post("/sign-in/code/", {"code": code_now()})
    event = AccountEvent.objects.get(kind=EventKind.SIGNED_IN)
    assert (event.subject, event.actor, event.address) == (cast.ines, cast.ines, "127.0.0.1")


@pytest.mark.parametrize(
    ("email", "password"),
    [("nobody@example.com", PASSWORD), ("ines@example.com", "wrong"), ("bruno@example.com", PASSWORD)],
    ids=["unknown", "wrong", "disabled"],
)
def test_unknown_wrong_and_disabled_get_the_same_answer(cast: Cast, email: str, password: str) -> None:
    User.objects.filter(pk=cast.bruno.pk).update(is_active=False)
    page = Client().post("/sign-in/", {"email": email, "password": password})
    assert page.status_code == 200
    text = page.content.decode()
    assert "The e-mail address or the password is not right." in text
    assert "<title>Error: Sign in" in text
    assert password not in text


def test_the_address_may_be_typed_in_capitals(cast: Cast) -> None:
    answer = Client().post("/sign-in/", {"email": "MARA@Example.com", "password": PASSWORD})
    assert answer.headers["Location"] == "/sign-in/code/"


def test_one_returns_to_where_one_was_going_but_never_to_another_site(cast: Cast) -> None:
    without_role_and_phone(cast)
    asked = Client().get("/account/?tab=1")
    assert asked.headers["Location"] == "/sign-in/?next=%2Faccount%2F%3Ftab%3D1"
    assert give_password(Client(), cast.mara, then="?next=/account/") == "/account/"
    for elsewhere in ("https://evil.example/", "//evil.example/", "javascript:alert(1)", "/\\evil.example"):
        assert give_password(Client(), cast.mara, then=f"?next={elsewhere}") == "/"


def test_the_way_back_survives_the_second_factor(cast: Cast) -> None:
    browser = Client()
    assert give_password(browser, cast.ines, then="?next=/account/") == "/sign-in/code/?next=%2Faccount%2F"
    answer = browser.post("/sign-in/code/?next=/account/", {"code": code_now()})
    assert answer.headers["Location"] == "/account/"


def test_the_session_key_changes_with_what_it_opens(cast: Cast) -> None:
    browser = Client()
    give_password(browser, cast.ines)
    half_way = browser.cookies["sessionid"].value
    browser.post("/sign-in/code/", {"code": code_now()})
    assert browser.cookies["sessionid"].value != half_way


def test_somebody_signed_in_is_not_asked_again(cast: Cast) -> None:
    browser = browser_of(cast.ines)
    assert browser.get("/sign-in/?next=/account/").headers["Location"] == "/account/"
    assert browser.get("/sign-in/code/").headers["Location"] == "/"


def test_signing_out_needs_a_post_and_ends_the_session(cast: Cast) -> None:
    browser = browser_of(cast.ines)
    assert browser.get("/sign-out/").status_code == 405
    assert browser.get("/").status_code == 200
    assert browser.post("/sign-out/").headers["Location"] == "/sign-in/"
    assert browser.get("/").headers["Location"] == "/sign-in/"
    assert AccountEvent.objects.get(kind=EventKind.SIGNED_OUT).subject == cast.ines


def test_an_htmx_request_is_sent_to_sign_in_as_a_whole_page(cast: Cast) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/account/"}
    answer = Client().get("/casinos/harbour/people/", headers=headers)
    assert answer.headers["HX-Redirect"] == "/sign-in/?next=%2Faccount%2F"
    assert browser_of(cast.ada).get("/casinos/harbour/people/", headers=headers).status_code == 200


@pytest.mark.django_db
def test_passwords_are_kept_by_a_slow_hash(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = HASHERS_OF_THE_SERVICE
    person = User(email="new@example.com", name="New")
    person.set_password(PASSWORD)
    assert identify_hasher(person.password).algorithm == "scrypt"
