"""The page on drills has a section for each that has one to show, in the order in which they run."""

import re

from django.test import Client

from compliance.config import guide
from tests.drills.__main__ import DRILLS, FULL_MINUTES


def test_the_page_knows_every_drill_and_how_to_run_it(db: None) -> None:
    assert guide.DRILLS == DRILLS == tuple(FULL_MINUTES)
    page = Client().get("/help/drills/").content.decode()
    shown = re.findall(r'<h2 id="(\w+)"', page)
    assert {"crash", "load", "clock"} <= set(shown)
    assert [name for name in DRILLS if name in shown] == shown
    for name in shown:
        assert f"make drill-{name}" in page
