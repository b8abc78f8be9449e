"""A verification shared among processes: each checks stretches of the log over a connection of its own, all of them by
the same snapshot. Forked, so that a process begins at once; one that is lost is told, never passed over."""

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

from rounds.ledger.errors import LedgerError
from rounds.ledger.models import Log
from rounds.ledger.verify.entry_ranges import EntryRange, RangeResult, check_range, repeatable_read_snapshot

REPORT_INTERVAL_SECONDS = 0.2
# Handed out at most so many stretches for each process ahead of the one that is joined next.
QUEUED_PER_PROCESS = 2


if TYPE_CHECKING:
    Pipe: TypeAlias = Connection[Any, Any]


class ProcessLost(LedgerError):
    """A process ended before it had told what it found."""

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        return type(self), (self.code, self.sentence)


def can_fork() -> bool:
    """A daemon may not have processes of its own; whoever is in a transaction sees what no other connection does."""
    return not current_process().daemon and not connection.in_atomic_block


def cpu_count() -> int:
    """How many processes a person who waits for the verdict wants to share the work."""
    return os.cpu_count() or 1


def export_snapshot() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        [name] = cursor.fetchone() or [""]
    return str(name)


class VerifierPool:
    """Processes that check stretches of one log, as long as the caller's transaction holds the snapshot."""

    def __init__(self, log: Log, count: int) -> None:
        forking, snapshot = get_context("fork"), export_snapshot()
        self._processes: list[Any] = []
        self._pipes: list[Pipe] = []
        for _ in range(count):
            ours, theirs = forking.Pipe()
            # Each has a copy of our ends so far: left open there, the others would never see that we are gone.
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
        """In their order, whoever is ready first. ``progress`` is told how many more entries were read."""
        ready: dict[int, RangeResult] = {}
        busy: dict[Pipe, int] = {}
        idle, handed = list(self._pipes), 0
        for wanted in range(len(ranges)):
            while wanted not in ready:
                while idle and handed < min(len(ranges), wanted + QUEUED_PER_PROCESS * len(self._pipes)):
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
            yield ready.pop(wanted)


def _send_range(pipe: Pipe, entry_range: EntryRange) -> None:
    with suppress(ConnectionError):  # Whoever is gone is missed when the answer is.
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
    # Whoever interrupts the command interrupts the one that was called, and that one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for one in inherited:
        one.close()
    # Looking for garbage among what was there before would copy all of it, page by page.
    gc.freeze()
    # The connection that was there is of the process we were forked from: not ours to use or to close.
    connections[DEFAULT_DB_ALIAS] = connections.create_connection(DEFAULT_DB_ALIAS)
    try:
        with repeatable_read_snapshot(snapshot):
            while True:
                pipe.send(check_range(log, pipe.recv(), _ProgressReporter(pipe)))
    except (EOFError, ConnectionError):
        return  # Whoever wanted to know is gone.
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
    """How many entries were read, told now and then."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe, self._read, self._reported_at = pipe, 0, monotonic()

    def __call__(self, read: int, end: int) -> bool:
        self._read += read
        if monotonic() - self._reported_at >= REPORT_INTERVAL_SECONDS:
            self._pipe.send(self._read)
            self._read, self._reported_at = 0, monotonic()
        return False
