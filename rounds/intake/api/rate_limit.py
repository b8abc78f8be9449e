"""Rate limit of batches per controller: a fixed window counted in Redis. Fails open: without Redis nothing is limited.

The limit is `settings.CONTROLLER_BATCH_LIMIT`. Rejected batches are counted by client address, with the same limit.
"""

import time
from functools import cache
from math import ceil

import redis
import structlog
from django.conf import settings

from rounds.intake.errors import TooManyBatches

logger = structlog.get_logger(__name__)

WINDOW_SECONDS = 10
REDIS_TIMEOUT_SECONDS = 0.2
# Back-off after an error, so that an unavailable Redis does not delay every batch.
BACKOFF_SECONDS = 5.0

_asked_again_at = 0.0


@cache
def _redis_client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=REDIS_TIMEOUT_SECONDS, socket_connect_timeout=REDIS_TIMEOUT_SECONDS)


def check_rate_limit(who: str, seconds: float) -> None:
    """Raises TooManyBatches if `who` exceeds the limit in the current window. `seconds` is the current Unix time."""
    window, into = divmod(seconds, WINDOW_SECONDS)
    if _increment_count(f"intake:{who}:{int(window)}") > settings.CONTROLLER_BATCH_LIMIT:
        raise TooManyBatches(headers={"Retry-After": str(max(1, ceil(WINDOW_SECONDS - into)))})


def _increment_count(key: str) -> int:
    global _asked_again_at
    if not settings.REDIS_URL or time.monotonic() < _asked_again_at:
        return 0
    try:
        client = _redis_client(settings.REDIS_URL)
        count = int(client.incr(key))
        if count == 1:
            # Only frees memory: the key is not used once its window is over.
            client.expire(key, 2 * WINDOW_SECONDS)
        return count
    except Exception as error:
        # Any exception: when Redis dies, its client raises Redis, socket or even programming errors, because the pool
        # closes a connection that another thread is reading from. No batch is refused because it cannot be counted.
        _asked_again_at = time.monotonic() + BACKOFF_SECONDS
        logger.warning("rate_not_limited", error=str(error))
        return 0
