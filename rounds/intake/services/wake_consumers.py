"""Ringing those who follow the log, once a second at most: they find by themselves what came in since."""

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
