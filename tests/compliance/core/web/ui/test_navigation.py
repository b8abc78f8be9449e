"""The menu shows a person the pages that their roles open, and nothing else."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import RequestFactory

from compliance.core.web.ui import navigation
from compliance.core.web.ui.navigation import NavGroup, NavItem, NavLink

pytestmark = pytest.mark.urls("tests.compliance.core.web.component_gallery")

HARBOUR = SimpleNamespace(slug="harbour", name="Harbour Casino")
SENTOSA = SimpleNamespace(slug="sentosa", name="Sentosa Casino")


class Person:
    """As much of a user as the menu needs."""

    is_authenticated = True
    needs_second_factor = True
    has_second_factor = True

    def __init__(self, *held: tuple[str, Any], verified: bool = True) -> None:
        self.held, self.verified = held, verified

    def roles_now(self) -> list[Any]:
        return [SimpleNamespace(role=role, casino=casino) for role, casino in self.held]

    def is_verified(self) -> bool:
        return self.verified


NOBODY = SimpleNamespace(is_authenticated=False)


@pytest.fixture(autouse=True)
def menu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(navigation, "_items", set())
    navigation.register_items(
        NavItem("Findings", "findings", 20),
        NavItem("Home", "members", 10),
        NavItem("Components", "components", 30),
        NavItem("Mailbox", "web:mailbox", 40),
        NavItem("Help", "web:help", 10, place="footer"),
    )


def request_of(user: object, path: str = "/elsewhere/") -> HttpRequest:
    request = RequestFactory().get(path)
    request.user = user  # type: ignore[assignment]
    return request


def labels(user: object, place: navigation.MenuArea = "main") -> list[str]:
    return [link.label for link in navigation.menu_links(request_of(user), place)]


def test_a_visitor_sees_only_what_is_public() -> None:
    assert labels(NOBODY) == ["Components", "Mailbox"]


def test_a_role_opens_its_items_in_order() -> None:
    assert labels(Person(("inspector", HARBOUR))) == ["Home", "Findings", "Components", "Mailbox"]
    assert labels(Person(("marketing", HARBOUR))) == ["Home", "Components", "Mailbox"]
    assert labels(Person()) == ["Home", "Components", "Mailbox"]


def test_whoever_still_owes_the_second_factor_sees_what_a_visitor_sees() -> None:
    assert labels(Person(("inspector", HARBOUR), verified=False)) == ["Components", "Mailbox"]


def test_a_page_asks_once_for_the_second_factor_of_somebody_who_needs_none() -> None:
    """Each check is a query, and a menu has forty items."""
    asked: list[str] = []

    class Marketer(Person):
        needs_second_factor = False
        has_second_factor = property(lambda self: asked.append("asked"))

    request = request_of(Marketer(("marketing", HARBOUR), verified=False))
    assert [link.label for link in navigation.menu_links(request, "main")] == ["Home", "Components", "Mailbox"]
    assert len(navigation.menu_links(request, "footer")) == len(navigation.roles_of(request)) == 1
    assert asked == ["asked"]


def test_one_casino_needs_no_name_and_two_get_one_link_each() -> None:
    one = navigation.menu_links(request_of(Person(("inspector", HARBOUR), ("marketing", SENTOSA))), "main")
    assert NavLink("Findings", "/casinos/harbour/findings/", False) in one
    two = navigation.menu_links(request_of(Person(("inspector", SENTOSA), ("inspector", HARBOUR))), "main")
    assert [link for link in two if "Findings" in link.label] == [
        NavLink("Findings, Harbour Casino", "/casinos/harbour/findings/", False),
        NavLink("Findings, Sentosa Casino", "/casinos/sentosa/findings/", False),
    ]


def test_a_long_menu_is_shown_in_groups_and_a_short_one_as_it_is() -> None:
    short = [NavLink(f"Item {number}", f"/{number}/", False, "records") for number in range(6)]
    assert navigation.group_links(short) == [NavGroup("", short)]
    assert navigation.group_links([]) == []
    seventh = NavLink("Home", "/", True, "now")
    assert navigation.group_links([*short, seventh]) == [NavGroup("Now", [seventh]), NavGroup("Records", short)]


def test_outside_the_demo_there_is_no_mailbox(settings: Any) -> None:
    settings.DEMO = False
    assert "Mailbox" not in labels(Person())


def test_places_do_not_mix() -> None:
    assert labels(NOBODY, "footer") == ["Help"]


@pytest.mark.parametrize(
    ("path", "current"), [("/members/", "Home"), ("/members/7/", "Home"), ("/components/", "Components"), ("/x/", None)]
)
def test_the_page_one_is_on_is_marked(path: str, current: str | None) -> None:
    links = navigation.menu_links(request_of(Person(), path), "main")
    assert [link.label for link in links if link.is_current] == ([current] if current else [])


def test_an_item_that_leads_nowhere_is_left_out_and_fails_the_checks() -> None:
    assert navigation.check_every_item_has_a_view() == []
    navigation.register_items(NavItem("Nowhere", "no-such-page", 1))
    assert "Nowhere" not in labels(Person())
    (message,) = navigation.check_every_item_has_a_view()
    assert message.id == "web.E002"
    assert "“Nowhere” leads to no-such-page" in message.msg
