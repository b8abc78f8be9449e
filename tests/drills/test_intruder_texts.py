"""Somebody typed a script into every field there is: no page, file or e-mail runs it, and none breaks over it."""

import csv
import io
from collections.abc import Iterator

import pytest
from django.core import mail
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader
from pytest_django import Settings

from compliance.accounts.roles import Role
from compliance.alerts.delivering import deliver_due
from compliance.alerts.services import raise_alert
from compliance.config.environment import PROJECT
from compliance.web.components import Table
from compliance.web.exporting import FORMULA, NUMBER
from rounds.ledger.checkpoints import make_key
from tests.compliance.accounts.cast import LONG_AGO, found_casino, hire
from tests.contracts.places import Places
from tests.contracts.test_every_list_is_exported import tables_in
from tests.contracts.test_permission_matrix import COLUMNS, ROWS, browser_for
from tests.drills.full import tally
from tests.drills.marked import MARK, SCRIPT, SHORTEST, write_marked_world

# What a program would do with the mark, had it not been taken for a text.
RUN = (SCRIPT.encode(), b"<b>&{{", b"&amp;amp;", b"&amp;lt;", b"<b>&49")


@pytest.fixture
def marked_places(settings: Settings, db: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Places, int]:
    folder = tmp_path_factory.getbasetemp() / "one-of-everything"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.LEDGER_KEY_FILE, settings.MEDIA_ROOT = folder / "ledger.key", folder / "uploads"
    make_key(settings.LEDGER_KEY_FILE)
    return write_marked_world()


def reader_of(name: str) -> str | None:
    return next((column for column in COLUMNS if ROWS[name][column] == "200"), None)


def body_of(response: HttpResponseBase) -> bytes:
    return b"".join(response) if response.streaming else response.content  # type: ignore[attr-defined]


def text_of_pdf(body: bytes) -> str:
    return "".join(page.extract_text() for page in PdfReader(io.BytesIO(body)).pages)


def cells(body: bytes) -> Iterator[str]:
    for row in csv.reader(io.StringIO(body.decode("utf-8-sig"), newline="")):
        yield from row


def test_every_page_shows_it_as_a_text(marked_places: tuple[Places, int]) -> None:
    places, columns = marked_places
    browsers: dict[str, Client] = {}
    broken, seen, papers, tables, opened = [], 0, 0, 0, 0
    for name in ROWS:
        if (reader := reader_of(name)) is None:
            continue
        if reader not in browsers:
            browsers[reader] = browser_for(reader)
            browsers[reader].raise_request_exception = False
        browser = browsers[reader]
        url = reverse(name, kwargs=places.get(name))
        response = browser.get(url)
        opened += 1
        body = body_of(response)
        if response.status_code != 200:
            broken.append(f"{name}: {response.status_code}")
        elif response.headers["Content-Type"].startswith("application/pdf") and b"%%EOF" in body:
            papers += 1
            seen += "<b>&{{7*7}}" in text_of_pdf(body).replace("\n", "")
        elif response.headers["Content-Type"].startswith("text/html"):
            seen += b"&lt;b&gt;&amp;{{7*7}}" in body
            broken += [f"{name}: {ran.decode()}" for ran in RUN if ran in body]
            tables += check_exports(browser, url, (table for table in tables_in(response) if table.is_list), broken)
    assert broken == []
    for said, figure in (
        ("text columns marked", columns), ("pages opened", opened), ("pages that show a mark", seen),
        ("papers", papers), ("lists taken away", tables),
    ):  # fmt: skip
        tally(said, figure)
    assert columns > 40
    assert seen > 60
    assert papers
    assert tables > 20


def check_exports(browser: Client, url: str, lists: Iterator[Table], broken: list[str]) -> int:
    """Of every list on the page as CSV: no cell is a formula to a spreadsheet."""
    checked = 0
    for table in lists:
        [(_, href), _] = table.export_links
        harmful = [one for one in cells(body_of(browser.get(url + href))) if is_formula(one)]
        broken += [f"{url}: {one}" for one in harmful]
        checked += 1
    return checked


def is_formula(cell: str) -> bool:
    return cell.startswith(FORMULA) and not NUMBER.fullmatch(cell)


def test_an_e_mail_says_it_as_it_was_typed_and_is_nothing_but_text(settings: Settings, db: None) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    casino, ada = found_casino("harbour", f"Harbour {SHORTEST}", "Australia/Sydney", "ada")
    hire("ines", casino, Role.INSPECTOR, by=ada)
    raise_alert(
        casino=casino, duty="equipment-fault", to=Role.INSPECTOR, statement=f"The lights failed. {MARK}", clause="8.8",
        now=LONG_AGO,
    )  # fmt: skip
    deliver_due(lambda: LONG_AGO)
    [message] = mail.outbox
    assert MARK in message.body
    assert message.content_subtype == "plain"
    assert "alternatives" not in vars(message) or not message.alternatives  # type: ignore[attr-defined]
    assert "\n" not in message.subject


def test_no_e_mail_is_made_of_html() -> None:
    roots = ("compliance", "rounds", "promotions")
    sources = [path.read_text() for root in roots for path in (PROJECT / root).rglob("*.py")]
    assert [one for one in sources if "html_message" in one or "EmailMultiAlternatives" in one] == []
    letters = list((PROJECT / "templates").rglob("*.txt"))
    assert letters
    assert [path.name for path in letters if "{% autoescape off %}" not in path.read_text()] == []
