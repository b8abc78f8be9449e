"""One table: its last rounds, as many as requested, and everything else recorded about it."""

import csv
import io
import re

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from compliance.privacy.access_log.models import Disclosure
from rounds.ledger.readers.search import EntryQuery, search_entries
from rounds.ledger.writing.append import correct
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.pages.live_floor import TABLE, TIMELINE, nsw_table, open_page, record_rounds, run_consumers
from tests.rounds.floor.crew import OPENING, Crew, new_table
from tests.rounds.intake.controller_client import Feeder


def rounds_on(page: str) -> list[str]:
    return re.findall(r">(R-\d+)\s*<", page)


def named(first: int, last: int) -> list[str]:
    return [f"R-{number}" for number in range(first, last - 1, -1)]


def link(page: str, rel: str) -> str:
    found = re.search(rf'href="([^"]+)" rel="{rel}"', page)
    assert found is not None
    return TABLE + found[1].replace("&amp;", "&")


def test_a_table_without_rounds_says_where_they_will_appear(crew: Crew) -> None:
    new_table(crew)
    assert "No round of this table was recorded yet." in open_page(browser_of(crew.gina), TABLE)


def test_how_it_stands_and_its_last_round(crew: Crew) -> None:
    feeder = nsw_table(crew)
    feeder.send(feeder.line("table-opened"), feeder.line("round", round="R-1", dice=[4, 2, 4]))
    run_consumers()
    page = open_page(browser_of(crew.gina), TABLE)
    for words in ("Open", "$5.00 AUD to $500.00 AUD", "version 1", "Well", "R-1", "4-2-4", "total 10", "box-1"):
        assert words in page, words
    assert 'href="/casinos/harbour/floor/tables/sb-1/"' in page


def test_recalling_the_last_rounds_and_going_back_through_them(crew: Crew) -> None:
    new_table(crew)
    record_rounds(45)
    browser = browser_of(crew.gina)
    newest = open_page(browser, TABLE)
    assert rounds_on(newest) == named(45, 36)
    assert 'hx-trigger="every' in newest
    twenty = open_page(browser, TABLE + "?last=20")
    assert rounds_on(twenty) == named(45, 26)
    older = open_page(browser, link(twenty, "next"))
    assert rounds_on(older) == named(25, 6)
    assert 'hx-trigger="every' not in older
    assert rounds_on(open_page(browser, link(older, "next"))) == named(5, 1)
    assert rounds_on(open_page(browser, link(older, "prev"))) == named(45, 26)


def test_nonsense_in_the_address_shows_the_newest(crew: Crew) -> None:
    new_table(crew)
    record_rounds(12)
    browser = browser_of(crew.gina)
    for query in ("?last=7", "?last=x", "?before=x", "?after=-1", f"?before={10**30}"):
        assert rounds_on(open_page(browser, TABLE + query)) == named(12, 3), query


def test_ten_thousand_rounds_take_no_more_queries_than_one(crew: Crew) -> None:
    new_table(crew)
    browser = browser_of(crew.gina)
    record_rounds(1)
    open_page(browser, TABLE)
    with CaptureQueriesContext(connection) as one:
        open_page(browser, TABLE)
        open_page(browser, TIMELINE)
    record_rounds(10_000)
    with CaptureQueriesContext(connection) as many:
        assert rounds_on(open_page(browser, TABLE + "?last=100")) == named(10_000, 9_901)
        open_page(browser, TIMELINE)
    assert len(many) == len(one)


def test_the_timeline_tells_everything_and_leads_to_the_entries(crew: Crew) -> None:
    feeder = nsw_table(crew)
    feeder.send(
        feeder.line("table-opened"),
        feeder.line("round", round="R-1"),
        feeder.line("fault"),
        feeder.line("fault-cleared"),
        feeder.line("limits-changed"),
    )
    browser = browser_of(crew.gina)
    page = open_page(browser, TIMELINE)
    for words in (
        "Table opened",
        "Fault mended",
        "Lamp driver replaced",
        "$10.00 to $500.00",
        "R-1: 4-2-4, total 10; 2 wagers",
        "Electrical device not lit (F-204)",
        "Table added",
        "Fact stated",
        "Games supervisor S-31",
    ):
        assert words in page, words
    assert re.search(r'href="/casinos/harbour/ledger/\d+/">Entry', page)
    assert re.search(r'href="/casinos/harbour/rounds/\d+/">Round', page)


def test_the_timeline_by_kind_and_time(crew: Crew) -> None:
    feeder = nsw_table(crew)
    feeder.send(
        feeder.line("table-opened"),
        feeder.line("round", round="R-1"),
        feeder.line("streak-state"),
        feeder.line("fault"),
    )
    browser = browser_of(crew.gina)
    without = open_page(browser, TIMELINE + "?kind=not-rounds")
    assert "R-1:" not in without
    assert "in a row" not in without
    assert "F-204" in without
    faults = open_page(browser, TIMELINE + "?kind=fault")
    assert "F-204" in faults
    assert "Limits $5.00 to $500.00" not in faults
    assert "Nothing fits what you chose." in open_page(browser, TIMELINE + "?until=2020-01-01T00:00")


def test_a_round_that_was_taken_back_says_so(crew: Crew, feeder: Feeder) -> None:
    record_rounds(1)
    page = open_page(browser_of(crew.gina), TABLE)
    [index] = re.findall(r"/rounds/(\d+)/", page)
    assert "Taken back" not in page
    with transaction.atomic():
        correct("harbour", int(index), {"reason": "Wrong table.", "by": "Sid"}, OPENING)
    for address in (TABLE, TIMELINE):
        assert "Taken back" in open_page(browser_of(crew.gina), address)


def test_a_round_that_its_controller_took_back_says_so_and_the_right_one_does_not(crew: Crew) -> None:
    feeder = nsw_table(crew)
    feeder.send(
        feeder.line("round", round="R-1", dice=[1, 1, 2]),
        feeder.line("correction", corrects=1),
        feeder.line("round", round="R-1", dice=[1, 1, 3]),
    )
    page = open_page(browser_of(crew.gina), TABLE)
    assert rounds_on(page) == ["R-1", "R-1"]
    right, wrong = page.index("1-1-3"), page.index("1-1-2")
    assert right < page.index("Taken back") < wrong
    assert page.count("Taken back") == open_page(browser_of(crew.gina), TIMELINE).count("Taken back") == 1


def test_every_round_of_the_table_is_taken_away_whatever_the_page_shows(crew: Crew) -> None:
    new_table(crew)
    record_rounds(230)
    with transaction.atomic():
        taken = search_entries("harbour", EntryQuery(table="sb-1", kind="round"), limit=1).entries[0]
        correct("harbour", taken.index, {"reason": "Entered twice.", "by": "Sid"}, OPENING)
    browser = browser_of(crew.gina)
    assert "Download as" in open_page(browser, TABLE)
    answer = browser.get(TABLE, {"last": "20", "rounds-format": "csv"})
    rows = list(csv.DictReader(io.StringIO(b"".join(answer).decode("utf-8-sig"))))
    assert [row["Round"] for row in rows] == ["R-230 Taken back", *named(229, 1)]
    assert list(rows[0]) == ["Round", "Result", "Audit", "When", "Wagers", "Reported by"]
    taken_away = Disclosure.objects.get()
    assert (taken_away.rows, taken_away.filters) == (230, {})
