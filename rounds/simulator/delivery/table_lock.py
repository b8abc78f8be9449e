"""File lock: one simulation at a time reports for a table, because two would give out the same sequence numbers."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class TableLocked(Exception):
    """Another simulation holds the table's lock."""


@contextmanager
def lock_table(path: Path, *, waits: bool) -> Iterator[None]:
    """Held while the table's lines are numbered and sent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise TableLocked from error
        yield
