"""Combining: requests of one web process that wait for the same log are appended together, under one lock.

There is no extra thread: of the requests waiting, one appends for all of them while the next ones gather.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import InterfaceError, OperationalError, transaction

from rounds.ledger.appending import NewEntry, Prepared, Receipt, append_prepared, prepare
from rounds.ledger.read_only import LogReadOnly

# More than this many entries are left for the next turn, so that nobody waits for a very large append.
MOST_ENTRIES = 5000

Within = Callable[[Sequence[Receipt]], None]
# Each request's `what`, with the receipts of its entries.
Write = Callable[[Sequence[tuple[Any, Sequence[Receipt]]]], None]


@dataclass(frozen=True, slots=True)
class Beside:
    """What a caller wants written in its entries' own transaction, beside them.

    ``write`` is called once for all requests of a turn that name it, perhaps on another request's thread and perhaps
    again for each alone: it may write to the database, to nothing else.
    """

    write: Write
    what: Any


class Interrupted(RuntimeError):
    """The thread that appended for others was stopped; whether their entries were recorded is not known."""


class _Request:
    """What one caller wants recorded, and, once settled, its receipts or the error that is its own."""

    def __init__(self, prepared: Sequence[Prepared], beside: Beside | None) -> None:
        self.prepared = prepared
        self.beside = beside
        self.receipts: list[Receipt] = []
        self.error: BaseException | None = None
        self.is_settled = False

    def result(self) -> list[Receipt]:
        if self.error is not None:
            raise self.error
        return self.receipts


class _Queue:
    """The requests of this process for one log."""

    def __init__(self, log: str) -> None:
        self.log = log
        self.waiting: list[_Request] = []
        self.is_busy = False
        self.changed = threading.Condition()

    def submit(self, request: _Request) -> list[Receipt]:
        with self.changed:
            self.waiting.append(request)
        while True:
            with self.changed:
                while self.is_busy and not request.is_settled:
                    self.changed.wait()
                if request.is_settled:
                    return request.result()
                self.is_busy = True
                turn = self._take_turn()
            self._settle(turn)

    def _take_turn(self) -> list[_Request]:
        """The requests that have waited longest, at least one."""
        entries = count = 0
        for request in self.waiting:
            entries += len(request.prepared)
            if count and entries > MOST_ENTRIES:
                break
            count += 1
        turn, self.waiting = self.waiting[:count], self.waiting[count:]
        return turn

    def _settle(self, turn: list[_Request]) -> None:
        try:
            _record(self.log, turn)
        except Exception as error:
            for request in turn:
                request.error = error
        except BaseException:
            for request in turn:
                request.error = Interrupted("Appending was interrupted. Send the entries again.")
            raise
        finally:
            with self.changed:
                for request in turn:
                    request.is_settled = True
                self.is_busy = False
                self.changed.notify_all()


def _record(log: str, turn: list[_Request]) -> None:
    try:
        _record_together(log, turn)
    except (OperationalError, InterfaceError, LogReadOnly):
        # The database is not there, gave up, or takes nothing for this log: trying again for each would only keep all
        # of them waiting.
        raise
    except Exception:
        if len(turn) == 1:
            raise
        _record_one_by_one(log, turn)


def _record_together(log: str, turn: list[_Request]) -> None:
    with transaction.atomic(durable=True):
        receipts = append_prepared(log, [one for request in turn for one in request.prepared])
        place = 0
        for request in turn:
            request.receipts = receipts[place : place + len(request.prepared)]
            place += len(request.prepared)
        _write_beside(turn)


def _record_one_by_one(log: str, turn: list[_Request]) -> None:
    """One of them cannot be recorded. It alone fails: each has its own savepoint in the one transaction."""
    with transaction.atomic(durable=True):
        for request in turn:
            try:
                with transaction.atomic():
                    request.receipts = append_prepared(log, request.prepared)
                    _write_beside([request])
            except Exception as error:
                request.error = error


def _write_beside(turn: list[_Request]) -> None:
    """All that one function writes, at once: the log is locked meanwhile, and each statement makes others wait."""
    told: dict[Write, list[tuple[Any, Sequence[Receipt]]]] = {}
    for request in turn:
        if request.beside is not None:
            told.setdefault(request.beside.write, []).append((request.beside.what, request.receipts))
    for write, whats in told.items():
        write(whats)


_queues: dict[str, _Queue] = {}
_making = threading.Lock()


def submit(log: str, entries: Sequence[NewEntry], now: datetime, within: Within | None = None) -> list[Receipt]:
    """Record the entries, all or none, in a transaction of their own that other requests may share.

    ``within`` is called with the receipts inside that transaction, as ``Beside`` has it. What is refused, is refused to
    this caller alone.
    """
    return submit_prepared(log, prepare(log, entries, now), None if within is None else Beside(_call_each, within))


def _call_each(withins: Sequence[tuple[Within, Sequence[Receipt]]]) -> None:
    for within, receipts in withins:
        within(receipts)


def submit_prepared(log: str, prepared: Sequence[Prepared], beside: Beside | None = None) -> list[Receipt]:
    """`submit` for a caller that prepared its entries one by one, to know which of them was refused."""
    # Raises inside a caller's transaction, which the entries would not be part of.
    with transaction.atomic(durable=True):
        pass
    return _queue_of(log).submit(_Request(prepared, beside))


def _queue_of(log: str) -> _Queue:
    with _making:
        return _queues.setdefault(log, _Queue(log))
