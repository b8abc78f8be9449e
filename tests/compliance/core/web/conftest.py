"""Helpers that read pages by their text rather than their markup."""

from collections.abc import Callable, Iterator
from html.parser import HTMLParser

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker

from tests import chromium

if chromium.find_chromium() is None:
    collect_ignore = ["test_in_browser.py"]


class Elements(HTMLParser):
    """Every element of a page with its attributes and its own text, in order."""

    VOID = frozenset({"meta", "link", "input", "img", "br", "hr"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str], list[str]]] = []
        self._open: list[tuple[str, dict[str, str], list[str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element: tuple[str, dict[str, str], list[str]] = (tag, {name: value or "" for name, value in attrs}, [])
        self.found.append(element)
        if tag not in self.VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open[-1][0] == tag, f"</{tag}> closes <{self._open[-1][0]}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for _, _, words in self._open:
            words.append(data)

    def all(self, tag: str, **attributes: str) -> list[tuple[dict[str, str], str]]:
        """The elements with this tag: attributes and text, white space normalised."""
        return [
            (attrs, " ".join("".join(words).split()))
            for name, attrs, words in self.found
            if name == tag and all(attrs.get(key.rstrip("_")) == value for key, value in attributes.items())
        ]

    def texts(self, tag: str, **attributes: str) -> list[str]:
        return [text for _, text in self.all(tag, **attributes)]


@pytest.fixture
def no_database(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Any query fails the request."""
    with django_db_blocker.block():
        yield


@pytest.fixture
def visit(client: Client) -> Callable[..., Elements]:
    def visit_page(address: str, status: int = 200) -> Elements:
        response = client.get(address)
        assert response.status_code == status
        return Elements(response.content.decode())

    return visit_page
