"""Sends one batch after the other, with back-off. A line leaves the spool only after its receipt was verified."""

from __future__ import annotations

import http.client
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from rounds.simulator.client.batch_signature import Signer
from rounds.simulator.client.receipt_proofs import Head, ProofFailed, verify_receipts
from rounds.simulator.client.spool import Spool, encode_line

MOST_LINES = 1000
FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 60.0
TIMEOUT_SECONDS = 30.0
# Answers with these statuses name the wrong lines; the batch without them can be accepted.
STATUSES_NAMING_LINES = (403, 409, 422)


class BatchRefused(Exception):
    """The service refuses the batch and retrying does not help: a person must check the key or the clock."""


class BatchTooLarge(Exception):
    """The batch is larger than the service accepts; a smaller one may be accepted."""


@dataclass(frozen=True)
class ServiceResponse:
    status: int
    body: Mapping[str, Any]
    retry_after: float | None


class Sender:
    """Sends the spool's lines. `wait` sleeps and `clock` returns the time; both are arguments, so that tests can
    simulate an hour's outage in a second."""

    def __init__(
        self,
        address: str,
        spool: Spool,
        signer: Signer,
        verifier: str,
        *,
        clock: Callable[[], datetime],
        wait: Callable[[float], None],
        asks_for_proof: bool = True,
    ) -> None:
        self.address, self.spool, self.signer, self.verifier = address, spool, signer, verifier
        self.clock, self.wait = clock, wait
        self.query = "?wait=checkpoint" if asks_for_proof else ""
        self.most_lines = MOST_LINES
        self.largest_log = 0

    def replace_verifier(self, verifier: str) -> None:
        """After a restore the log has a new name and may be shorter. The new key must come from a person who checked
        it."""
        self.verifier, self.largest_log = verifier, 0

    def send_waiting(self) -> int:
        """Sends until the spool is empty; returns how many lines were accepted. No line is lost, however long the
        outage."""
        taken = 0
        while waiting := self.spool.pending_lines(self.most_lines):
            try:
                taken += self._send_batch(waiting)
            except BatchTooLarge:
                self.most_lines = max(1, len(waiting) // 2)
                continue
            self.spool.mark_sent(waiting)
            self.most_lines = min(MOST_LINES, self.most_lines + 1 + self.most_lines // 8)
        return taken

    def send_heartbeat(self, table: str) -> None:
        """Sent once without retry, since the next one follows soon. Its number tells the service whether a line is
        missing."""
        line = encode_line("heartbeat", table, self.spool.last_sequence(table), self.clock(), {})
        self._post([line])

    def _send_batch(self, lines: list[bytes]) -> int:
        """Removes the lines that the service names as wrong and sends the rest again, until the batch is accepted."""
        lines = list(lines)
        while lines:
            answer = self._post_with_retry(lines)
            if answer.status == 200:
                self._verify_receipts(answer, lines)
                return len(lines)
            problems = {problem["line"]: problem for problem in answer.body.get("problems", ())}
            if answer.status == 413:
                if len(lines) > 1:
                    raise BatchTooLarge
                # A single line cannot be split further: quarantine it, so that the lines behind it can go on.
                self.spool.quarantine_line(lines[0], answer.body)
                return 0
            if answer.status not in STATUSES_NAMING_LINES or not problems:
                raise BatchRefused(f"{answer.status} {answer.body.get('code')}: {answer.body.get('detail')}")
            for number, problem in sorted(problems.items()):
                self.spool.quarantine_line(lines[number - 1], problem)
            lines = [line for number, line in enumerate(lines, 1) if number not in problems]
        return 0

    def _verify_receipts(self, answer: ServiceResponse, lines: list[bytes]) -> None:
        head: Head | None = verify_receipts(answer.body, lines, self.verifier)
        if head is not None and head.size < self.largest_log:
            raise ProofFailed(f"The log had {self.largest_log} entries and now has {head.size}.")
        self.largest_log = head.size if head is not None else self.largest_log

    def _post_with_retry(self, lines: list[bytes]) -> ServiceResponse:
        """Retries while the service is unreachable, busy or failing, with exponential back-off or after its
        Retry-After."""
        pause = FIRST_WAIT_SECONDS
        while True:
            answer = self._post(lines)
            if answer is not None and answer.status != 429 and answer.status < 500:
                return answer
            retry_after = answer.retry_after if answer is not None else None
            # Jitter, so that a casino's controllers do not all retry at the same moment.
            self.wait(retry_after if retry_after is not None else pause * random.uniform(0.5, 1.0))
            pause = min(2 * pause, LONGEST_WAIT_SECONDS)

    def _post(self, lines: list[bytes]) -> ServiceResponse | None:
        """None if there was no valid answer: the lines may have been recorded or not. Sending them again is
        idempotent."""
        where = urlsplit(self.address)
        make = http.client.HTTPSConnection if where.scheme == "https" else http.client.HTTPConnection
        connection = make(where.hostname or "", where.port, timeout=TIMEOUT_SECONDS)
        try:
            headers = self.signer.headers(lines, self.clock())
            connection.request("POST", where.path + self.query, b"\n".join(lines) + b"\n", headers)
            response = connection.getresponse()
            body = json.loads(response.read())
            return ServiceResponse(response.status, body, _parse_retry_after(response.getheader("Retry-After")))
        except (OSError, http.client.HTTPException, ValueError):
            return None
        finally:
            connection.close()


def _parse_retry_after(text: str | None) -> float | None:
    return float(text) if text is not None and text.isdigit() else None
