"""The reference client loses no line, and trusts no answer without its proof."""

from __future__ import annotations

import ast
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from compliance.config.environment import PROJECT
from compliance.core.web.errors import RETRY_AFTER_SECONDS
from rounds.floor.public_keys import key_id_of
from rounds.intake.models import Feed, Quarantined
from rounds.intake.protocol.examples import BODIES
from rounds.ledger.signing.checkpoints import verifier_key_for
from rounds.simulator.client.batch_signature import Signer
from rounds.simulator.client.receipt_proofs import ProofFailed, verify_receipts
from rounds.simulator.client.sender import BatchRefused, Sender
from rounds.simulator.client.spool import Spool
from tests.rounds.floor.crew import SECRET, Crew
from tests.rounds.intake.controller_client import ADDRESS, TABLE, Feeder, feeder_at
from tests.rounds.intake.services.test_batches import entries_of_controllers

CLIENT = PROJECT / "rounds" / "simulator" / "client"


def sender_to(address: str, folder: Path, waits: list[float], key: str = "", **options: Any) -> Sender:
    return Sender(
        address + ADDRESS,
        Spool(folder),
        Signer(SECRET),
        key or str(verifier_key_for("harbour")),
        clock=timezone.now,
        wait=waits.append,
        **options,
    )


def spool_rounds(spool: Spool, count: int) -> list[bytes]:
    return [spool.add("round", TABLE, timezone.now(), BODIES["round"]) for _ in range(count)]


def test_what_is_spooled_arrives_and_its_proof_is_checked(crew: Crew, live_server: LiveServer, tmp_path: Path) -> None:
    feeder_at(crew)
    waits: list[float] = []
    sender = sender_to(live_server.url, tmp_path, waits)
    lines = spool_rounds(sender.spool, 3)
    assert sender.send_waiting() == 3
    assert [entry.body for entry in entries_of_controllers()] == lines
    assert (sender.spool.pending_lines(10), waits) == ([], [])
    assert sender.largest_log > 3
    sender.send_heartbeat(TABLE)
    assert Feed.objects.get().announced_sequence == 3


def test_a_refused_line_is_set_aside_and_stops_nobody(crew: Crew, live_server: LiveServer, tmp_path: Path) -> None:
    feeder_at(crew)
    sender = sender_to(live_server.url, tmp_path, [])
    first = sender.spool.add("round", TABLE, timezone.now(), BODIES["round"])
    poison = sender.spool.add("round", TABLE, timezone.now(), {**BODIES["round"], "dice": [1, 2, 7]})
    last = sender.spool.add("round", TABLE, timezone.now(), BODIES["round"])
    assert sender.send_waiting() == 2
    assert [entry.body for entry in entries_of_controllers()] == [first, last]
    aside = json.loads(sender.spool.aside.read_bytes())
    assert (aside["reason"]["code"], aside["line"]) == ("bad-dice", poison.decode())
    assert bytes(Quarantined.objects.get().line) == poison


def test_a_service_that_is_away_is_waited_for_longer_each_time(
    crew: Crew, live_server: LiveServer, tmp_path: Path
) -> None:
    feeder_at(crew)
    waits: list[float] = []
    sender = sender_to("http://127.0.0.1:1", tmp_path, waits)

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 4:
            sender.address = live_server.url + ADDRESS

    sender.wait = wait
    spool_rounds(sender.spool, 2)
    assert sender.send_waiting() == 2
    bounds = [(0.5, 1), (1, 2), (2, 4), (4, 8)]
    assert all(low <= seconds <= high for seconds, (low, high) in zip(waits, bounds, strict=True)), waits


def test_lines_survive_a_crash_and_half_a_line_does_not(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    lines = spool_rounds(spool, 3)
    spool.mark_sent(lines[:1])
    with spool.lines.open("ab") as file:
        file.write(b'{"kind":"round","table":"sb-1","seq')
    again = Spool(tmp_path)
    assert again.pending_lines(10) == lines[1:]
    assert json.loads(spool_rounds(again, 1)[0])["sequence"] == 4
    assert len(Spool(tmp_path).pending_lines(10)) == 3


@contextmanager
def scripted(*answers: tuple[int, dict[str, str], Any]) -> Iterator[tuple[str, list[bytes]]]:
    """A server that gives these answers in turn, whatever it is sent."""
    script, received = iter(answers), []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            status, headers, body = next(script)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", received
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


ANY_KEY = "log+00000000+AQAA"


def test_it_waits_as_long_as_it_is_told(tmp_path: Path) -> None:
    busy = [(503, {"Retry-After": "30"}, {}), (429, {"Retry-After": "7"}, {}), (401, {}, {"code": "revoked-key"})]
    waits: list[float] = []
    with scripted(*busy) as (address, received):
        sender = sender_to(address, tmp_path, waits, ANY_KEY)
        lines = spool_rounds(sender.spool, 1)
        with pytest.raises(BatchRefused, match="revoked-key"):
            sender.send_waiting()
    assert waits == [30, 7]
    assert received == [lines[0] + b"\n"] * 3
    assert sender.spool.pending_lines(10) == lines


def test_a_batch_that_is_too_large_is_halved(tmp_path: Path) -> None:
    large: tuple[int, dict[str, str], Any] = (413, {}, {"code": "batch-too-large"})
    with scripted(large, large, (401, {}, {"code": "bad-signature"})) as (address, received):
        sender = sender_to(address, tmp_path, [], ANY_KEY)
        spool_rounds(sender.spool, 8)
        with pytest.raises(BatchRefused):
            sender.send_waiting()
    assert [body.count(b"\n") for body in received] == [8, 4, 2]


def test_a_line_that_no_batch_is_small_enough_for_is_set_aside(tmp_path: Path) -> None:
    large: tuple[int, dict[str, str], Any] = (413, {}, {"code": "batch-too-large"})
    with scripted(large, large, (401, {}, {"code": "bad-signature"})) as (address, received):
        sender = sender_to(address, tmp_path, [], ANY_KEY)
        lines = spool_rounds(sender.spool, 2)
        with pytest.raises(BatchRefused):
            sender.send_waiting()
    assert [body.count(b"\n") for body in received] == [2, 1, 1]
    assert json.loads(sender.spool.aside.read_bytes())["line"] == lines[0].decode()
    assert sender.spool.pending_lines(10) == lines[1:]


def test_with_postgresql_away_the_client_keeps_its_lines_and_sends_them_when_it_is_back(
    crew: Crew, live_server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    feeder_at(crew)
    waits: list[float] = []
    sender = sender_to(live_server.url, tmp_path, waits)
    lines = spool_rounds(sender.spool, 3)

    def wait(seconds: float) -> None:
        waits.append(seconds)
        assert sender.spool.pending_lines(10) == lines
        monkeypatch.undo()

    sender.wait = wait
    monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
    monkeypatch.setitem(connection.settings_dict, "PORT", "1")
    assert sender.send_waiting() == 3
    # As long as Retry-After says.
    assert waits == [RETRY_AFTER_SECONDS]
    assert [entry.body for entry in entries_of_controllers()] == lines
    assert sender.spool.pending_lines(10) == []


@pytest.fixture
def answer(crew: Crew) -> tuple[dict[str, Any], list[bytes]]:
    """A real answer of the service to three lines, with its proofs."""
    feeder: Feeder = feeder_at(crew)
    lines = [feeder.line() for _ in range(3)]
    return feeder.send(*lines, query="?wait=checkpoint").json(), lines


def test_a_lying_service_is_not_believed(answer: tuple[dict[str, Any], list[bytes]]) -> None:
    said, lines = answer
    key = str(verifier_key_for("harbour"))
    assert verify_receipts(said, lines, key) is not None
    other_lines = [lines[0], lines[1].replace(b"2500", b"2600"), lines[2]]
    forged_key = str(verifier_key_for("harbour")).replace("localhost/harbour", "localhost/other")
    receipts = said["receipts"]
    lies = [
        (said, other_lines, key, "not what we sent"),
        ({**said, "receipts": receipts[:2]}, lines, key, "no receipt"),
        ({**said, "receipts": [receipts[0], receipts[0] | {"line": 2}, receipts[2]]}, lines, key, "another line"),
        ({**said, "receipts": [receipts[0] | {"index": 10**6}, *receipts[1:]]}, lines, key, "not cover"),
        ({**said, "receipts": [receipts[0] | {"index": receipts[0]["index"] + 1}, *receipts[1:]]}, lines, key, "root"),
        ({**said, "receipts": [receipts[0] | {"inclusion_proof": []}, *receipts[1:]]}, lines, key, "root"),
        ({**said, "checkpoint": said["checkpoint"].replace("\n", "\n1", 1)}, lines, key, "signature is wrong"),
        (said, lines, forged_key, "did not sign"),
    ]
    for told, sent, trusted, words in lies:
        with pytest.raises(ProofFailed, match=words):
            verify_receipts(told, sent, trusted)


def test_the_key_id_is_the_one_the_service_shows() -> None:
    key = Ed25519PrivateKey.generate()
    assert Signer(key).key_id == key_id_of(key.public_key().public_bytes_raw())


@pytest.mark.parametrize("module", sorted(CLIENT.glob("*.py")), ids=lambda path: path.name)
def test_an_integrator_needs_only_the_standard_library_and_cryptography(module: Path) -> None:
    tree = ast.parse(module.read_text())
    imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    foreign = {
        name
        for name in imported
        if name.split(".")[0] not in {*sys.stdlib_module_names, "cryptography"}
        and not name.startswith("rounds.simulator.client.")
    }
    assert foreign == set()
