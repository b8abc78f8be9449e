"""Rate limit by address or token: a counter in Redis for each minute. Fails open: without Redis nothing is limited."""

from datetime import datetime
from typing import Any

import redis
import structlog
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from compliance.core.web.errors import TooMany

logger = structlog.get_logger(__name__)

WINDOW_SECONDS = 60
MAX_PER_MINUTE = 240
# Counting must not cost more than the request it counts: one attempt, half a second.
REDIS_TIMEOUTS: dict[str, Any] = {"socket_timeout": 0.5, "socket_connect_timeout": 0.5, "retry": Retry(NoBackoff(), 0)}


def enforce_rate_limit(who: str | None, now: datetime, *, what: str = "proofs", most: int | None = None) -> None:
    """Raises TooMany when `who` exceeds the limit in the current clock minute."""
    most = MAX_PER_MINUTE if most is None else most
    minute, second = divmod(int(now.timestamp()), WINDOW_SECONDS)
    key = f"{what}:{who}:{minute}"
    try:
        with redis.Redis.from_url(settings.REDIS_URL, **REDIS_TIMEOUTS) as client:
            count, _ = client.pipeline().incr(key).expire(key, WINDOW_SECONDS).execute()
    except redis.RedisError as error:
        logger.warning("proofs_not_counted", error=str(error))
        return
    if count > most:
        wait = WINDOW_SECONDS - second
        raise TooMany(
            f"More than {most} requests came in a minute.",
            remedy=f"Wait {wait} seconds, then go on.",
            headers={"Retry-After": str(wait)},
        )
