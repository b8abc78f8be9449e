"""Exactly-once recording: a line becomes one entry if it is sent concurrently, interrupted, or the database fails."""

import socket
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection
from pytest_django.live_server_helper import LiveServer

from rounds.intake.models import Batch, Feed
from rounds.ledger.verify.verify_log import verify_log
from tests.conftest import superuser
from tests.rounds.intake.controller_client import ADDRESS, Feeder
from tests.rounds.intake.services.test_batches import entries_of_controllers


def test_the_same_batch_from_several_connections_at_once_is_recorded_once(feeder: Feeder) -> None:
    lines = [feeder.line() for _ in range(20)]
    together = Barrier(6)

    def send() -> Any:
        together.wait()
        try:
            return Feeder().send(*lines)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        answers = [future.result() for future in [pool.submit(send) for _ in range(6)]]
    assert [one.status_code for one in answers] == [200] * 6
    assert len({str(one.json()["receipts"]) for one in answers}) == 1
    assert [entry.body for entry in entries_of_controllers()] == lines
    assert (Batch.objects.count(), Feed.objects.get().accepted) == (1, 20)


def test_different_bytes_for_one_sequence_at_once_one_wins_and_the_other_is_told(feeder: Feeder) -> None:
    together = Barrier(2)

    def send(dice: list[int]) -> Any:
        line = feeder.line_at(1, dice=dice)
        together.wait()
        try:
            return Feeder().send(line).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        answers = [future.result() for future in [pool.submit(send, dice) for dice in ([1, 1, 2], [1, 1, 3])]]
    assert sorted(answers) == [200, 409]
    assert len(entries_of_controllers()) == 1


def request_bytes(address: str, feeder: Feeder, lines: list[bytes]) -> bytes:
    body = b"\n".join(lines)
    headers = {
        "Host": address,
        "Content-Type": "application/x-ndjson",
        "Content-Length": str(len(body)),
        **feeder.headers(lines),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST {ADDRESS} HTTP/1.1\r\n{head}\r\n".encode() + body


@pytest.mark.parametrize("part", ["everything", "half"])
def test_a_connection_cut_before_the_answer_leaves_one_entry_after_the_resend(
    feeder: Feeder, live_server: LiveServer, part: str
) -> None:
    where = urlsplit(live_server.url)
    lines = [feeder.line(), feeder.line()]
    request = request_bytes(where.netloc, feeder, lines)
    with socket.create_connection((where.hostname, where.port)) as cut:
        cut.sendall(request if part == "everything" else request[: -len(lines[1])])
    receipts = feeder.send(*lines).json()["receipts"]
    assert [one["sequence"] for one in receipts] == [1, 2]
    assert [entry.body for entry in entries_of_controllers()] == lines


def test_with_the_database_away_the_answer_says_when_to_come_back(
    feeder: Feeder, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [feeder.line(), feeder.line()]
    connection.close()
    with monkeypatch.context() as away:
        away.setitem(connection.settings_dict, "HOST", "127.0.0.1")
        away.setitem(connection.settings_dict, "PORT", "1")
        response = feeder.send(*lines)
    assert (response.status_code, response.json()["code"]) == (503, "unavailable")
    assert int(response["Retry-After"]) > 0
    assert entries_of_controllers() == []
    assert feeder.send(*lines).status_code == 200
    assert len(entries_of_controllers()) == 2


def tamper(statement: str) -> None:
    with superuser(connection.settings_dict["NAME"]) as admin, admin.transaction():
        admin.execute("SET LOCAL session_replication_role = replica")
        admin.execute("ALTER TABLE intake_batch DISABLE TRIGGER USER")
        admin.execute(statement)
        admin.execute("ALTER TABLE intake_batch ENABLE ALWAYS TRIGGER ledger_no_change")
        admin.execute("ALTER TABLE intake_batch ENABLE ALWAYS TRIGGER ledger_no_truncate")


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE intake_batch SET signature = decode(repeat('00', 64), 'hex')", "signature"),
        ("UPDATE intake_batch SET sent_at_text = '2026-01-01T00:00:00Z'", "signature"),
        ("UPDATE intake_batch SET line_digests = substring(line_digests FROM 33)", "no signed batch"),
        ("DELETE FROM intake_batch", "no signed batch"),
    ],
)
def test_a_batch_tampered_with_is_found(feeder: Feeder, statement: str, what: str) -> None:
    feeder.send(feeder.line(), feeder.line())
    assert verify_log("harbour").issues == ()
    tamper(statement)
    found = verify_log("harbour").issues
    assert found
    assert what in found[0].sentence
