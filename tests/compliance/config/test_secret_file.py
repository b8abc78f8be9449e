"""Secrets are created on first use, also when several processes are first at once."""

import stat
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path

from compliance.config.secret_file import load_or_create_secret

PROCESSES, TIMES = 4, 25


def ask_at_once(folder: Path, barrier: Barrier, number: int) -> None:
    for time in range(TIMES):
        barrier.wait(60)
        folder.joinpath(f"said-{time}-{number}").write_text(load_or_create_secret(folder / f"secret-{time}"))


def test_processes_that_ask_at_once_are_told_the_same(tmp_path: Path) -> None:
    forked = get_context("fork")
    barrier = forked.Barrier(PROCESSES)
    asking = [forked.Process(target=ask_at_once, args=(tmp_path, barrier, number)) for number in range(PROCESSES)]
    for process in asking:
        process.start()
    for process in asking:
        process.join(60)
    assert [process.exitcode for process in asking] == [0] * PROCESSES
    for time in range(TIMES):
        assert {path.read_text() for path in tmp_path.glob(f"said-{time}-*")} == {
            load_or_create_secret(tmp_path / f"secret-{time}")
        }


def test_a_secret_stays_and_is_its_owner_s_alone(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "secret"
    secret = load_or_create_secret(path)
    assert len(secret) == 64
    assert load_or_create_secret(path) == secret == path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["secret"]
