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
from rounds.ledger.stretches import Checked, Stretch, check_stretch, one_snapshot

REPORT_SECONDS = 0.2
# Handed out at most so many stretches for each process ahead of the one that is joined next.
AHEAD = 2


if TYPE_CHECKING:
    Pipe: TypeAlias = Connection[Any, Any]


class ProcessLost(LedgerError):
    """A process ended before it had told what it found."""

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        return type(self), (self.code, self.sentence)


def can_share() -> bool:
    """A daemon may not have processes of its own; whoever is in a transaction sees what no other connection does."""
    return not current_process().daemon and not connection.in_atomic_block


def every_processor() -> int:
    """How many processes a person who waits for the verdict wants to share the work."""
    return os.cpu_count() or 1


def export_snapshot() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        [name] = cursor.fetchone() or [""]
    return str(name)


class Team:
    """Processes that check stretches of one log, as long as the caller's transaction holds the snapshot."""

    def __init__(self, log: Log, count: int) -> None:
        forking, snapshot = get_context("fork"), export_snapshot()
        self._processes: list[Any] = []
        self._pipes: list[Pipe] = []
        for _ in range(count):
            ours, theirs = forking.Pipe()
            # Each has a copy of our ends so far: left open there, the others would never see that we are gone.
            inherited = [*self._pipes, ours]
            process = forking.Process(target=_work, args=(theirs, inherited, log, snapshot), daemon=True)
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

    def check(self, stretches: Sequence[Stretch], progress: Callable[[int], None]) -> Iterator[Checked]:
        """In their order, whoever is ready first. ``progress`` is told how many more entries were read."""
        ready: dict[int, Checked] = {}
        busy: dict[Pipe, int] = {}
        idle, handed = list(self._pipes), 0
        for wanted in range(len(stretches)):
            while wanted not in ready:
                while idle and handed < min(len(stretches), wanted + AHEAD * len(self._pipes)):
                    pipe = idle.pop()
                    _send(pipe, stretches[handed])
                    busy[pipe], handed = handed, handed + 1
                answered = wait(list(busy))
                for pipe in [pipe for pipe in busy if pipe in answered]:
                    answer = _receive(pipe)
                    if isinstance(answer, Checked):
                        ready[busy.pop(pipe)] = answer
                        idle.append(pipe)
                    else:
                        progress(answer)
            yield ready.pop(wanted)


def _send(pipe: Pipe, stretch: Stretch) -> None:
    with suppress(ConnectionError):  # Whoever is gone is missed when the answer is.
        pipe.send(stretch)


def _receive(pipe: Pipe) -> Any:
    try:
        answer = pipe.recv()
    except (EOFError, ConnectionError) as error:
        raise ProcessLost("process-lost", "A process that verified a part of the log ended before its time.") from error
    if isinstance(answer, BaseException):
        raise answer
    return answer


def _work(pipe: Pipe, inherited: Sequence[Pipe], log: Log, snapshot: str) -> None:
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
        with one_snapshot(snapshot):
            while True:
                pipe.send(check_stretch(log, pipe.recv(), _Reports(pipe)))
    except (EOFError, ConnectionError):
        return  # Whoever wanted to know is gone.
    except Exception as error:
        with suppress(ConnectionError):
            pipe.send(_as_it_can_be_sent(error))


def _as_it_can_be_sent(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    except Exception:
        return ProcessLost("process-failed", f"A process that verified a part of the log failed: {error}")
    return error


class _Reports:
    """How many entries were read, told now and then."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe, self._read, self._told_at = pipe, 0, monotonic()

    def __call__(self, read: int, end: int) -> bool:
        self._read += read
        if monotonic() - self._told_at >= REPORT_SECONDS:
            self._pipe.send(self._read)
            self._read, self._told_at = 0, monotonic()
        return False
