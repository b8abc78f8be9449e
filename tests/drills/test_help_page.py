"""The help page on drills has a section for each drill, in running order."""

import json
import re
from html import unescape

from django.test import Client

from compliance.config.help import help_page
from tests.drills.__main__ import DRILLS, FULL_MINUTES


def test_the_page_knows_every_drill_and_how_to_run_it(db: None) -> None:
    assert help_page.DRILLS == DRILLS == tuple(FULL_MINUTES)
    page = Client().get("/help/drills/").content.decode()
    shown = re.findall(r'<h2 id="(\w+)"', page)
    assert {"crash", "load", "clock"} <= set(shown)
    assert [name for name in DRILLS if name in shown] == shown
    for name in shown:
        assert f"make drill-{name}" in page


def test_the_page_shows_the_last_full_run_of_each_and_that_it_was_passed(db: None) -> None:
    """What the issue of each promises at least; a run that was cut short is not kept here."""
    kept = json.loads(help_page.LAST_RUNS.read_text())
    assert set(kept) == set(DRILLS)
    page = unescape(Client().get("/help/drills/").content.decode())
    assert page.count(" minutes, passed</caption>") == len(DRILLS)
    for name, run in kept.items():
        assert run["failures"] == [], name
        for what, figure in run["figures"].items():
            shown = figure if isinstance(figure, str) else f"{figure:,}"
            assert f'">{what[0].upper()}{what[1:]}</th><td class="figure">{shown}</td>' in page, what
    figures = {name: run["figures"] for name, run in kept.items()}
    assert figures["crash"]["faults"] >= 200
    assert (figures["crash"]["lost"], figures["crash"]["duplicates"]) == (0, 0)
    edited = "bytes of the ledger edited"
    assert figures["rogue"][edited] == figures["rogue"][f"{edited}: found"] == figures["rogue"][f"{edited}: located"]
    assert figures["rogue"][edited] >= 1_000
    assert figures["fuzz"]["requests to the API: answers of 500 and above"] == 0
    assert (figures["load"]["controllers"], figures["load"]["people"], figures["load"]["errors"]) == (100, 40, 0)
    assert figures["operations"]["entries lost"] == 0
