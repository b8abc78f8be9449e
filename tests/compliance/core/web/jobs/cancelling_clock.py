"""A clock for workers in tests, during which their job is cancelled."""

import threading
from collections.abc import Callable
from datetime import datetime

from django.db import connection
from django.utils import timezone

from compliance.core.web.local_time import Clock


def cancelling_clock(call: int, cancel: Callable[[datetime], object]) -> Clock:
    """Always the same time. When the worker asks for it the nth time, `cancel` commits in a thread of its own: in the
    worker's connection it would be part of the worker's transaction."""
    now, calls = timezone.now(), 0

    def cancel_and_disconnect() -> None:
        cancel(now)
        connection.close()

    def clock() -> datetime:
        nonlocal calls
        calls += 1
        if calls == call:
            thread = threading.Thread(target=cancel_and_disconnect)
            thread.start()
            thread.join()
        return now

    return clock
