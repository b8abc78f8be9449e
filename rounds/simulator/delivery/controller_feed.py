"""One controller's feed: the reference client with a spool in memory, and the delivery faults a feed can have."""

from __future__ import annotations

from base64 import b64encode
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rounds.simulator.client.batch_signature import Signer
from rounds.simulator.client.sender import BatchRefused, Sender
from rounds.simulator.client.spool import Spool
from rounds.simulator.play.controller_output import NumberedLine

LINES_A_BATCH = 500
LONGEST_RETRY_SECONDS = 60.0


class ServiceUnreachable(Exception):
    """No answer within the simulator's retry limit."""


class MemorySpool(Spool):
    """A spool in memory. A real controller needs the disk; the simulator can play lost lines again."""

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque()
        self._last: dict[str, int] = {}
        self.set_aside_lines: list[tuple[bytes, Mapping[str, Any]]] = []

    def add_lines(self, lines: Iterable[bytes]) -> None:
        self._lines.extend(lines)

    def set_last_sequence(self, table: str, sequence: int) -> None:
        self._last[table] = sequence

    def last_sequence(self, table: str) -> int:
        return self._last.get(table, 0)

    def pending_lines(self, most: int) -> list[bytes]:
        return list(islice(self._lines, most))

    def mark_sent(self, lines: list[bytes]) -> None:
        for _ in lines:
            self._lines.popleft()

    def quarantine_line(self, line: bytes, reason: Mapping[str, Any]) -> None:
        self.set_aside_lines.append((line, reason))

    def clear(self) -> list[bytes]:
        lines = list(self._lines)
        self._lines.clear()
        return lines


@dataclass(frozen=True)
class CorruptSigner(Signer):
    """Signs with the right key, but signs other bytes than those sent."""

    def headers(self, lines: Sequence[bytes], now: datetime) -> dict[str, str]:
        headers = super().headers(lines, now)
        good = self.key.sign(b"something else")
        return {**headers, "Fairthrow-Signature": b64encode(good).decode()}


@dataclass
class FeedTotals:
    """Counts of what a feed has sent, and the lines it still holds back."""

    lines: int = 0
    set_aside: int = 0
    held_back: list[tuple[datetime, NumberedLine]] = field(default_factory=list)


class ControllerFeed:
    """Sends one controller's lines, honestly or with the fault in their `delivery`."""

    def __init__(
        self,
        *,
        address: str,
        key: Ed25519PrivateKey,
        verifier: str,
        clock: Callable[[], datetime],
        wait: Callable[[float], None],
        sender_class: type[Sender] = Sender,
    ) -> None:
        self.clock, self._wait, self._waited = clock, wait, 0.0
        self.backlog, self.signer, self.corrupt_signer = MemorySpool(), Signer(key), CorruptSigner(key)
        self.sender = sender_class(
            address, self.backlog, self.signer, verifier, clock=clock, wait=self._wait_up_to_limit, asks_for_proof=False
        )
        self.totals = FeedTotals()
        self._silent_until: datetime | None = None

    @property
    def is_silent(self) -> bool:
        return self._silent_until is not None and self.clock() < self._silent_until

    def send(self, table: str, lines: Iterable[NumberedLine]) -> None:
        """Sends honest lines in batches, and each faulty line in a batch of its own after all lines before it."""
        batch: list[bytes] = []
        for one in lines:
            self.backlog.set_last_sequence(table, one.sequence)
            if not one.delivery.needs_own_batch:
                batch.append(one.line)
            if batch and (one.delivery.needs_own_batch or len(batch) >= LINES_A_BATCH):
                self._send_lines(batch)
                batch = []
            if one.delivery.needs_own_batch:
                self._send_faulty_line(one)
        self._send_lines(batch)

    def send_held_back(self, *, until: datetime | None = None) -> None:
        """Sends the held-back lines that are due by `until`; all of them without it."""
        due = [one for at, one in self.totals.held_back if until is None or at <= until]
        self.totals.held_back = [pair for pair in self.totals.held_back if pair[1] not in due]
        self._send_lines([one.line for one in due])

    def send_heartbeat(self, table: str) -> None:
        if not self.is_silent:
            self.sender.send_heartbeat(table)

    def _send_lines(self, lines: list[bytes]) -> None:
        self.backlog.add_lines(lines)
        if self.backlog.pending_lines(1) and not self.is_silent:
            self._waited = 0.0
            self.totals.lines += self.sender.send_waiting()
            self.totals.set_aside = len(self.backlog.set_aside_lines)

    def _send_faulty_line(self, one: NumberedLine) -> None:
        delivery = one.delivery
        if delivery.held_back_seconds:
            self.totals.held_back.append((self.clock() + timedelta(seconds=delivery.held_back_seconds), one))
            return
        if delivery.silent_seconds:
            self._silent_until = self.clock() + timedelta(seconds=delivery.silent_seconds)
        if delivery.is_signature_spoilt:
            self._send_with_corrupt_signature(one)
        if delivery.sent_off_by_seconds:
            off = timedelta(seconds=delivery.sent_off_by_seconds)
            self.sender.clock = lambda: self.clock() + off
        self._send_lines([one.line])
        self.sender.clock = self.clock
        if delivery.is_resent_altered:
            self._send_lines([one.altered_line])

    def _send_with_corrupt_signature(self, one: NumberedLine) -> None:
        """The service must refuse the batch; the line is then sent with a valid signature."""
        self.sender.signer = self.corrupt_signer
        try:
            self._send_lines([one.line])
        except BatchRefused:
            self.backlog.clear()
        finally:
            self.sender.signer = self.signer

    def _wait_up_to_limit(self, seconds: float) -> None:
        self._waited += seconds
        if self._waited > LONGEST_RETRY_SECONDS:
            raise ServiceUnreachable
        self._wait(seconds)
