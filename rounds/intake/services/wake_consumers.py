"""Wakes the consumers of the log after new entries, at most once a second per process. They read from their cursors."""

import time

from django.conf import settings

from compliance.core.web.jobs.wake import wake

MIN_INTERVAL_SECONDS = 1.0
_woken_at = 0.0


def wake_consumers() -> None:
    global _woken_at
    if time.monotonic() - _woken_at >= MIN_INTERVAL_SECONDS:
        _woken_at = time.monotonic()
        for task in settings.WOKEN_BY_ENTRIES:
            wake(task)
