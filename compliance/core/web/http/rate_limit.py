"""Rate limit by address, token or controller: a counter in Redis for each fixed window. Fails open: without Redis
nothing is limited, and after an error it is not asked for a while (back-off), so as not to delay every request."""

import time
from datetime import datetime
from functools import cache
from math import ceil

import redis
import structlog
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from compliance.core.web.errors import TooMany

logger = structlog.get_logger(__name__)

MINUTE_SECONDS = 60
MAX_PER_MINUTE = 240
# Counting must not cost more than the request it counts: one attempt.
REDIS_TIMEOUT_SECONDS = 0.2
BACKOFF_SECONDS = 5.0

# When each server may be asked again, by the monotonic clock.
_retry_at: dict[str, float] = {}


def enforce_rate_limit(who: str | None, now: datetime, *, what: str = "proofs", most: int | None = None) -> None:
    """Raises TooMany when `who` exceeds the limit in the current clock minute."""
    most = MAX_PER_MINUTE if most is None else most
    if wait := seconds_to_wait(f"{what}:{who}", now, most, MINUTE_SECONDS):
        raise TooMany(
            f"More than {most} requests came in a minute.",
            remedy=f"Wait {wait} seconds, then go on.",
            headers={"Retry-After": str(wait)},
        )


def seconds_to_wait(who: str, now: datetime, most: int, window_seconds: int) -> int:
    """Counts a request: 0 if it is within the limit, otherwise the seconds until the next window."""
    window, into = divmod(now.timestamp(), window_seconds)
    if _increment_count(f"{who}:{int(window)}", window_seconds) <= most:
        return 0
    return max(1, ceil(window_seconds - into))


def _increment_count(key: str, window_seconds: int) -> int:
    url = settings.REDIS_URL
    if not url or time.monotonic() < _retry_at.get(url, 0.0):
        return 0
    try:
        # The key is not used once its window is over; that it expires only frees memory.
        pipeline = _redis_client(url).pipeline()
        pipeline.incr(key)
        pipeline.expire(key, 2 * window_seconds)
        return int(pipeline.execute()[0])
    except Exception as error:
        # Any exception: when Redis dies, its client raises Redis, socket or even programming errors, because the pool
        # closes a connection that another thread is reading from. Nothing is refused because it cannot be counted.
        _retry_at[url] = time.monotonic() + BACKOFF_SECONDS
        logger.warning("rate_not_limited", error=str(error))
        return 0


@cache
def _redis_client(url: str) -> redis.Redis:
    timeout = REDIS_TIMEOUT_SECONDS
    return redis.Redis.from_url(
        url, socket_timeout=timeout, socket_connect_timeout=timeout, retry=Retry(NoBackoff(), 0)
    )
