"""Load shedding: requests beyond capacity get 503 with Retry-After at once, before they cost anything. Table
controllers and people have separate limits, so neither can crowd out the other; a controller resends by itself."""

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from compliance.core.web.errors import Refusal, refusal_response

logger = structlog.get_logger(__name__)

CONTROLLER_PATH = "/api/v1/entries"
# Monitoring must get an answer while the service is busy.
NEVER_SHED = frozenset({"/healthz", "/readyz"})
# A random wait in this range, so that refused clients do not all return in the same second.
RETRY_AFTER_RANGE = (1, 4)


class Busy(Refusal):
    code = "busy"
    status = 503
    title = "The service is very busy"
    detail = "There is more to do than we can do in time. Nothing of this request was saved."
    remedy = "Wait a few seconds, then try again. A table controller keeps its lines and sends them again by itself."

    def __init__(self, detail: str = "", **particulars: Any) -> None:
        super().__init__(detail, **particulars)
        self.headers.setdefault("Retry-After", str(random.randint(*RETRY_AFTER_RANGE)))


class ConcurrencyLimit:
    """Semaphore with a bounded queue:
    `at_work` requests run, `waiting` more may wait up to `longest_wait` seconds; the rest get Busy."""

    def __init__(self, at_work: int, waiting: int, longest_wait: float) -> None:
        self._running = threading.BoundedSemaphore(at_work)
        self._admitted = threading.BoundedSemaphore(at_work + waiting)
        self.longest_wait = longest_wait

    @contextmanager
    def acquire_slot(self) -> Iterator[None]:
        """Raises Busy if the queue is full or no slot became free in time."""
        if not self._admitted.acquire(blocking=False):
            raise Busy
        try:
            if not self._running.acquire(timeout=self.longest_wait):
                raise Busy
            try:
                yield
            finally:
                self._running.release()
        finally:
            self._admitted.release()


class SheddingMiddleware:
    """One ConcurrencyLimit for table controllers and one for people, in each web process."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        room = (settings.CONCURRENT_REQUESTS_EACH, settings.QUEUED_REQUESTS_EACH, settings.LONGEST_QUEUE_SECONDS)
        self.controllers, self.people = ConcurrencyLimit(*room), ConcurrencyLimit(*room)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path in NEVER_SHED:
            return self.get_response(request)
        limit = self.controllers if request.path == CONTROLLER_PATH else self.people
        try:
            with limit.acquire_slot():
                return self.get_response(request)
        except Busy as busy:
            logger.warning("shed", path=request.path)
            response = refusal_response(request, busy)
            # Otherwise Django logs each of these responses again as a server error.
            response._has_been_logged = True  # type: ignore[attr-defined]
            return response
