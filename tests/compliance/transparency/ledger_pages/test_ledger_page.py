"""The page of a log: its state, verification results, growth, and the search, for those who may read it."""

import base64
import json
import re
from pathlib import Path

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compliance.privacy.access_log.models import Disclosure
from rounds.ledger import tasks
from rounds.ledger.readers.search import size_of
from rounds.ledger.verify.verification_requests import running_verification
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.transparency.ledger_pages.harbour_scenario import OPENED_AT, Floor, after, fault, follow, play
from tests.rounds.ledger import harbour_log

PAGE = "/casinos/harbour/ledger/"


def page_for(person: object, query: str = "") -> str:
    response = browser_of(person).get(PAGE + query)  # type: ignore[arg-type]
    assert response.status_code == 200
    return response.content.decode()


def listed(floor: Floor, query: str = "") -> list[int]:
    page = browser_of(floor.ines).get(PAGE + query)
    return [entry.index for entry in page.context["table"].page.object_list]


def test_it_shows_size_checkpoint_and_root(floor: Floor) -> None:
    play(3)
    note = harbour_log.sign(now=after(minutes=1)).decode()
    size = size_of("harbour")
    page = page_for(floor.sam)
    assert f"<dd>{size}</dd>" in page
    assert "16 Nov 2026, 8:31 pm AEDT" in page
    root = note.splitlines()[2]
    assert base64.b64decode(root).hex() in page
    assert "/logs/harbour/checkpoint" in page


def test_an_empty_log_says_so(floor: Floor) -> None:
    page = browser_of(floor.otto).get("/casinos/marina/ledger/").content.decode()
    assert "None yet. One is signed every minute." in page
    assert "Never verified" in page


def test_supervisors_read_and_inspectors_take(floor: Floor) -> None:
    play(1)
    assert "Take evidence away" not in page_for(floor.sam)
    assert "Verify now" not in page_for(floor.sam)
    assert "Choose entry" not in page_for(floor.sam)
    for person in (floor.ines, floor.cora):
        assert "Take evidence away" in page_for(person)
        assert "Verify now" in page_for(person)


def test_the_search_by_table_kind_round_person_and_time(floor: Floor) -> None:
    base = size_of("harbour")
    play(2)
    play(2, first=2, table="SB-9", at=after(hours=1))
    fault(floor.sam, at=after(hours=2))
    follow()
    assert listed(floor, "?table=SB-9") == [base + 3, base + 2]
    assert listed(floor, "?kind=test-fault") == [base + 4]
    assert listed(floor, "?round=r-1") == [base + 1]
    for words in ("sam", "SAM@example.com", f"%23{floor.sam.pk}"):
        assert listed(floor, f"?person={words}&kind=test-fault") == [base + 4]
    assert listed(floor, "?person=ines&kind=test-fault") == []
    # 9:30 pm in Sydney is an hour after the first rounds.
    assert listed(floor, "?since=2026-11-16T21:30&until=2026-11-16T22:30") == [base + 3, base + 2]
    assert listed(floor, "?since=2026-11-16T21:31&table=SB-9") == []


def test_an_entry_number_leads_to_the_entry(floor: Floor) -> None:
    play(1)
    response = browser_of(floor.ines).get(PAGE + "?index=0")
    assert (response.status_code, response.headers["Location"]) == (302, f"{PAGE}0/")


def test_what_cannot_be_read_is_told_and_kept(floor: Floor) -> None:
    page = page_for(floor.ines, "?since=yesterday&table=SB-7&kind=hearsay")
    assert "There is a problem" in page
    assert "Enter a date and a time" in page
    assert 'value="SB-7"' in page


@pytest.mark.parametrize("query", ["?before=x", "?before=99999999999999999999999", "?after=-1", "?before=", "?after=0"])
def test_a_place_that_makes_no_sense_shows_the_newest_or_nothing(floor: Floor, query: str) -> None:
    play(1)
    assert browser_of(floor.ines).get(PAGE + query).status_code == 200


def test_it_says_when_the_search_is_behind(floor: Floor) -> None:
    follow()
    play(2)
    assert "The 2 newest entries were not searched yet for rounds and people." in page_for(floor.sam, "?round=R-1")
    assert "newest entries were" not in page_for(floor.sam, "?table=SB-7")
    assert "Still reading: the slowest part is 2 entries behind." in page_for(floor.sam)
    follow()
    assert "not searched yet" not in page_for(floor.sam, "?round=R-1")
    assert "Up to the last entry." in page_for(floor.sam)


def test_pages_go_back_and_forth_and_keep_the_search(floor: Floor) -> None:
    play(120)
    newest = listed(floor, "?table=SB-7")
    page = page_for(floor.ines, "?table=SB-7")
    [older] = re.findall(r'href="(\?[^"]*before=\d+)#entries"', page)
    assert "table=SB-7" in older
    second = listed(floor, older.replace("&amp;", "&"))
    assert second == list(range(newest[-1] - 1, newest[-1] - 51, -1))
    [newer] = re.findall(r'href="(\?[^"]*after=\d+)#entries"', page_for(floor.ines, older.replace("&amp;", "&")))
    assert listed(floor, newer.replace("&amp;", "&")) == newest


def test_ten_thousand_entries_take_as_many_queries_as_one(floor: Floor) -> None:
    browser = browser_of(floor.ines)
    play(1)
    follow()
    harbour_log.sign(now=OPENED_AT)
    browser.get(PAGE)
    with CaptureQueriesContext(connection) as few:
        assert browser.get(PAGE + "?table=SB-7").status_code == 200
    play(10_000, first=1)
    with CaptureQueriesContext(connection) as many:
        assert browser.get(PAGE + "?table=SB-7").status_code == 200
    assert len(many) == len(few)


def test_the_growth_chart_counts_the_casinos_days(floor: Floor) -> None:
    play(3, at=after(hours=3))
    play(4, first=3, at=after(hours=4))
    with time_machine.travel(after(hours=5)):
        chart = browser_of(floor.sam).get(PAGE + "growth.svg")
        page = browser_of(floor.sam).get(PAGE)
    assert chart.headers["Content-Type"] == "image/svg+xml"
    assert b"How the log of Harbour Casino grew" in chart.content
    days = page.context["chart"].table.page.object_list
    assert [(f"{day.day}", day.entries) for day in days[-2:]] == [("2026-11-16", 3), ("2026-11-17", 4)]
    assert len(days) == 30


class TestVerification:
    def test_verify_now_is_remembered_and_its_result_shown(self, committed_floor: Floor) -> None:
        play(3)
        response = browser_of(committed_floor.ines).post(PAGE + "verify/", follow=True)
        page = response.content.decode()
        assert "The log is being verified from its first entry." in page
        assert "Waiting to begin, asked for by Ines." in page
        assert 'hx-trigger="every 2s"' in page
        assert "Verify now" not in page
        tasks.verify_every_log()
        fragment = browser_of(committed_floor.ines).get(PAGE + "verification/").content.decode()
        assert "Fits" in fragment
        assert "hx-trigger" not in fragment
        assert f"entries 0 to {size_of('harbour') - 2}" in fragment

    def test_what_does_not_fit_is_said_in_words(self, committed_floor: Floor) -> None:
        base = size_of("harbour")
        play(3)
        with harbour_log.unguarded() as rogue:
            rogue.execute(f"UPDATE {harbour_log.partition()} SET body = '{{}}' WHERE index = {base + 1}")
        tasks.verify_every_log()
        page = page_for(committed_floor.sam)
        assert "Does not fit" in page
        assert f"Entry {base + 1} (kind test-round, table SB-7" in page
        assert "changed since; it no longer gives the hash that was recorded with it." in page

    def test_only_those_who_may_take_evidence_ask_for_it(self, floor: Floor) -> None:
        for person in (floor.sam, floor.ada, floor.otto):
            assert browser_of(person).post(PAGE + "verify/").status_code == 404
        assert running_verification("harbour") is None
        assert browser_of(floor.cora).post(PAGE + "verify/").status_code == 302
        assert running_verification("harbour") is not None


def test_the_menu_leads_to_the_log_or_to_a_choice(floor: Floor, tmp_path: Path) -> None:
    response = browser_of(floor.sam).get("/ledgers/")
    assert response.headers["Location"] == PAGE
    assert 'href="/ledgers/"' in browser_of(floor.sam).get("/").content.decode()
    assert 'href="/ledgers/"' not in browser_of(floor.ada).get("/").content.decode()
    assert browser_of(floor.ada).get("/ledgers/").status_code == 403


def test_the_whole_search_is_taken_away_whatever_page_was_open(floor: Floor) -> None:
    play(620)
    fault(floor.sam)
    for person in (floor.sam, floor.ines):
        response = browser_of(person).get(f"{PAGE}?kind=test-round&before=300&entries-format=ndjson")
        taken = [json.loads(line) for line in b"".join(response).splitlines()]
        assert [one["kind"] for one in taken] == ["test-round"] * 620
        assert set(taken[0]) == {"entry", "recorded", "what", "kind", "table"}
        assert taken[0]["what"] == "Round"
        assert taken[0]["recorded"] == "2026-11-16T09:30:00Z"
    assert [told.filters for told in Disclosure.objects.all()] == [{"kind": "test-round"}] * 2
