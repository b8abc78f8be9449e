"""The access log page: who saw or exported what, by person, time and method; its own export appears in it."""

import csv
import io
from datetime import UTC, datetime

import pytest
from pytest_django import DjangoAssertNumQueries

from compliance.core.accounts.models import User
from compliance.privacy.access_log.models import AccessMethod
from compliance.privacy.access_log.services import record_disclosure
from compliance.privacy.personal_data.audited_read import read_personal_details
from compliance.privacy.personal_data.models import AccessPurpose
from tests.compliance.core.accounts.people import Cast, browser_of
from tests.compliance.privacy.personal_data.conftest import Overseers
from tests.compliance.privacy.personal_data.records import keep

PAGE = "/casinos/harbour/who-looked/"
MONDAY = datetime(2026, 3, 16, 9, 30, tzinfo=UTC)
TUESDAY = datetime(2026, 3, 17, 9, 30, tzinfo=UTC)


def take(cast: Cast, person: User, now: datetime, what: str = "Findings", **more: object) -> None:
    record_disclosure(
        casino=cast.harbour,
        way=AccessMethod.LIST,
        what=what,
        address="/casinos/harbour/findings/",
        format="csv",
        actor=person,
        now=now,
        rows=1234,
        filters={"code": "SETTLE-OVERPAID"},
        **more,  # type: ignore[arg-type]
    )


@pytest.fixture
def told(cast: Cast, more: Overseers) -> Cast:
    """On Monday Ines reads Pat's details, on Tuesday Cleo exports the findings."""
    kept = keep(cast.harbour)
    read_personal_details(cast.ines, cast.harbour, kept.pk, purpose=AccessPurpose.CONTACT, note="Pat rang", now=MONDAY)
    take(cast, more.cleo, TUESDAY)
    return cast


def rows(person: User, asked: str = "") -> list[dict[str, str]]:
    response = browser_of(person).get(f"{PAGE}?format=csv&{asked}")
    return list(csv.DictReader(io.StringIO(b"".join(response).decode("utf-8-sig"))))


def test_looks_and_downloads_stand_in_one_list_newest_first(told: Cast) -> None:
    page = browser_of(told.ines).get(PAGE).content.decode()
    assert page.index("List downloaded") < page.index("To reach the person: Pat rang")
    assert "1,234" in page
    assert "code: SETTLE-OVERPAID" in page


@pytest.mark.parametrize(
    ("asked", "who"),
    [
        ("way=look", ["Ines"]),
        ("way=list", ["Cleo"]),
        ("since=2026-03-17T20:30", ["Cleo"]),
        ("since=2026-03-17T20:31", []),
        ("until=2026-03-17T20:30", ["Ines"]),
        ("since=2026-03-16T00:00&until=2026-03-18T00:00", ["Cleo", "Ines"]),
        ("way=nonsense", ["Cleo", "Ines"]),
    ],
)
def test_it_is_narrowed_by_way_and_time(told: Cast, asked: str, who: list[str]) -> None:
    assert [row["Who"] for row in rows(told.ines, asked)] == who


def test_it_is_narrowed_by_person(told: Cast, more: Overseers) -> None:
    assert [row["Who"] for row in rows(told.ines, f"person={more.cleo.pk}")] == ["Cleo"]
    assert rows(told.ines, f"person={told.mara.pk}") == []


def test_taking_this_list_away_is_told_in_it(told: Cast) -> None:
    assert len(rows(told.ines)) == 2
    [newest, *_] = rows(told.ines)
    assert (newest["Who"], newest["What"], newest["Rows"]) == (
        "Ines",
        "Who looked at what at Harbour Casino",
        "2",
    )


def test_a_token_is_named_beside_the_person_who_answers_for_it(cast: Cast) -> None:
    take(cast, cast.ines, MONDAY, through="token 3, Case system")
    assert [row["Who"] for row in rows(cast.ines)] == ["Ines, by token 3, Case system"]


def test_one_casino_tells_nothing_of_another(told: Cast) -> None:
    assert browser_of(told.otto).get(PAGE).status_code == 404
    assert browser_of(told.ada).get(PAGE).status_code == 404
    assert browser_of(told.ines).get("/who-looked/").headers["Location"] == PAGE


def test_many_rows_are_pages_of_fifty_at_the_same_cost(
    told: Cast, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    browser = browser_of(told.ines)
    browser.get(PAGE)
    with django_assert_max_num_queries(30) as few:
        browser.get(PAGE)
    for number in range(60):
        take(told, told.ines, TUESDAY, f"List {number}")
    with django_assert_max_num_queries(len(few)):
        page = browser.get(PAGE).content.decode()
    assert "1 to 50 of 62" in page
    assert page.count('<th scope="row"') == 50
