"""The floor page: every table at a glance, in words, with a fixed number of queries."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from compliance.audit.models import Finding
from compliance.pages.views import floor
from rounds.floor.models import Table
from rounds.intake.models import Feed
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.pages.live_floor import FLOOR, nsw_table, open_page, run_consumers
from tests.rounds.floor.crew import Crew, new_table
from tests.rounds.intake.controller_client import Feeder


def test_a_floor_without_tables_says_how_they_are_added(crew: Crew) -> None:
    page = open_page(browser_of(crew.sid), FLOOR)
    assert "There are no tables yet." in page
    assert "A casino supervisor or compliance officer adds them" in page
    assert 'href="/casinos/harbour/floor/add-table/"' in page
    assert "add-table" not in open_page(browser_of(crew.gina), FLOOR)


def test_a_table_with_all_that_is_known_of_it(crew: Crew) -> None:
    feeder = nsw_table(crew)
    feeder.send(feeder.line("table-opened"), feeder.line("round", dice=[4, 2, 4]))
    run_consumers()
    page = open_page(browser_of(crew.gina), FLOOR)
    for words in (
        "1 table: 1 open.",
        "Table SB-1",
        ">Open<",
        "4-2-4",
        "Total 10",
        "$5.00 AUD to $500.00 AUD",
        "/casinos/harbour/rulebook/nsw-sic-bo/1/",
        "version 1",
        ">Well<",
        "Last heard",
    ):
        assert words in page, words
    assert "None open" in page


def test_a_new_table_is_not_shown_as_if_it_were_well(crew: Crew) -> None:
    new_table(crew, "sb-7")
    page = open_page(browser_of(crew.cast.ines), FLOOR)
    for words in ("No round yet", "Not reported", "Not stated", "No controller", "1 needs a look"):
        assert words in page, words


def test_silence_gaps_and_refused_lines_are_said_in_words(crew: Crew) -> None:
    feeder = nsw_table(crew)
    feeder.send(feeder.line("table-opened"), feeder.line_at(4))
    assert feeder.send(b'{"kind":"round","table":"sb-1","sequence":5}').status_code == 422
    run_consumers()
    browser = browser_of(crew.gina)
    page = open_page(browser, FLOOR)
    for words in (">Gaps<", "2 lines missing.", "1 line in quarantine.", "?q=sb-1&amp;state=waiting"):
        assert words in page, words
    heard_at = Feed.objects.get().last_seen_at
    with time_machine.travel(heard_at + timedelta(seconds=30), tick=False):
        assert ">Silent<" not in open_page(browser, FLOOR)
    with time_machine.travel(heard_at + timedelta(seconds=31), tick=False):
        assert ">Silent<" in open_page(browser, FLOOR)


def test_a_closed_table_may_be_quiet(crew: Crew) -> None:
    feeder = nsw_table(crew)
    feeder.send(feeder.line("table-opened"), feeder.line("table-closed"))
    run_consumers()
    with time_machine.travel(timezone.now() + timedelta(minutes=10), tick=False):
        page = open_page(browser_of(crew.gina), FLOOR)
    assert ">Quiet<" in page
    assert ">Silent<" not in page
    assert ">Closed<" in page


def test_the_filter(crew: Crew) -> None:
    feeder = nsw_table(crew)
    new_table(crew, "bb-2")
    feeder.send(feeder.line("table-opened"))
    run_consumers()
    browser = browser_of(crew.gina)
    both = {"Table SB-1", "Table BB-2"}
    for query, shown in (
        ("", both),
        ("?q=sb", {"Table SB-1"}),
        ("?show=open", {"Table SB-1"}),
        ("?show=closed", set()),
        ("?rules=nsw-sic-bo", {"Table SB-1"}),
        ("?q=nowhere", set()),
        ("?show=nonsense", both),
    ):
        page = open_page(browser, FLOOR + query)
        assert {name for name in both if name in page} == shown, query
    assert "No table fits this search." in open_page(browser, FLOOR + "?q=nowhere")


def take_csv(browser: Client, query: str = "") -> list[dict[str, str]]:
    answer: Any = browser.get(f"{FLOOR}?format=csv{query}")
    assert answer.headers["Content-Type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(b"".join(answer).decode("utf-8-sig"), newline="")))


def test_what_the_cards_say_can_be_taken_away_as_a_list(crew: Crew) -> None:
    feeder = nsw_table(crew)
    new_table(crew, "bb-2")
    feeder.send(feeder.line("table-opened"), feeder.line("round", dice=[4, 2, 4]))
    run_consumers()
    browser = browser_of(crew.gina)
    new, played = take_csv(browser)
    assert played.pop("Last round").endswith("Z")
    assert played.pop("What was heard").startswith("Last heard ")
    assert played == {
        "Table": "Table SB-1",
        "State": "Open",
        "Play stopped": "",
        "Last result": "4-2-4, total 10",
        "Limits": "$5.00 AUD to $500.00 AUD",
        "Rules": played["Rules"],
        "Feed": "Well",
        "In quarantine": "0",
        "Open findings": "0",
    }
    assert played["Rules"].endswith(", version 1")
    assert new == {
        "Table": "Table BB-2",
        "State": "Not reported",
        "Play stopped": "",
        "Last result": "",
        "Last round": "",
        "Limits": "Not stated",
        "Rules": "Not stated",
        "Feed": "No controller",
        "What was heard": "No controller speaks for this table.",
        "In quarantine": "0",
        "Open findings": "0",
    }
    assert [row["Table"] for row in take_csv(browser, "&show=open")] == ["Table SB-1"]
    page = open_page(browser, FLOOR + "?show=open")
    assert 'href="?show=open&amp;format=csv"' in page
    assert "Download as" not in open_page(browser, FLOOR + "?q=nowhere")


def test_a_list_longer_than_a_page_is_taken_away_whole(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in range(1, 6):
        new_table(crew, f"sb-{place}")
    monkeypatch.setattr(floor, "TABLES_A_PAGE", 2)
    monkeypatch.setattr(floor, "EXPORT_CHUNK", 2)
    assert [row["Table"] for row in take_csv(browser_of(crew.gina))] == [f"Table SB-{place}" for place in range(1, 6)]


def test_a_page_can_be_held_still(crew: Crew) -> None:
    browser = browser_of(crew.gina)
    assert 'hx-trigger="every' in open_page(browser, FLOOR)
    held = open_page(browser, FLOOR + "?still=1")
    assert 'hx-trigger="every' not in held
    assert "Resume updates" in held


def test_open_findings_of_a_table_are_counted_and_lead_to_their_list(crew: Crew) -> None:
    new_table(crew)
    here: dict[str, Any] = {
        "log": "harbour",
        "casino": crew.cast.harbour,
        "severity": "serious",
        "check_name": "settlement",
    }
    for index, code in enumerate(("SETTLE-OVERPAID", "SETTLE-CLIP"), 10**6):
        Finding.objects.create(
            **here,
            entry_index=index,
            code=code,
            subject_index=index,
            table="sb-1",
            at=timezone.now(),
            found_at=timezone.now(),
            sentence="Wrong.",
            evidence=[0],
            explanation=[],
        )
    page = open_page(browser_of(crew.gina), FLOOR)
    assert 'href="/casinos/harbour/findings/?table=sb-1&amp;state=undecided"' in page
    assert "2 open" in page


def test_ten_thousand_tables_take_no_more_queries_than_one(crew: Crew, feeder: Feeder) -> None:
    feeder.send(feeder.line("table-opened"), feeder.line("round"))
    run_consumers()
    browser = browser_of(crew.gina)
    open_page(browser, FLOOR)
    with CaptureQueriesContext(connection) as one:
        open_page(browser, FLOOR)
    first = Table.objects.get()
    Table.objects.bulk_create(
        Table(
            casino=first.casino,
            slug=f"sb-{place}",
            name=f"Table {place}",
            added_by=first.added_by,
            log="harbour",
            added_by_name="Sid",
            added_at=first.added_at,
            entry_index=100_000 + place,
        )
        for place in range(2, 10_001)
    )
    with CaptureQueriesContext(connection) as many:
        page = open_page(browser, FLOOR)
    assert "1 to 60 of 10,000" in page
    assert len(many) == len(one)
