"""A round replayed step by step, and the list of earlier rounds on its page."""

import re

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.compliance.core.accounts.people import browser_of
from tests.compliance.pages.live_floor import indexes_of, nsw_table, open_page, record_rounds
from tests.rounds.floor.crew import Crew


def words_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.partition("<main")[2].partition("</main>")[0]))


def test_each_step_shows_the_table_as_it_stood_then(crew: Crew) -> None:
    """The example round: tumbled, two wagers of $25 and $5, the second raised to $10, then uncovered."""
    feeder = nsw_table(crew)
    [index] = indexes_of(feeder.send(feeder.line("round")))
    browser, address = browser_of(crew.gina), f"/casinos/harbour/rounds/{index}/replay/"
    first = words_of(open_page(browser, address))
    assert "step 1 of" in first
    assert "Dice tumbled 3 times" in first
    assert "Not to be seen yet" in first
    assert "Wagers on the layout 0" in first
    last = int(re.search(r"step 1 of (\d+)", first)[1])  # type: ignore[index]
    seen = [words_of(open_page(browser, f"{address}?step={number}")) for number in range(1, last + 1)]
    raised = next(page for page in seen if "raised to $10.00" in page.lower())
    assert "Wagers on the layout 2" in raised
    assert "Staked $35.00" in raised
    assert "4-2-4" not in raised, "the dice are not seen before they are uncovered"
    assert "4-2-4" in seen[-1]
    assert "Next" not in seen[-1]
    for nonsense in ("0", "-3", "9999", "x", ""):
        assert browser.get(f"{address}?step={nonsense}").status_code == 200


def test_outsiders_and_what_is_no_round_have_no_replay(crew: Crew) -> None:
    feeder = nsw_table(crew)
    [index] = indexes_of(feeder.send(feeder.line("round")))
    assert browser_of(crew.cast.otto).get(f"/casinos/harbour/rounds/{index}/replay/").status_code == 404
    assert browser_of(crew.gina).get("/casinos/harbour/rounds/0/replay/").status_code == 404


def test_rounds_before_it_are_recalled_and_none_after_it(crew: Crew) -> None:
    nsw_table(crew)
    record_rounds(30)
    browser = browser_of(crew.gina)
    page = open_page(browser, "/casinos/harbour/floor/tables/sb-1/play/?last=50")
    indexes = sorted({int(found) for found in re.findall(r"/casinos/harbour/rounds/(\d+)/", page)})
    address = f"/casinos/harbour/rounds/{indexes[15]}/"

    def recalled(query: str = "") -> list[int]:
        part = open_page(browser, address + query).partition('id="before"')[2].partition("</table>")[0]
        return [int(found) for found in re.findall(r"/casinos/harbour/rounds/(\d+)/", part)]

    assert recalled() == indexes[5:15][::-1], "ten, the newest first"
    assert recalled("?last=20") == indexes[:15][::-1]
    assert recalled("?last=7") == indexes[5:15][::-1], "a number that is not offered"
    first = open_page(browser, f"/casinos/harbour/rounds/{indexes[0]}/")
    assert "No round of this table was played before it." in first
    with CaptureQueriesContext(connection) as few:
        browser.get(f"/casinos/harbour/rounds/{indexes[1]}/")
    with CaptureQueriesContext(connection) as many:
        browser.get(f"{address}?last=20")
    assert len(many) == len(few)
