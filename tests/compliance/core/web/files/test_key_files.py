"""Keys and secrets are created once, also when several processes are first at once, and never overwritten."""

import stat
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from compliance.core.web.files.key_files import create_private_file, load_or_create_secret, read_seed

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


def test_a_key_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "key"
    assert create_private_file(path, b"first")
    assert not create_private_file(path, b"second")
    assert path.read_bytes() == b"first"
    assert [one.name for one in tmp_path.iterdir()] == ["key"]


def test_a_seed_is_32_bytes_in_hex(tmp_path: Path) -> None:
    path = tmp_path / "seed"
    path.write_text("0f" * 32 + "\n")
    assert read_seed(path) == b"\x0f" * 32
    for wrong in ("0f" * 31, "0f" * 33, "not hex", ""):
        path.write_text(wrong)
        with pytest.raises(ValueError, match="hex"):
            read_seed(path)
