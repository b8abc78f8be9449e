"""A script typed into every field: no page, file or e-mail executes it or breaks."""

import csv
import io
import re
from collections.abc import Iterator

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader
from pytest_django import Settings

from compliance.core.web.ui.cell_values import NUMBER
from compliance.core.web.ui.components import DataTable
from compliance.core.web.ui.table_export import FORMULA_STARTS
from rounds.ledger.signing.checkpoints import create_key_file
from tests.contracts.test_every_list_is_exported import tables_in
from tests.contracts.test_permission_matrix import COLUMNS, ROWS, browser_for
from tests.contracts.url_arguments import Parts
from tests.drills.support.full_length import count_in_tally
from tests.drills.support.marked_texts import SCRIPT, MarkedWorld, write_marked_world

ON_A_PAGE = re.compile(r"&lt;b&gt;&amp;\{\{7\*7\}\}(\d{3})?")
ON_PAPER = re.compile(r"<b>&\{\{7\*7\}\}(\d{3})?")
# Traces of the mark being interpreted or escaped twice.
RUN = (SCRIPT.encode(), b"<b>&{{", b"&amp;amp;", b"&amp;lt;", b"<b>&49")


@pytest.fixture
def marked_places(settings: Settings, db: None, tmp_path_factory: pytest.TempPathFactory) -> MarkedWorld:
    folder = tmp_path_factory.getbasetemp() / "one-of-everything"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.LEDGER_KEY_FILE, settings.MEDIA_ROOT = folder / "ledger.key", folder / "uploads"
    create_key_file(settings.LEDGER_KEY_FILE)
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


def every_page(world: MarkedWorld) -> Iterator[tuple[str, Parts | None, int | None]]:
    """With the number of the mark that it must show, if it is opened for one."""
    yield from ((name, world.places.get(name), None) for name in ROWS)
    yield from ((page.name, page.parts, world.numbers[page.column]) for page in world.further)


def test_every_page_shows_it_as_a_text(marked_places: MarkedWorld) -> None:
    world = marked_places
    browsers: dict[str, Client] = {}
    broken, papers, tables, opened, with_mark, seen = [], 0, 0, 0, 0, set()
    for name, parts, wanted in every_page(world):
        if (reader := reader_of(name)) is None:
            continue
        if reader not in browsers:
            browsers[reader] = browser_for(reader)
            browsers[reader].raise_request_exception = False
        browser = browsers[reader]
        url = reverse(name, kwargs=parts)
        response = browser.get(url)
        opened += 1
        body = body_of(response)
        shown = set()
        if response.status_code != 200:
            broken.append(f"{name}: {response.status_code}")
        elif response.headers["Content-Type"].startswith("application/pdf") and b"%%EOF" in body:
            papers += 1
            shown = set(ON_PAPER.findall(text_of_pdf(body).replace("\n", "")))
        elif response.headers["Content-Type"].startswith("text/html"):
            shown = set(ON_A_PAGE.findall(body.decode()))
            broken += [f"{name}: {ran.decode()}" for ran in RUN if ran in body]
            tables += check_exports(browser, url, (table for table in tables_in(response) if table.is_list), broken)
        with_mark += bool(shown)
        seen |= {int(number) for number in shown if number}
        if wanted is not None and f"{wanted:03}" not in shown:
            broken.append(f"{url}: does not show mark {wanted:03}")
    assert broken == []
    marked = world.numbers.keys() - world.held
    for said, figure in (
        ("text columns marked", len(marked)),
        ("text columns seen on a page", len(seen)),
        ("pages opened", opened),
        ("pages that show a mark", with_mark),
        ("papers", papers),
        ("lists taken away", tables),
    ):
        count_in_tally(said, figure)
    assert world.held == set()
    assert len(seen) > 110
    assert with_mark > 60
    assert papers
    assert tables > 20


def check_exports(browser: Client, url: str, lists: Iterator[DataTable], broken: list[str]) -> int:
    """Every list on the page as CSV: no cell is a spreadsheet formula."""
    checked = 0
    for table in lists:
        [(_, href), _] = table.export_links
        harmful = [one for one in cells(body_of(browser.get(url + href))) if is_formula(one)]
        broken += [f"{url}: {one}" for one in harmful]
        checked += 1
    return checked


def is_formula(cell: str) -> bool:
    return cell.startswith(FORMULA_STARTS) and not NUMBER.fullmatch(cell)
