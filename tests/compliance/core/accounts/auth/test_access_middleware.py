"""AccessMiddleware: a view is closed unless its rule opens it;
the second factor is required everywhere but during sign-in."""

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path
from pytest_django import Settings

from compliance.core.accounts.roles import Role
from compliance.core.web.access import demo_only, password_verified, public, require_roles, signed_in
from compliance.core.web.ui import navigation
from tests.compliance.core.accounts.people import PASSWORD, Cast, browser_of


def page(request: HttpRequest, **kwargs: Any) -> HttpResponse:
    return HttpResponse(str(getattr(request, "casino", "")))


def marked(mark: Any) -> Any:
    def view(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return page(request, **kwargs)

    return mark(view)


@pytest.fixture(autouse=True)
def site(settings: Settings) -> Iterator[None]:
    """URL configuration: the real site, plus one view of each kind of rule."""
    inspectors = require_roles(Role.INSPECTOR)
    module = ModuleType("tests_site")
    module.__dict__["urlpatterns"] = [
        path("t/closed/", page),
        path("t/public/", marked(public)),
        path("t/demo/", marked(demo_only)),
        path("t/passing/", marked(password_verified)),
        path("t/signed-in/", marked(signed_in)),
        path("t/inspectors/", marked(inspectors)),
        path("t/<slug:casino>/inspectors/", marked(inspectors)),
        path("api/t/signed-in/", marked(signed_in)),
        path("", include("compliance.config.urls")),
    ]
    module.__dict__["handler404"] = "compliance.core.web.errors.not_found"
    settings.ROOT_URLCONF = module
    navigation._routes_by_name.cache_clear()
    yield
    navigation._routes_by_name.cache_clear()


def statuses(browser: Client) -> dict[str, int]:
    paths = ("closed", "public", "demo", "passing", "signed-in", "inspectors", "harbour/inspectors")
    return {name: browser.get(f"/t/{name}/").status_code for name in paths}


def test_each_kind_of_rule_for_each_kind_of_person(cast: Cast) -> None:
    half_way = Client()
    half_way.post("/sign-in/", {"email": cast.ines.email, "password": PASSWORD})
    everyone = {"closed": 403, "public": 200, "demo": 200}
    shut = {"passing": 302, "signed-in": 302, "inspectors": 302, "harbour/inspectors": 302}
    assert statuses(Client()) == {**everyone, **shut}
    assert statuses(half_way) == {**everyone, **shut, "passing": 200}
    inside = {"passing": 200, "signed-in": 200}
    assert statuses(browser_of(cast.ines)) == {**everyone, **inside, "inspectors": 200, "harbour/inspectors": 200}
    for other in (cast.ada, cast.mara, cast.otto):
        refused = {"inspectors": 403, "harbour/inspectors": 404}
        assert statuses(browser_of(other)) == {**everyone, **inside, **refused}


def test_a_casino_one_does_not_work_at_looks_like_one_that_does_not_exist(cast: Cast) -> None:
    ines = browser_of(cast.ines)
    assert ines.get("/t/harbour/inspectors/").content == b"Harbour Casino"
    forbidden, absent = ines.get("/t/marina/inspectors/"), ines.get("/t/nowhere/inspectors/")
    assert forbidden.status_code == absent.status_code == 404
    words = [answer.content.decode().partition("<main")[2].partition("Reference")[0] for answer in (forbidden, absent)]
    assert words[0] == words[1]


def test_demo_pages_do_not_exist_outside_the_demo(cast: Cast, settings: Settings) -> None:
    assert Client().get("/t/demo/").status_code == 200
    settings.DEMO = False
    assert Client().get("/t/demo/").status_code == 404
    assert browser_of(cast.ines).get("/t/demo/").status_code == 404


def test_the_api_answers_401_with_a_problem_instead_of_a_page(cast: Cast) -> None:
    half_way = Client()
    half_way.post("/sign-in/", {"email": cast.ines.email, "password": PASSWORD})
    for browser in (Client(), half_way):
        answer = browser.get("/api/t/signed-in/")
        assert answer.status_code == 401
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] == "not-signed-in"
    assert browser_of(cast.ines).get("/api/t/signed-in/").status_code == 200


def test_a_view_without_a_rule_is_closed_and_says_whose_fault_it_is(cast: Cast) -> None:
    answer = browser_of(cast.ada).get("/t/closed/")
    assert answer.status_code == 403
    assert "no access rule" in answer.content.decode()
