"""The administrators' list of people: search, filter, sorting, paging, and the same number of queries for 10,000."""

from datetime import timedelta

import pytest
from django.contrib.auth.hashers import make_password
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from compliance.core.accounts.ledger.account_events import record_sign_in
from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.accounts.roles import CASINO_SIDE, Role
from compliance.core.accounts.selectors import access_person, sign_ins_by_day
from compliance.core.accounts.services import disable_person, end_role, give_role
from compliance.core.web.errors import NotFound
from tests.compliance.core.accounts.people import LONG_AGO, Cast, browser_of, found_casino, give_phone, hire

PAGE = "/casinos/harbour/people/"


def names(cast: Cast, query: str = "") -> list[str]:
    page = browser_of(cast.ada).get(PAGE + query)
    assert page.status_code == 200
    return [person.name for person in page.context["table"].page.object_list]


def employ(casino: Casino, how_many: int) -> None:
    """Inserts rows directly: the services would take an hour."""
    password = make_password(None)
    people = User.objects.bulk_create(
        User(email=f"p{n}@example.com", name=f"Person {n:05}", created_at=LONG_AGO, password=password)
        for n in range(how_many)
    )
    RoleAssignment.objects.bulk_create(
        RoleAssignment(user=person, casino=casino, role=Role.GAMES_SUPERVISOR, given_at=LONG_AGO) for person in people
    )


def test_it_shows_the_casinos_people_and_nobody_elses(cast: Cast) -> None:
    assert names(cast) == ["Ada", "Bruno", "Mara"]
    page = browser_of(cast.otto).get("/casinos/marina/people/").content.decode()
    assert "Otto" in page
    assert "Ines" not in page
    assert browser_of(cast.otto).get(PAGE).status_code == 404
    assert browser_of(cast.otto).get("/casinos/nowhere/people/").status_code == 404


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?q=MARA", ["Mara"]),
        ("?q=mara+example", ["Mara"]),
        ("?q=otto", []),
        ("?role=administrator", ["Ada", "Bruno"]),
        ("?role=marketing&q=ada", []),
        ("?state=disabled", ["Bruno"]),
        ("?state=former", ["Nora"]),
        ("?state=no-second-factor", []),
        ("?state=active", ["Ada", "Mara"]),
        ("?state=locked", []),
        ("?state=nonsense&role=nonsense", ["Ada", "Bruno", "Mara", "Nora"]),
        ("?sort=-name", ["Nora", "Mara", "Bruno", "Ada"]),
        ("?sort=-email&role=administrator", ["Bruno", "Ada"]),
        ("?sort=password", ["Ada", "Bruno", "Mara", "Nora"]),
        ("?page=99", ["Ada", "Bruno", "Mara", "Nora"]),
    ],
)
def test_search_filter_and_sort(cast: Cast, query: str, found: list[str]) -> None:
    disable_person(subject=cast.bruno, casino=cast.harbour, reason="x", actor=cast.ada, now=LONG_AGO)
    nora = hire("nora", cast.harbour, Role.GAMES_SUPERVISOR, by=cast.ada)
    end_role(held=RoleAssignment.objects.get(user=nora), actor=cast.ada, now=LONG_AGO + timedelta(days=1))
    give_role(subject=cast.mara, casino=cast.harbour, role=Role.SHIFT_MANAGER, actor=cast.ada, now=LONG_AGO)
    if "administrator" in query:
        User.objects.filter(pk=cast.bruno.pk).update(is_active=True)
    assert names(cast, query) == found


def test_an_empty_result_says_so(cast: Cast) -> None:
    assert "Nobody fits this search." in browser_of(cast.ada).get(PAGE + "?q=zzz").content.decode()


def test_ten_thousand_people_take_as_many_queries_as_one(cast: Cast) -> None:
    pier, zoe = found_casino("pier", "Pier Casino", "Australia/Perth", "zoe")
    give_phone(zoe)
    browser = browser_of(zoe)

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert browser.get("/casinos/pier/people/").status_code == 200
        return len(captured)

    queries()
    with_one = queries()
    employ(pier, 10_000)
    assert queries() == with_one
    assert with_one <= 14
    page = browser.get("/casinos/pier/people/?page=3&sort=-email")
    assert "101 to 150 of 10,001" in page.content.decode()


def test_a_person_is_reached_only_by_an_administrator_of_their_casino(cast: Cast) -> None:
    """Absent and forbidden give the same response."""
    assert access_person(cast.ada, cast.harbour, cast.mara.pk) == cast.mara
    assert access_person(cast.gail, cast.harbour, cast.ines.pk) == cast.ines
    for user, casino, number in (
        (cast.ada, cast.harbour, cast.ines.pk),
        (cast.gail, cast.harbour, cast.mara.pk),
        (cast.ada, cast.harbour, cast.otto.pk),
        (cast.ada, cast.harbour, 999_999),
        (cast.otto, cast.harbour, cast.ines.pk),
        (cast.otto, cast.marina, cast.ines.pk),
        (cast.ines, cast.harbour, cast.ada.pk),
    ):
        with pytest.raises(NotFound):
            access_person(user, casino, number)
    pages = [browser_of(cast.ada).get(f"{PAGE}{number}/") for number in (cast.otto.pk, 999_999)]
    assert [page.status_code for page in pages] == [404, 404]


def test_the_person_page_tells_what_was_given_and_ended_here_and_nothing_of_elsewhere(cast: Cast) -> None:
    give_role(subject=cast.mara, casino=cast.marina, role=Role.SHIFT_MANAGER, actor=cast.otto, now=LONG_AGO)
    end_role(held=RoleAssignment.objects.get(user=cast.mara, casino=cast.harbour), actor=cast.bruno, now=timezone.now())
    page = browser_of(cast.ada).get(f"{PAGE}{cast.mara.pk}/").content.decode()
    assert "Marketing given" in page
    assert "Marketing ended" in page
    assert "by Bruno" in page
    assert "Shift manager" not in page
    assert "Otto" not in page


def test_the_chart_counts_the_casinos_days_in_its_own_time(cast: Cast) -> None:
    now = LONG_AGO.replace(hour=12)
    midnight = now.astimezone(cast.harbour.zone).replace(hour=0, minute=0)
    for person, at in (
        (cast.bruno, midnight - timedelta(seconds=1)),
        (cast.bruno, midnight),
        (cast.mara, midnight + timedelta(hours=3)),
        (cast.otto, midnight),
        (cast.ines, midnight),
        (cast.bruno, midnight - timedelta(days=14)),
    ):
        record_sign_in(actor=person, address=None, now=at)
    days = sign_ins_by_day(cast.harbour, CASINO_SIDE, now)
    assert len(days) == 14
    assert [day.sign_ins for day in days] == [0] * 12 + [1, 2]
    picture = browser_of(cast.ada).get(PAGE + "sign-ins.svg")
    assert picture.headers["Content-Type"] == "image/svg+xml"
    assert browser_of(cast.otto).get(PAGE + "sign-ins.svg").status_code == 404


def test_the_menu_leads_straight_to_the_only_casino(cast: Cast) -> None:
    assert browser_of(cast.ada).get("/people/").headers["Location"] == PAGE
    give_role(subject=cast.ada, casino=cast.marina, role=Role.ADMINISTRATOR, actor=cast.otto, now=LONG_AGO)
    page = browser_of(cast.ada).get("/people/").content.decode()
    assert "Harbour Casino" in page
    assert "Marina Casino" in page
    assert browser_of(cast.ines).get("/people/").status_code == 403


def test_the_menu_says_where_one_is(cast: Cast) -> None:
    page = browser_of(cast.ada).get(PAGE).content.decode()
    assert '<a href="/people/" aria-current="page">People</a>' in page
