"""Help pages: all open, linked, searchable, and consistent with the settings."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings as project
from django.test import Client
from django.urls import resolve

from compliance.core.web import help_pages
from compliance.core.web.errors import all_refusal_classes
from compliance.core.web.help_pages import HelpPage
from tests.compliance.core.web.conftest import Elements

pytestmark = pytest.mark.django_db

FRAME = {"page", "text"}


def test_every_page_opens_for_anybody_and_is_listed(client: Client) -> None:
    listed = Elements(client.get("/help/").content.decode())
    for page in help_pages.all_pages():
        response = client.get(f"/help/{page.slug}/")
        assert response.status_code == 200
        assert Elements(response.content.decode()).texts("h1") == [page.title]
        assert page.title in listed.texts("a")


def test_every_text_that_lies_in_docs_is_registered() -> None:
    texts = {path.stem for path in Path(project.BASE_DIR, "templates", "docs").glob("*.html")} - FRAME
    assert texts - {"configuration"} <= {page.slug for page in help_pages.all_pages()}


def test_links_inside_the_help_lead_somewhere(client: Client) -> None:
    places: set[str] = set()
    for page in help_pages.all_pages():
        html = Elements(client.get(f"/help/{page.slug}/").content.decode())
        places |= {attrs["href"].partition("#")[0] for attrs, _ in html.all("a") if attrs["href"].startswith("/")}
    assert len(places) > len(help_pages.all_pages())
    for place in sorted(places):
        if place.startswith("/help/"):
            assert client.get(place).status_code == 200, place
        else:
            resolve(place)


def test_an_unknown_page_is_not_found(client: Client) -> None:
    assert client.get("/help/nonsense/").status_code == 404
    assert client.get("/help/page/").status_code == 404


def test_search_wants_every_word_and_puts_titles_first(client: Client) -> None:
    assert {"start", "signing-in"} <= {found.page.slug for found in help_pages.search_pages("recovery PHONE codes")}
    assert [found.page.slug for found in help_pages.search_pages("recovery cancels")] == ["signing-in"]
    assert [found.page.slug for found in help_pages.search_pages("signing password")][:2] == ["signing-in", "start"]
    assert help_pages.search_pages("zebra") == []
    assert help_pages.search_pages("  ") == []


def test_what_was_searched_is_shown_back_safely(client: Client) -> None:
    page = Elements(client.get("/help/", {"q": "<b>zebra"}).content.decode())
    assert page.texts("b") == []
    assert "0 pages with “<b>zebra”" in page.texts("h2")
    found = Elements(client.get("/help/", {"q": "recovery"}).content.decode())
    assert "Signing in" in found.texts("a")


def test_the_figures_on_signing_in_are_those_of_the_settings(client: Client, settings: Any) -> None:
    text = " ".join(client.get("/help/signing-in/").content.decode().split())
    assert "At least 12 characters" in text
    assert "for 60 minutes" in text
    assert "After 5 wrong passwords" in text
    assert "locked there for 15 minutes" in text
    assert "After 30 minutes in which" in text
    assert "signed out 12 hours after" in text


def test_every_error_code_is_explained_and_can_be_linked_to(client: Client) -> None:
    page = Elements(client.get("/help/errors/").content.decode())
    codes = [kind.code for kind in all_refusal_classes()]
    assert [attrs["id"] for attrs, _ in page.all("tr") if "id" in attrs] == codes
    assert {"bad-request", "forbidden", "not-found", "conflict", "too-many", "unavailable"} <= set(codes)


def test_configuration_prints_the_variables_it_is_given(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(help_pages, "_pages", dict(help_pages._pages))
    variables = [SimpleNamespace(name="PORT", default="8000", purpose="Where it listens.")]
    help_pages.register_pages(
        HelpPage("configuration", "Configuration", "All of it.", "Operators", 88, lambda: {"variables": variables})
    )
    page = Elements(client.get("/help/configuration/").content.decode())
    assert page.texts("th", scope="row") == ["PORT"]
    assert page.texts("td") == ["8000", "Where it listens."]


def test_the_commands_of_the_production_page_exist() -> None:
    text = help_pages.page_text(next(page for page in help_pages.all_pages() if page.slug == "production"))
    from django.core.management import get_commands

    named = set(re.findall(r"manage\.py (\w+)", text))
    assert named == {"migrate", "collectstatic", "check", "bootstrap", "prepare", "reset_second_factor", "mixed_roles"}
    assert named <= set(get_commands())
