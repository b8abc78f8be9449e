"""Atomic file write: a temporary file on the same file system, fsync, rename, fsync of the folder. After a crash the
file has its old content or the new one, never a part. Needs no Django."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO


def write_atomically(path: Path, content: bytes, mode: int = 0o600) -> None:
    with atomic_writer(path, mode) as file:
        file.write(content)


@contextmanager
def atomic_writer(path: Path, mode: int = 0o600, temporary_folder: Path | None = None) -> Iterator[IO[bytes]]:
    """The temporary file, which replaces `path` unless the block raises. A killed process leaves it behind: large files
    are written in a `temporary_folder` that the next attempt deletes."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = temporary_folder or path.parent
    with NamedTemporaryFile(dir=folder, prefix=f".{path.name}.", delete=False) as file:
        try:
            yield file
            os.fchmod(file.fileno(), mode)
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
    fsync_folder(path.parent)


def fsync_folder(folder: Path) -> None:
    """Makes the names in the folder durable; fsync of a file covers its content only."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
