"""Search by table, round, kind, time and person: newest first, page by page, each match exactly once."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rounds.ledger.readers import search as searching
from rounds.ledger.readers.search import EntryQuery, SearchPage, entry_counts_by_day, search_entries
from rounds.ledger.readers.search_index import index_new_entries
from rounds.ledger.writing.append import NewEntry, make_entry
from tests.rounds.ledger import harbour_log

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
SYDNEY = ZoneInfo("Australia/Sydney")


def indexes(found: SearchPage) -> list[int]:
    return [entry.index for entry in found.entries]


def found(**wanted: object) -> list[int]:
    return indexes(search_entries("harbour", EntryQuery(**wanted)))  # type: ignore[arg-type]


def shuffle(table: str, sequence: int, kind: str = "test-round") -> NewEntry:
    return NewEntry(kind=kind, body=b'{"round":"R%d"}' % sequence, table=table, controller="c", sequence=sequence)


@pytest.fixture
def evening(log: str) -> str:
    """0 to 3: rounds at two tables; 4: a note by Ana; 5: by Ben, approved by Ana; each a minute later."""
    entries = [
        shuffle("SB-1", 1),
        shuffle("SB-2", 1),
        shuffle("SB-1", 2),
        shuffle("SB-2", 2),
        make_entry("test-note", {"by": {"id": 4, "name": "Ana"}}, table="SB-1"),
        make_entry(
            "test-note", {"by": {"id": 5, "name": "Ben"}, "approved_by": {"id": 4, "name": "Ana"}, "round": "R2"}
        ),
    ]
    for minute, entry in enumerate(entries):
        harbour_log.record_all([entry], now=NOON + timedelta(minutes=minute))
    while index_new_entries(log):
        pass
    return log


@pytest.mark.usefixtures("evening")
class TestWhatIsFound:
    def test_everything_newest_first(self) -> None:
        assert found() == [5, 4, 3, 2, 1, 0]

    def test_by_table(self) -> None:
        assert found(table="SB-1") == [4, 2, 0]
        assert found(table="SB-9") == []

    def test_by_kind(self) -> None:
        assert found(kind="test-note") == [5, 4]

    def test_by_round_however_it_is_written(self) -> None:
        assert found(round="r2") == found(round="R2") == [5, 3, 2]
        assert found(round="R") == []

    def test_by_person_in_whatever_part(self) -> None:
        assert found(people=["#4"]) == found(people=["ana"]) == [5, 4]
        assert found(people=["#5"]) == [5]
        assert found(people=["#5", "#4"]) == [5, 4]
        assert found(people=[]) == []

    def test_by_several_at_once(self) -> None:
        assert found(table="SB-1", round="R2") == [2]
        assert found(kind="test-note", people=["#4"], table="SB-1") == [4]

    def test_by_time_from_the_first_moment_to_before_the_last(self) -> None:
        second = timedelta(microseconds=1)
        two, four = NOON + timedelta(minutes=2), NOON + timedelta(minutes=4)
        assert found(since=two, until=four) == [3, 2]
        assert found(since=two + second, until=four + second) == [4, 3]
        assert found(since=two) == [5, 4, 3, 2]
        assert found(until=two) == [1, 0]
        assert found(since=NOON + timedelta(days=1)) == []
        assert found(since=two, until=two) == []

    def test_an_entry_recorded_out_of_order_is_found_by_its_own_time(self) -> None:
        """An append waited for the lock; the recorded time is that of the act."""
        harbour_log.record_all([harbour_log.note(1)], now=NOON + timedelta(minutes=2))
        two = NOON + timedelta(minutes=2)
        assert found(since=two, until=two + timedelta(seconds=1)) == [6, 2]
        assert found(until=NOON + timedelta(minutes=3)) == [6, 2, 1, 0]
        assert found(since=two + timedelta(seconds=1), until=NOON + timedelta(days=1)) == [5, 4, 3]

    def test_entries_that_were_not_looked_through_yet_are_counted(self) -> None:
        harbour_log.record_all([harbour_log.note(1), harbour_log.note(2)], now=NOON)
        assert search_entries("harbour", EntryQuery(round="R2")).unread == 2
        assert search_entries("harbour", EntryQuery(people=["#4"])).unread == 2
        assert search_entries("harbour", EntryQuery(table="SB-7")).unread == 0

    def test_other_logs_are_not_searched(self) -> None:
        harbour_log.opened("marina")
        assert indexes(search_entries("marina", EntryQuery())) == []

    def test_a_name_that_very_many_entries_bear(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(searching, "MAX_INDEX_LIST", 1)
        assert found(people=["#4"]) == [5, 4]


class TestPages:
    def test_older_and_newer_pages_lose_and_repeat_nothing(self, log: str) -> None:
        harbour_log.play(23)
        page, seen, pages = search_entries(log, EntryQuery(), limit=5), [], 0
        assert page.newer is None
        while True:
            seen += indexes(page)
            pages += 1
            if page.older is None:
                break
            before = page.older
            page = search_entries(log, EntryQuery(), before=before, limit=5)
        assert (seen, pages) == (list(range(22, -1, -1)), 5)
        back: list[int] = []
        while page.newer is not None:
            page = search_entries(log, EntryQuery(), after=page.newer, limit=5)
            back = indexes(page) + back
        assert back == list(range(22, 2, -1))

    @pytest.mark.parametrize("entries", [0, 1, 5])
    def test_where_all_fit_on_one_page_there_are_no_others(self, log: str, entries: int) -> None:
        harbour_log.play(entries)
        page = search_entries(log, EntryQuery(), limit=5)
        assert (len(page.entries), page.older, page.newer) == (entries, None, None)

    def test_ten_thousand_entries_take_as_many_queries_as_one(self, log: str) -> None:
        harbour_log.play(1)
        with CaptureQueriesContext(connection) as few:
            search_entries(log, EntryQuery(round="r0", since=harbour_log.OPENED_AT))
        for start in range(1, 10_000, 2_500):
            harbour_log.record_all([harbour_log.a_round(n) for n in range(start, min(start + 2_500, 10_000))])
        with CaptureQueriesContext(connection) as many:
            assert len(search_entries(log, EntryQuery(since=harbour_log.OPENED_AT, round="r0")).entries) == 0
        assert len(many) == len(few)
        assert indexes(search_entries(log, EntryQuery(), before=5_000)) == list(range(4_999, 4_949, -1))


class TestGrowth:
    def test_days_are_those_of_the_casino_quiet_ones_included(self, log: str) -> None:
        """In Sydney the day begins at 13:00 UTC in summer."""
        for at, count in (("2026-11-14T12:59:59", 1), ("2026-11-14T13:00:00", 2), ("2026-11-16T12:59:59", 4)):
            harbour_log.record_all(
                [harbour_log.note(n) for n in range(count)], now=datetime.fromisoformat(at + "+00:00")
            )
        days = entry_counts_by_day(log, SYDNEY, datetime(2026, 11, 16, 1, tzinfo=UTC), 3)
        assert [(day.day, day.entries) for day in days] == [
            (date(2026, 11, 14), 1),
            (date(2026, 11, 15), 2),
            (date(2026, 11, 16), 4),
        ]

    def test_the_night_on_which_clocks_change_belongs_to_one_day(self, log: str) -> None:
        """4 October 2026: the day in Sydney has 23 hours, from 14:00 UTC to 13:00 UTC."""
        for at in ("2026-10-03T13:59:59", "2026-10-03T14:00:00", "2026-10-04T12:59:59", "2026-10-04T13:00:00"):
            harbour_log.record_all([harbour_log.note(1)], now=datetime.fromisoformat(at + "+00:00"))
        days = entry_counts_by_day(log, SYDNEY, datetime(2026, 10, 5, 1, tzinfo=UTC), 3)
        assert [day.entries for day in days] == [1, 2, 1]
