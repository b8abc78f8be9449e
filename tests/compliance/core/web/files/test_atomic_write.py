"""A file that is replaced has its old content or the new one, whatever happens in between."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from compliance.config.environment import PROJECT
from compliance.core.web.files.atomic_write import atomic_writer, write_atomically

# Killed after the new content is on the disk and before the rename.
KILLED = """
import os, signal, sys
from pathlib import Path
from compliance.core.web.files.atomic_write import write_atomically
os.replace = lambda *paths: os.kill(os.getpid(), signal.SIGKILL)
write_atomically(Path(sys.argv[1]), b"new" * 100_000)
"""


def test_a_crash_between_write_and_rename_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "head"
    write_atomically(path, b"old")
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], cwd=PROJECT, check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"old"
    [left] = [one for one in tmp_path.iterdir() if one != path]
    assert left.name.startswith(".head.")
    assert left.read_bytes() == b"new" * 100_000, "Everything is on the disk before the rename."
    write_atomically(path, b"newer")
    assert path.read_bytes() == b"newer"


def test_an_error_while_writing_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "head"
    write_atomically(path, b"old")
    with pytest.raises(ZeroDivisionError), atomic_writer(path) as file:
        file.write(b"half")
        raise ZeroDivisionError
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["head"]


def test_the_file_is_its_owner_s_alone_unless_it_is_public(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_atomically(tmp_path / "new folder" / "private", b"1")
        write_atomically(tmp_path / "public", b"2", mode=0o644)
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("new folder/private", "public", "new folder")]
    assert modes == [0o600, 0o644, 0o700]


def test_a_large_file_is_written_where_the_next_attempt_deletes_it(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    with atomic_writer(tmp_path / "bundle.zip", temporary_folder=folder) as file:
        file.write(b"PK")
        assert Path(file.name).parent == folder
    assert (tmp_path / "bundle.zip").read_bytes() == b"PK"
    assert list(folder.iterdir()) == []
