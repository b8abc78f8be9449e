"""Errors: one page in plain words for people, one envelope for programs."""

from collections.abc import Callable

import psycopg
import pytest
from django.db import OperationalError, connection
from django.test import Client

from compliance.core.web import errors
from tests.compliance.core.web.conftest import Elements

pytestmark = pytest.mark.urls("tests.compliance.core.web.component_gallery")

TITLES = {
    "400": "We could not read that request",
    "403": "You do not have access to this page",
    "404": "Page not found",
    "409": "Somebody else changed this first",
    "429": "Too many attempts",
    "500": "Something went wrong on our side",
    "503": "The service is not available right now",
}


@pytest.fixture
def patient() -> Client:
    """A client that, like a browser, gets the response instead of the exception."""
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(("status", "title"), TITLES.items())
@pytest.mark.django_db
def test_every_failure_is_a_whole_page_under_the_same_policy(patient: Client, status: str, title: str) -> None:
    response = patient.get(f"/raises/{status}/")
    assert response.status_code == int(status)
    page = Elements(response.content.decode())
    assert page.texts("title") == [f"{title} – Fairthrow"]
    assert page.texts("h1") == [title]
    assert [attrs["href"] for attrs, words in page.all("a") if words == "read the help"] == ["/help/"]
    assert "script-src 'self'" in response["Content-Security-Policy"]
    assert response["Cache-Control"] == "no-store"


@pytest.mark.parametrize("status", TITLES)
@pytest.mark.django_db
def test_programs_get_problem_json(patient: Client, status: str) -> None:
    response = patient.get(f"/api/raises/{status}/")
    problem = response.json()
    assert response["Content-Type"] == "application/problem+json"
    assert [response.status_code, problem["status"]] == [int(status), int(status)]
    assert problem["title"] == TITLES[status]
    assert problem["type"] == f"/help/errors/#{problem['code']}"
    assert problem["remedy"]
    assert "secret" not in response.content.decode()


@pytest.mark.django_db
def test_an_unknown_address_is_answered_in_kind(patient: Client) -> None:
    assert "Page not found" in patient.get("/nowhere/").content.decode()
    assert patient.get("/api/nowhere/").json()["code"] == "not-found"


@pytest.mark.django_db
def test_what_happened_is_told_and_escaped(patient: Client) -> None:
    text = patient.get("/raises/409/").content.decode()
    assert "closed at 9:20 pm by &lt;Gwen&gt;" in text
    assert "<Gwen>" not in text


@pytest.mark.django_db
def test_headers_of_a_refusal_are_sent(patient: Client) -> None:
    assert patient.get("/raises/429/")["Retry-After"] == "900"
    assert patient.get("/raises/503/")["Retry-After"] == "30"


def test_a_fault_shows_a_reference_and_nothing_of_the_code(patient: Client, no_database: None) -> None:
    response = patient.get("/raises/500/")
    page = Elements(response.content.decode())
    (reference,) = page.texts("code")
    assert len(reference) == 36
    assert "secret" not in response.content.decode()
    assert page.all("link", rel="stylesheet") != []


def test_the_page_of_a_fault_does_not_ask_who_is_there(patient: Client, no_database: None) -> None:
    """Looking up the user would query the database, which is what failed: the page must not do it."""
    patient.cookies["sessionid"] = "abcdefghijklmnopqrstuvwxyz012345"
    response = patient.get("/components/")
    assert response.status_code == 500
    assert Elements(response.content.decode()).all("link", rel="stylesheet") != []


def test_a_page_that_cannot_be_rendered_still_says_something(patient: Client, settings: object) -> None:
    settings.STATIC_ROOT = "/nowhere"  # type: ignore[attr-defined]
    settings.STORAGES = {  # type: ignore[attr-defined]
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}
    }
    response = patient.get("/raises/503/")
    assert response.status_code == 503
    assert "cannot reach its database" in response.content.decode()
    assert "stylesheet" not in response.content.decode()


@pytest.fixture
def unplugged(transactional_db: None) -> object:
    """The database is unreachable: its port is closed."""
    connection.close()
    port = connection.settings_dict["PORT"]
    connection.settings_dict["PORT"] = "1"
    yield
    connection.close()
    connection.settings_dict["PORT"] = port


def test_a_database_that_is_away_is_503_and_worth_a_retry(patient: Client, unplugged: object) -> None:
    response = patient.get("/raises/database/")
    assert response.status_code == 503
    assert response["Retry-After"] == "30"
    assert "cannot reach its database" in response.content.decode()
    assert patient.get("/api/raises/database/").json()["code"] == "unavailable"


def test_a_person_whose_session_cannot_be_read_gets_the_same(patient: Client, unplugged: object) -> None:
    """Here the middleware meets the lost database before any view does."""
    patient.cookies["sessionid"] = "abcdefghijklmnopqrstuvwxyz012345"
    assert patient.get("/components/").status_code == 503


@pytest.mark.django_db
def test_a_statement_the_database_refused_is_our_fault_not_its_absence() -> None:
    with pytest.raises(OperationalError) as caught, connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = '10ms'; SELECT pg_sleep(1)")
    assert not errors.is_database_down(caught.value)
    assert not errors.is_database_down(ValueError())


class TermsFiledLate(errors.Refusal):
    code = "terms-filed-late"
    status = 409
    title = "The terms were filed late"
    remedy = "File them with the reason for the delay."


def test_an_app_adds_its_own_refusals_to_the_code_list() -> None:
    refusal = TermsFiledLate("Filed 3 days after the draw.")
    assert [refusal.status, refusal.code, refusal.detail] == [409, "terms-filed-late", "Filed 3 days after the draw."]
    assert TermsFiledLate in errors.all_refusal_classes()
    assert str(refusal) == "terms-filed-late: Filed 3 days after the draw."


def test_codes_are_unique() -> None:
    codes = [kind.code for kind in errors.all_refusal_classes()]
    assert sorted(codes) == sorted(set(codes))


@pytest.mark.django_db
def test_a_page_that_was_open_too_long_is_not_blamed_on_the_person() -> None:
    response = Client(enforce_csrf_checks=True).post("/form/", {})
    assert response.status_code == 403
    assert "This page was open for too long" in response.content.decode()


class Interrupting:
    """A middleware that raises a refusal."""

    def __init__(self, get_response: Callable[..., object]) -> None:
        self.get_response = get_response

    def __call__(self, request: object) -> object:
        raise TermsFiledLate("Filed 3 days after the draw.")


def test_a_refusal_raised_in_a_middleware_is_answered_as_well(patient: Client, settings: object) -> None:
    settings.MIDDLEWARE = ["tests.compliance.core.web.test_errors.Interrupting"]  # type: ignore[attr-defined]
    response = patient.get("/api/raises/404/")
    assert [response.status_code, response.json()["code"]] == [409, "terms-filed-late"]


@pytest.mark.parametrize(
    ("state", "is_down"),
    [("53100", True), ("53200", True), ("58030", True), ("57P03", True), ("40P01", False), ("23505", False)],
)
def test_a_full_disk_is_an_outage_and_a_refused_statement_is_not(state: str, is_down: bool) -> None:
    """Disk full, out of memory, I/O error, starting up; a deadlock, a duplicate key."""
    error = OperationalError()
    error.__cause__ = psycopg.errors.lookup(state)()
    assert errors.is_database_down(error) is is_down


@pytest.mark.parametrize(("state", "is_undone"), [("40P01", True), ("40001", True), ("57014", False), ("53100", False)])
def test_what_was_undone_for_the_sake_of_another_is_worth_a_retry(state: str, is_undone: bool) -> None:
    """A deadlock, a serialization failure; a statement timeout, a full disk."""
    error = OperationalError()
    error.__cause__ = psycopg.errors.lookup(state)()
    refusal = errors.refusal_for_exception(error)
    assert isinstance(refusal, errors.TransactionConflict) is is_undone
    assert not is_undone or (refusal and refusal.status, refusal and refusal.headers["Retry-After"]) == (503, "1")


def test_no_kind_of_refusal_borrows_the_words_of_another() -> None:
    """Table controllers read these codes, and the help page lists them: each class needs its own texts."""
    with_a_title = [kind for kind in errors.all_refusal_classes() if "title" in vars(kind)]
    borrowed = [kind.code for kind in with_a_title if kind.detail and "detail" not in vars(kind)]
    assert len(with_a_title) > 40
    assert borrowed == []
