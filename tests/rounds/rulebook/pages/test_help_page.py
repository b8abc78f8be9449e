"""The help page on rule packs matches the engine, and its example produces the printed answers."""

import subprocess
import sys
from html import unescape

import pytest
from django.test import Client

from compliance.config.environment import PROJECT
from rounds.engine.errors import ErrorCode
from rounds.engine.settle.json_lines import LINE_KEYS
from rounds.engine.settle.settlement import Verdict
from tests.compliance.core.web.conftest import Elements
from tests.rounds.rulebook.command_runner import environment

pytestmark = pytest.mark.django_db


@pytest.fixture
def html(client: Client) -> str:
    return client.get("/help/rulebook/").content.decode()


def between(html: str, start: str, end: str) -> str:
    return html.split(start, 1)[1].split(end, 1)[0]


def table(html: str, caption_id: str) -> Elements:
    start = f'<caption id="{caption_id}">'
    return Elements(f"<table>{start}{between(html, start, '</table>')}</table>")


def test_the_example_runs_and_prints_what_the_page_says(html: str) -> None:
    script = unescape(between(html, '<code id="settle-example">', "</code>"))
    answers = unescape(between(html, '<code id="settle-answers">', "</code>"))
    assert script.startswith(".venv/bin/python manage.py settle <<'END'\n{")
    result = subprocess.run(
        ["sh", "-c", script.replace(".venv/bin/python", sys.executable, 1)],
        cwd=PROJECT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout == answers
    assert result.returncode == 2
    assert '"returned":950' in answers
    assert '"choice":"every-even-total","verdict":"win","returned":200' in answers
    assert '"code":"unknown-bet","line":3' in answers


def test_every_code_key_and_verdict_is_explained(html: str) -> None:
    page = Elements(html)
    codes = [attrs["id"].removeprefix("settle-") for attrs, _ in page.all("tr") if "id" in attrs]
    assert codes == [code.value for code in ErrorCode]
    keys = table(html, "keys").texts("th", scope="row")
    assert sorted(keys) == sorted(LINE_KEYS)
    verdicts = table(html, "answer-keys").texts("code")
    assert {verdict.value for verdict in Verdict} <= set(verdicts)


def test_packs_and_their_dates_are_as_the_documents_print_them(html: str) -> None:
    cells = table(html, "packs").texts("td")
    assert "24 May 2021, 0800 hours (Asia/Singapore)" in cells
    assert "15 November 2016 (Asia/Singapore)" in cells
    assert cells.count("undated: given at approval") == 3
    readings = table(html, "readings").texts("th", scope="row")
    assert len(readings) == 21


def test_the_edges_of_all_seven_pay_tables_are_there(html: str) -> None:
    page = Elements(html)
    captions = [text for attrs, text in page.all("caption") if attrs["id"].startswith("edges-")]
    assert len(captions) == 7
    nsw = table(html, "edges-nsw-sic-bo-1")
    assert dict(zip(nsw.texts("th", scope="row"), nsw.texts("td"), strict=True))["even"] == "26.85 % 29/108"
    mbs = table(html, "edges-mbs-3-card-sic-bo-1")
    assert mbs.texts("th", scope="col") == ["Bets", "2 decks", "3 decks", "4 decks", "5 decks", "6 decks"]
