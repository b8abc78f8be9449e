"""A witness without its state would sign a rewritten history: it does not start, and a crash loses nothing."""

import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from compliance.config.environment import PROJECT
from rounds.witness.cosigner import Cosigner
from rounds.witness.keys import CosignedHeads
from rounds.witness.state import WitnessState
from tests.rounds.transparency_log.memory_log import SIGNER
from tests.rounds.witness.forked_log import History
from tests.rounds.witness.witness_process import ENVIRONMENT, SECONDS, Inspectorate, Said, post, run

# A witness that cosigns what it reads from standard input, and is killed at one statement or one rename.
KILLED = """
import os, signal, sqlite3, sys
from rounds.witness import cosigner
from rounds.witness.http import server
from pathlib import Path

moment, state_file, key_file = sys.argv[1:]
connect = sqlite3.connect

def watched(*arguments, **named):
    connection = connect(*arguments, **named)
    connection.set_trace_callback(lambda statement: kill_at(statement))
    return connection

def kill_at(words):
    if words.startswith(moment):
        os.kill(os.getpid(), signal.SIGKILL)

sqlite3.connect = watched
sys.addaudithook(lambda event, arguments: kill_at(event))
witness = cosigner.Cosigner.start(Path(state_file), Path(key_file), lambda: 1_790_000_000)
status, _, said = server.handle_add_checkpoint(witness, sys.stdin.buffer.read())
print(int(status), said)
"""


def cosign(inspectorate: Inspectorate, *bodies: bytes) -> None:
    with inspectorate.serving() as port:
        for body in bodies:
            assert post(port, body).status == 200


def refused(said: Said) -> bool:
    return said.status == 2 and "Do not begin anew with this key" in said.error


def start(inspectorate: Inspectorate) -> Cosigner:
    return Cosigner.start(inspectorate.state, inspectorate.key, lambda: 1_790_000_000)


def remove(inspectorate: Inspectorate) -> None:
    for path in inspectorate.folder.glob("witness.sqlite3*"):
        path.unlink()


def test_a_state_that_was_removed_or_emptied(inspectorate: Inspectorate) -> None:
    cosign(inspectorate, History(8).from_size(0))
    start(inspectorate)
    remove(inspectorate)
    for act in ("once", "run"):
        said = run(act, *inspectorate.files)
        assert refused(said), said
        assert "is missing or empty" in said.error
    inspectorate.state.touch()
    assert "is missing or empty" in inspectorate.once().error
    inspectorate.state.write_bytes(b"Not a state. " * 400)
    assert refused(inspectorate.once())
    sqlite3.connect(inspectorate.folder / "other.sqlite3").execute("CREATE TABLE witness (name)").connection.close()
    shutil.copy(inspectorate.folder / "other.sqlite3", inspectorate.state)
    assert "is not the state of a witness" in inspectorate.once().error


def test_a_key_that_has_cosigned_gets_no_second_state(inspectorate: Inspectorate) -> None:
    cosign(inspectorate, History(8).from_size(0))
    remove(inspectorate)
    said = inspectorate.init(str(SIGNER.verifier))
    assert refused(said)
    assert not inspectorate.state.exists()


def test_an_old_copy_in_its_place(inspectorate: Inspectorate, tmp_path: Path) -> None:
    cosign(inspectorate, History(8).from_size(0))
    shutil.copy(inspectorate.state, tmp_path / "copy")
    cosign(inspectorate, History(20).from_size(8))
    remove(inspectorate)
    shutil.copy(tmp_path / "copy", inspectorate.state)
    said = inspectorate.once()
    assert refused(said)
    assert "has cosigned 20 entries of ledger.example/harbour" in said.error


def test_a_state_of_the_same_size_with_another_history(inspectorate: Inspectorate) -> None:
    cosign(inspectorate, History(8).from_size(0))
    with sqlite3.connect(inspectorate.state) as connection:
        connection.execute("UPDATE log SET root = ?", [History(8, "b").tree.frontier.root()])
    assert refused(inspectorate.once())


def test_the_state_of_another_witness(inspectorate: Inspectorate, tmp_path: Path) -> None:
    other = Inspectorate(tmp_path / "other")
    other.init(str(SIGNER.verifier))
    name, seed = other.key.read_text().split()
    other.key.write_text(f"{name}-2\n{seed}\n")
    shutil.copy(other.key, inspectorate.key)
    assert "belongs to inspectorate.example/witness" in inspectorate.once().error


@pytest.mark.parametrize(
    ("moment", "is_kept"),
    [
        ("BEGIN IMMEDIATE", False),
        ("SELECT size, root", False),
        ("UPDATE log", False),
        ("COMMIT", False),
        ("os.rename", True),
    ],
)
def test_killed_at_any_moment_it_starts_again_and_has_forgotten_nothing(
    inspectorate: Inspectorate, moment: str, is_kept: bool
) -> None:
    cosign(inspectorate, History(8).from_size(0))
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, moment, str(inspectorate.state), str(inspectorate.key)],
        input=History(20, "b", after=8).from_size(8),
        cwd=PROJECT,
        env=ENVIRONMENT,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL, killed
    assert killed.stdout == b"", "No cosignature left the house."
    witness = start(inspectorate)
    [log] = witness.state.followed_logs()
    assert log.head.size == (20 if is_kept else 8)
    cosign(inspectorate, History(20, "b", after=8).from_size(log.head.size))
    assert CosignedHeads(inspectorate.key).read()[SIGNER.name] == History(20, "b", after=8).tree.frontier.head()


def test_the_file_itself_refuses_to_go_back_or_to_forget(inspectorate: Inspectorate) -> None:
    cosign(inspectorate, History(8).from_size(0))
    with sqlite3.connect(inspectorate.state) as connection:
        for statement in ("UPDATE log SET size = 7", "DELETE FROM log"):
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(statement)


def test_the_note_beside_the_key_only_rises(inspectorate: Inspectorate) -> None:
    noted = CosignedHeads(inspectorate.key)
    for size in (20, 8):
        noted.advance_to("ledger.example/harbour", History(size).tree.frontier.head())
    assert noted.read()["ledger.example/harbour"].size == 20
    assert oct(inspectorate.key.stat().st_mode & 0o777) == "0o600"
    assert WitnessState.open(inspectorate.state).followed_logs()[0].head.size == 0
