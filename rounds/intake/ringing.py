"""Ringing those who follow the log, once a second at most: they find by themselves what came in since."""

import time

from django.conf import settings

from compliance.web.bell import ring

APART_SECONDS = 1.0
_rung_at = 0.0


def ring_followers() -> None:
    global _rung_at
    if time.monotonic() - _rung_at >= APART_SECONDS:
        _rung_at = time.monotonic()
        for task in settings.RUNG_BY_ENTRIES:
            ring(task)
