"""Process pool for a verification. Each process checks ranges over its own connection, on the same exported snapshot.

Processes are forked, so that they start at once. If one dies, the verification fails instead of skipping its range.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import current_process, get_context
from multiprocessing.connection import Connection, wait
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from django.db import DEFAULT_DB_ALIAS, connection, connections

from rounds.ledger.models import Log
from rounds.ledger.verify.entry_ranges import EntryRange, RangeResult, check_range, repeatable_read_snapshot
from rounds.transparency_log.errors import LedgerError

REPORT_INTERVAL_SECONDS = 0.2
# Back-pressure: how many ranges for each process are handed out ahead of the one that is merged next.
QUEUED_PER_PROCESS = 2


if TYPE_CHECKING:
    Pipe: TypeAlias = Connection[Any, Any]


class ProcessLost(LedgerError):
    """A process ended before it returned its result."""

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        return type(self), (self.code, self.sentence)


def can_fork() -> bool:
    """Daemon processes must not fork, and changes of an open transaction are invisible to other connections."""
    return not current_process().daemon and not connection.in_atomic_block


def cpu_count() -> int:
    """The number of processes for a verification that a person waits for."""
    return os.cpu_count() or 1


def export_snapshot() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        [name] = cursor.fetchone() or [""]
    return str(name)


class VerifierPool:
    """Processes that check ranges of one log while the caller's transaction keeps the snapshot alive."""

    def __init__(self, log: Log, count: int) -> None:
        forking, snapshot = get_context("fork"), export_snapshot()
        self._processes: list[Any] = []
        self._pipes: list[Pipe] = []
        for _ in range(count):
            ours, theirs = forking.Pipe()
            # A forked process inherits the parent's pipe ends created so far. Left open, they would keep the others
            # from noticing that the parent is gone.
            inherited = [*self._pipes, ours]
            process = forking.Process(target=_run_worker, args=(theirs, inherited, log, snapshot), daemon=True)
            self._processes.append(process)
            self._pipes.append(ours)
            process.start()
            theirs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process, pipe in zip(self._processes, self._pipes, strict=True):
            pipe.close()
            process.terminate()
        for process in self._processes:
            process.join()

    def check_ranges(self, ranges: Sequence[EntryRange], progress: Callable[[int], None]) -> Iterator[RangeResult]:
        """Yields the results in order of the ranges.

        Calls ``progress`` with the number of entries read since the last call.
        """
        ready: dict[int, RangeResult] = {}
        busy: dict[Pipe, int] = {}
        idle, handed = list(self._pipes), 0
        for position in range(len(ranges)):
            while position not in ready:
                while idle and handed < min(len(ranges), position + QUEUED_PER_PROCESS * len(self._pipes)):
                    pipe = idle.pop()
                    _send_range(pipe, ranges[handed])
                    busy[pipe], handed = handed, handed + 1
                answered = wait(list(busy))
                for pipe in [pipe for pipe in busy if pipe in answered]:
                    answer = _receive_result(pipe)
                    if isinstance(answer, RangeResult):
                        ready[busy.pop(pipe)] = answer
                        idle.append(pipe)
                    else:
                        progress(answer)
            yield ready.pop(position)


def _send_range(pipe: Pipe, entry_range: EntryRange) -> None:
    with suppress(ConnectionError):  # If the process is gone, receiving its result raises.
        pipe.send(entry_range)


def _receive_result(pipe: Pipe) -> Any:
    try:
        answer = pipe.recv()
    except (EOFError, ConnectionError) as error:
        raise ProcessLost("process-lost", "A process that verified a part of the log ended before its time.") from error
    if isinstance(answer, BaseException):
        raise answer
    return answer


def _run_worker(pipe: Pipe, inherited: Sequence[Pipe], log: Log, snapshot: str) -> None:
    # Ctrl-C reaches every process of the group. Only the parent handles it and terminates the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for one in inherited:
        one.close()
    # A collection would touch, and so copy, every page inherited from the parent.
    gc.freeze()
    # The inherited connection belongs to the parent: neither use nor close it.
    connections[DEFAULT_DB_ALIAS] = connections.create_connection(DEFAULT_DB_ALIAS)
    try:
        with repeatable_read_snapshot(snapshot):
            while True:
                pipe.send(check_range(log, pipe.recv(), _ProgressReporter(pipe)))
    except (EOFError, ConnectionError):
        return  # The parent is gone.
    except Exception as error:
        with suppress(ConnectionError):
            pipe.send(_picklable_error(error))


def _picklable_error(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    except Exception:
        return ProcessLost("process-failed", f"A process that verified a part of the log failed: {error}")
    return error


class _ProgressReporter:
    """Sends the number of entries read to the parent, at most every REPORT_INTERVAL_SECONDS."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe, self._read, self._reported_at = pipe, 0, monotonic()

    def __call__(self, read: int, end: int) -> bool:
        self._read += read
        if monotonic() - self._reported_at >= REPORT_INTERVAL_SECONDS:
            self._pipe.send(self._read)
            self._read, self._reported_at = 0, monotonic()
        return False
