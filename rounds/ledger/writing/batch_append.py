"""Group commit: requests of one web process that wait for the same log are appended in one transaction.

No extra thread: one of the waiting requests appends for all, while the next ones queue up.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import InterfaceError, OperationalError, transaction

from rounds.ledger.read_only import LogReadOnly
from rounds.ledger.writing.append import NewEntry, PreparedEntry, Receipt, append_prepared, prepare_entries

# The rest waits for the next batch, so that no request waits for a very large append.
MAX_BATCH_ENTRIES = 5000

AppendCallback = Callable[[Sequence[Receipt]], None]
# Receives each request's `what` with the receipts of its entries.
SideWriter = Callable[[Sequence[tuple[Any, Sequence[Receipt]]]], None]


@dataclass(frozen=True, slots=True)
class SideWrite:
    """A write to be made in the same transaction as the entries.

    ``write`` is called once for all requests of a batch that share it, possibly on another request's thread, and
    possibly again for each request alone. It may write to the database only.
    """

    write: SideWriter
    what: Any


class AppendInterrupted(RuntimeError):
    """The thread that appended for others was stopped. Whether their entries were recorded is unknown."""


class _AppendRequest:
    """One caller's entries, and, when done, its receipts or its error."""

    def __init__(self, prepared: Sequence[PreparedEntry], side_write: SideWrite | None) -> None:
        self.prepared = prepared
        self.side_write = side_write
        self.receipts: list[Receipt] = []
        self.error: BaseException | None = None
        self.is_done = False

    def receipts_or_raise(self) -> list[Receipt]:
        if self.error is not None:
            raise self.error
        return self.receipts


class _LogQueue:
    """The queue of this process for one log."""

    def __init__(self, log: str) -> None:
        self.log = log
        self.waiting: list[_AppendRequest] = []
        self.is_busy = False
        self.changed = threading.Condition()

    def submit(self, request: _AppendRequest) -> list[Receipt]:
        with self.changed:
            self.waiting.append(request)
        while True:
            with self.changed:
                while self.is_busy and not request.is_done:
                    self.changed.wait()
                if request.is_done:
                    return request.receipts_or_raise()
                self.is_busy = True
                batch = self._next_batch()
            self._append_batch(batch)

    def _next_batch(self) -> list[_AppendRequest]:
        """The oldest requests, at least one, up to MAX_BATCH_ENTRIES."""
        entries = count = 0
        for request in self.waiting:
            entries += len(request.prepared)
            if count and entries > MAX_BATCH_ENTRIES:
                break
            count += 1
        batch, self.waiting = self.waiting[:count], self.waiting[count:]
        return batch

    def _append_batch(self, batch: list[_AppendRequest]) -> None:
        try:
            _append_with_fallback(self.log, batch)
        except Exception as error:
            for request in batch:
                request.error = error
        except BaseException:
            for request in batch:
                request.error = AppendInterrupted("Appending was interrupted. Send the entries again.")
            raise
        finally:
            with self.changed:
                for request in batch:
                    request.is_done = True
                self.is_busy = False
                self.changed.notify_all()


def _append_with_fallback(log: str, batch: list[_AppendRequest]) -> None:
    try:
        _append_as_one(log, batch)
    except (OperationalError, InterfaceError, LogReadOnly):
        # The database is unavailable or the log is read-only: retrying each request would only delay them all.
        raise
    except Exception:
        if len(batch) == 1:
            raise
        _append_one_by_one(log, batch)


def _append_as_one(log: str, batch: list[_AppendRequest]) -> None:
    with transaction.atomic(durable=True):
        receipts = append_prepared(log, [one for request in batch for one in request.prepared])
        offset = 0
        for request in batch:
            request.receipts = receipts[offset : offset + len(request.prepared)]
            offset += len(request.prepared)
        _run_extra_writes(batch)


def _append_one_by_one(log: str, batch: list[_AppendRequest]) -> None:
    """Fallback when one request cannot be recorded: a savepoint for each, so that only that one fails."""
    with transaction.atomic(durable=True):
        for request in batch:
            try:
                with transaction.atomic():
                    request.receipts = append_prepared(log, request.prepared)
                    _run_extra_writes([request])
            except Exception as error:
                request.error = error


def _run_extra_writes(batch: list[_AppendRequest]) -> None:
    """Call each writer once for all its requests: the log is locked meanwhile, and every statement prolongs that."""
    whats_by_writer: dict[SideWriter, list[tuple[Any, Sequence[Receipt]]]] = {}
    for request in batch:
        if request.side_write is not None:
            whats_by_writer.setdefault(request.side_write.write, []).append((request.side_write.what, request.receipts))
    for write, whats in whats_by_writer.items():
        write(whats)


_queues: dict[str, _LogQueue] = {}
_queues_lock = threading.Lock()


def submit(
    log: str, entries: Sequence[NewEntry], now: datetime, on_append: AppendCallback | None = None
) -> list[Receipt]:
    """Append the entries, all or none, in a transaction that other requests may share.

    ``on_append`` is called with the receipts inside that transaction. An error affects this caller only.
    """
    return append_batched(
        log, prepare_entries(log, entries, now), None if on_append is None else SideWrite(_run_callbacks, on_append)
    )


def _run_callbacks(callbacks: Sequence[tuple[AppendCallback, Sequence[Receipt]]]) -> None:
    for on_append, receipts in callbacks:
        on_append(receipts)


def append_batched(log: str, prepared: Sequence[PreparedEntry], side_write: SideWrite | None = None) -> list[Receipt]:
    """Queues prepared entries for the group commit and waits for their receipts. A caller that prepares them one by one
    knows which was refused."""
    # Raises inside a caller's transaction: the entries would not be part of it.
    with transaction.atomic(durable=True):
        pass
    return _queue_for(log).submit(_AppendRequest(prepared, side_write))


def _queue_for(log: str) -> _LogQueue:
    with _queues_lock:
        return _queues.setdefault(log, _LogQueue(log))
