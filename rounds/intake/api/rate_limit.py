"""How many batches a controller may send: counted in Redis. Without Redis nothing is limited and nobody waits.

`CONTROLLER_BATCH_LIMIT` says how many. Refused batches are counted by address, against the same number.
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
# After Redis failed to answer, it is left alone for this long: a dead one must not slow every batch.
BACKOFF_SECONDS = 5.0

_asked_again_at = 0.0


@cache
def _redis_client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=REDIS_TIMEOUT_SECONDS, socket_connect_timeout=REDIS_TIMEOUT_SECONDS)


def check_rate_limit(who: str, seconds: float) -> None:
    """`seconds` is the time of day as a number; raises once the window's share is used up."""
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
            # Nobody counts in this window's key once it is over: to be late with this costs nothing but its few bytes.
            client.expire(key, 2 * WINDOW_SECONDS)
        return count
    except Exception as error:
        # Whatever it is. When Redis dies, its client fails by errors of its own, of the socket, or of its program: the
        # pool closes a connection under the thread that reads from it. No batch is refused for want of a count.
        _asked_again_at = time.monotonic() + BACKOFF_SECONDS
        logger.warning("rate_not_limited", error=str(error))
        return 0
