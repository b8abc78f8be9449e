"""Costs in statements, rows, bytes and memory: figures that do not depend on the machine's load.

A figure may fall. Raising one is a decision that the commit message must explain.
"""

import subprocess
import sys
import tracemalloc
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from cProfile import Profile

import pytest
from django.db import connection, transaction
from django.db.models import F
from django.db.models.expressions import Col
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from compliance.audit.models import DailyBetTotals
from compliance.audit.run.evaluate import evaluate_range
from compliance.audit.run.worker import consume_new_entries
from compliance.core.web.database.compiler import SQLCompiler
from compliance.inspection.reviews.models import Review
from rounds.floor.fact_values import LimitsValue
from rounds.intake.models import Feed
from rounds.ledger.readers.controller_sequences import entries_by_sequence
from rounds.ledger.writing.append import NewEntry, append
from rounds.rulebook.models import RuleVersion
from rounds.transparency_log.tree.tiles import TILE_WIDTH
from tests.bench.support.controllers import Controller, controllers_at, receive_rounds, run_consumers
from tests.compliance.audit.conftest import crew, house, quick_passwords
from tests.compliance.audit.house import CONTROLLER, NOW, House
from tests.compliance.core.accounts.people import browser_of
from tests.rounds.floor.crew import SECRET, gather
from tests.rounds.intake.controller_client import Feeder, feeder_at

__all__ = ["crew", "house", "quick_passwords"]

WRITTEN = "SELECT relname, n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_xact_user_tables"
READ = """
SELECT sum(idx_tup_fetch + seq_tup_read) FROM pg_stat_xact_user_tables WHERE relname LIKE 'ledger\\_entry%'
"""
STORED = """
SELECT sum(pg_column_size(entry.body)), sum(pg_column_size(packed.events) + pg_column_size(packed.wagers))
FROM ledger_entry entry JOIN audit_packedround packed ON packed.entry_index = entry.index
WHERE entry.kind = 'round' AND packed.log = 'harbour'
"""


# Large libraries needed by few: imported where they are used, not at the top of a module.
DEAR = ("scipy", "pyhanko", "pyarrow", "authlib", "joserfc")
START = "import sys, django; django.setup(); import compliance.config.urls; print(*sys.modules)"


class Table:
    """One NSW table at Harbour, whose rounds are received in batches."""

    def __init__(self, house: House, wagers: int) -> None:
        house.open_table(limits=LimitsValue(min=500, max=50_000))
        self.controller = Controller("sb-1", CONTROLLER, SECRET, wagers)
        # Consumes and audits the entries of the casino's foundation before anything is counted.
        self.play(2)
        house.audit()

    def play(self, rounds: int) -> tuple[int, int]:
        """Returns the range of indexes in the log, end excluded."""
        first = self.controller.sent + 1
        entries = [
            NewEntry(kind="round", body=line, table="sb-1", controller=CONTROLLER, sequence=sequence)
            for sequence, line in enumerate(self.controller.next_lines(rounds), first)
        ]
        with transaction.atomic():
            receipts = append("harbour", entries, NOW)
        return receipts[0].index, receipts[-1].index + 1


def rows_written() -> Counter[str]:
    """In this transaction so far, by table: inserted, updated and deleted. Partitions count as the ledger."""
    with connection.cursor() as cursor:
        cursor.execute(WRITTEN)
        found: Counter[str] = Counter()
        for name, rows in cursor.fetchall():
            found["ledger_entry" if name.startswith("ledger_entry") else name] += rows
    return found


def test_an_order_by_columns_compares_no_selected_column_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Django hashes each of them, in the queries of nearly every page. The statement is the same."""
    hashed = Counter[str]()

    def statements() -> list[str]:
        hashed.clear()
        orders = ("-effective_at", F("effective_at").desc(), "superseded_at")
        return [str(RuleVersion.objects.with_people().order_by(order).query) for order in orders]

    def hash_and_count(self: Col) -> int:
        hashed[self.target.name] += 1
        return hash(self.identity)

    monkeypatch.setattr(Col, "__hash__", hash_and_count)
    ours = statements()
    few = hashed.total()
    monkeypatch.delattr(SQLCompiler, "_order_by_pairs")
    assert statements() == ours
    assert hashed.total() > 2 * few


def test_no_process_waits_for_what_few_need() -> None:
    """Each web server, worker and command loads what it finds at the top of our modules before it does anything."""
    done = subprocess.run([sys.executable, "-c", START], capture_output=True, text=True, check=True)
    assert {name.partition(".")[0] for name in done.stdout.split()} & {*DEAR} == set()


@pytest.mark.usefixtures("transactional_db")
def test_a_batch_takes_as_many_statements_for_two_hundred_rounds_as_for_one() -> None:
    feeder = feeder_at(gather())
    feeder.send(feeder.line())
    counts = []
    for rounds in (1, 200):
        lines = [feeder.line(round=f"r-{rounds}-{number}") for number in range(rounds)]
        with CaptureQueriesContext(connection) as captured:
            assert feeder.send(*lines).status_code == 200
        counts.append(len(captured))
    assert Feed.objects.get().accepted == 202
    assert counts == [14, 14]


@pytest.mark.usefixtures("transactional_db")
def test_a_round_that_comes_in_is_read_once_and_hashed_twice() -> None:
    """Once for what its controller signed and once as a leaf of the log; the rest is a few calls in all."""
    feeder = feeder_at(gather())
    feeder.send(feeder.line())
    few, many = calls_of(feeder, TILE_WIDTH), calls_of(feeder, 2 * TILE_WIDTH)
    more = {name: (many[name] - few[name]) / TILE_WIDTH for name in many}
    assert more["<method 'decode' of 'msgspec.json.Decoder' objects>"] == 1
    assert more["<method 'encode_into' of 'msgspec.json.Encoder' objects>"] == 1
    # A leaf of either tree and one node above each; the root of a full tile is computed separately.
    assert 4.9 <= more["<built-in method _hashlib.openssl_sha256>"] <= 5.1
    # About half of them for the columns that the audit reads.
    assert sum(more.values()) <= 190


@pytest.mark.usefixtures("transactional_db")
def test_a_batch_of_one_round_takes_few_calls() -> None:
    """In a thread of its own: Django looks for an event loop at every statement, and browser tests leave one."""

    def calls() -> int:
        try:
            feeder = feeder_at(gather())
            feeder.send(feeder.line())
            calls_of(feeder, 1)
            return sum(calls_of(feeder, 1).values())
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as aside:
        assert aside.submit(calls).result() <= 4000


def calls_of(feeder: Feeder, rounds: int) -> Counter[str]:
    """Functions called while a batch is received, by name: ours, Django's, and those in C."""
    lines = [feeder.line() for _ in range(rounds)]
    profile, headers = Profile(), feeder.headers(lines)
    # Wake-ups are sent once a second, for however many batches.
    with override_settings(WOKEN_BY_ENTRIES=[]), profile:
        answer = feeder.post(b"\n".join(lines), headers)
    assert answer.status_code == 200
    called: Counter[str] = Counter()
    for entry in profile.getstats():
        called[str(entry.code)] += entry.callcount
    return called


def test_looking_for_a_controllers_numbers_reads_the_entries_it_finds_and_no_others(house: House) -> None:
    """PostgreSQL knows nothing yet of a log that has just been opened, and must not read a table's whole history."""
    Table(house, wagers=2).play(300)
    for numbers, known in ((range(303, 803), 0), (range(1, 11), 10), ([1, 7, 8, 290, 9_000], 4)):
        before = entries_read()
        assert len(entries_by_sequence("harbour", "sb-1", CONTROLLER, numbers)) == known
        assert entries_read() - before == known


def entries_read() -> int:
    """In this transaction so far."""
    with connection.cursor() as cursor:
        cursor.execute(READ)
        (found,) = cursor.fetchone()
    return int(found)


def test_a_round_that_is_recorded_and_audited_writes_two_rows(house: House) -> None:
    table = Table(house, wagers=20)
    written = []
    for rounds in (20, 60):
        before = rows_written()
        table.play(rounds)
        house.audit()
        written.append(rows_written() - before)
    few, many = written
    more = {name: many[name] - few[name] for name in many.keys() | few.keys()}
    assert {name: rows for name, rows in more.items() if rows} == {"ledger_entry": 40, "audit_packedround": 40}


@pytest.mark.usefixtures("transactional_db")
def test_no_consumer_reads_a_round_again_that_a_controller_sent() -> None:
    """Intake stores what the consumers need of an honest round. Calls for each further round, until it is audited."""
    tables, counts = controllers_at(gather(), 1), []
    receive_rounds(tables, 10)
    run_consumers()
    for rounds in (100, 300):
        receive_rounds(tables, rounds)
        with Profile() as profile:
            run_consumers()
        counts.append(Counter({str(entry.code): entry.callcount for entry in profile.getstats()}))
    few, many = counts
    more = {name: (many[name] - few[name]) / 200 for name in many}
    assert {name: calls for name, calls in more.items() if "json" in name and calls > 0.05} == {}
    assert sum(more.values()) <= 25


def test_what_was_played_at_a_table_on_a_day_is_one_row_however_many_boxes(house: House) -> None:
    table = Table(house, wagers=20)
    before = rows_written()
    table.play(20)
    house.audit()
    assert (rows_written() - before)["audit_playedday"] == 1
    assert DailyBetTotals.objects.values("bet").distinct().count() > 5


def test_a_stretch_is_audited_in_as_many_statements_however_many_rounds_it_holds(house: House) -> None:
    table, counts = Table(house, wagers=2), []
    for rounds in (2, 200):
        table.play(rounds)
        consume_new_entries("harbour")
        with CaptureQueriesContext(connection) as captured:
            house.audit()
        counts.append(len(captured))
    assert counts == [57, 57]


# Pages that the benchmark visits, and the statements of a visit: the same with many rounds as with few.
STATEMENTS = {
    "/casinos/harbour/reviews/": 14,
    "/casinos/harbour/reviews/{finding}/": 27,
    "/casinos/harbour/floor/": 17,
    "/casinos/harbour/dashboard/?first=2026-06-08&last=2026-06-21": 28,
    "/search/?q=sb-1-7": 13,
}


def test_a_page_takes_as_many_statements_however_many_rounds_there_are(house: House) -> None:
    table, browser = Table(house, wagers=2), browser_of(house.crew.cast.ines)
    table.controller.wrong_every = 7
    for rounds in (12, 300):
        table.play(rounds)
        run_consumers()
        finding = Review.objects.select_related("finding").latest("pk").finding.entry_index
        assert {page: statements(browser, page.format(finding=finding)) for page in STATEMENTS} == STATEMENTS


def statements(browser: Client, page: str) -> int:
    """Number of statements of a visit, after a first one has warmed the caches."""
    browser.get(page)
    with CaptureQueriesContext(connection) as captured:
        assert browser.get(page).status_code == 200
    return len(captured)


def test_a_wager_is_stored_in_few_bytes(house: House) -> None:
    Table(house, wagers=20).play(48)
    consume_new_entries("harbour")
    with connection.cursor() as cursor:
        cursor.execute(STORED)
        said, columns = cursor.fetchone()
    # The controller's lines byte for byte, compressed by PostgreSQL; and the columns that the audit reads.
    assert said / (50 * 20) <= 37
    assert columns / (50 * 20) <= 48.4


def test_judging_a_wager_takes_little_memory(house: House) -> None:
    """Columns and not objects: a Python object for each wager alone would take more."""
    table = Table(house, wagers=200)
    stretches = [table.play(5), table.play(25)]
    consume_new_entries("harbour")
    evaluate_range(house.casino, *stretches[0])
    peaks = [peak_of(house, *stretch) for stretch in stretches]
    assert (peaks[1] - peaks[0]) / (20 * 200) <= 150


def peak_of(house: House, first: int, last: int) -> int:
    tracemalloc.start()
    try:
        assert evaluate_range(house.casino, first, last).drafts == ()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
