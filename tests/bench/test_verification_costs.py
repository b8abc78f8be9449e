"""The cost of verifying an entry, counted instead of timed: statements, bodies parsed, hashes, Python calls."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from compliance.audit.models import PackedRound
from rounds.ledger.verify.verify_log import verify_log
from tests.bench.support.controllers import Controller, controllers_at, receive_rounds, run_consumers
from tests.rounds.floor.conftest import quick_passwords
from tests.rounds.floor.crew import gather
from tests.rounds.ledger.conftest import key_file

__all__ = ["key_file", "quick_passwords"]

FIRST, MORE = 1000, 1000
# For each further round of twenty wagers. Hashes: the leaf, the signed line, and about one node above each. Bodies:
# parsed in full for the rounds' columns, and partly for the search index.
MOST_OF_THE_LOG_ALONE = {"statements": 0.012, "bodies read": 0.0, "hashes": 4.01, "Python functions": 6.5}
MOST = {"statements": 0.012, "bodies read": 2.01, "hashes": 4.01, "Python functions": 61.0}


@pytest.fixture
def floor(transactional_db: None, key_file: Path) -> list[Controller]:
    return controllers_at(gather(), 2)


@contextmanager
def counting_statements(folder: Path) -> Iterator[Counter[str]]:
    """Counts what the client sends, by libpq's trace: each statement, each fetch."""
    counted: Counter[str] = Counter()
    connection.ensure_connection()
    trace = folder / "trace"
    with trace.open("w") as file:
        connection.connection.pgconn.trace(file.fileno())
        try:
            yield counted
        finally:
            connection.connection.pgconn.untrace()
    lines = trace.read_text().splitlines()
    counted["statements"] = sum(line.split("\t")[1:2] == ["F"] and _ends_a_statement(line) for line in lines)


def _ends_a_statement(line: str) -> bool:
    return line.split("\t")[3].startswith(("Query", "Sync"))


def cost_of_verifying(folder: Path) -> Counter[str]:
    calls: Counter[str] = Counter()

    def note(frame: Any, event: str, called: Any) -> None:
        if event == "call":
            calls["Python functions"] += 1
        elif event == "c_call":
            name = called.__name__
            if name == "openssl_sha256":
                calls["hashes"] += 1
            elif name == "json_decode" or (
                name == "decode" and type(getattr(called, "__self__", None)).__module__ == "msgspec.json"
            ):
                calls["bodies read"] += 1

    with counting_statements(folder) as statements:
        sys.setprofile(note)
        try:
            verdict = verify_log("harbour")
        finally:
            sys.setprofile(None)
    assert verdict.issues == ()
    return calls + statements + Counter(entries=verdict.checked["entries"])


def cost_of_more(floor: list[Controller], folder: Path, *, is_derived: bool) -> dict[str, float]:
    """Cost of each further entry, without the constant cost of a verification."""
    receive(floor, FIRST, is_derived=is_derived)
    cost_of_verifying(folder)  # Whatever is made once is there now.
    before = cost_of_verifying(folder)
    receive(floor, MORE, is_derived=is_derived)
    after = cost_of_verifying(folder)
    entries = after["entries"] - before["entries"]
    assert entries >= MORE
    return {what: (after[what] - before[what]) / entries for what in MOST}


def receive(floor: list[Controller], rounds: int, *, is_derived: bool) -> None:
    receive_rounds(floor, rounds)
    if is_derived:
        run_consumers()
    else:
        # Intake stores the columns together with the entries.
        PackedRound.objects.all().delete()


def test_the_log_itself(floor: list[Controller], tmp_path: Path) -> None:
    cost = cost_of_more(floor, tmp_path, is_derived=False)
    assert {what: count for what, count in cost.items() if count > MOST_OF_THE_LOG_ALONE[what]} == {}


def test_with_everything_that_follows_from_it(floor: list[Controller], tmp_path: Path) -> None:
    cost = cost_of_more(floor, tmp_path, is_derived=True)
    assert {what: count for what, count in cost.items() if count > MOST[what]} == {}
