"""Rate limit: fixed windows, and a back-off when Redis cannot be asked. Requests are tested with the API."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from compliance.core.web.errors import TooMany
from compliance.core.web.http import rate_limit
from compliance.core.web.http.rate_limit import enforce_rate_limit, seconds_to_wait

NOW = datetime(2026, 11, 16, 12, 0, 23, 500_000, tzinfo=UTC)
UNREACHABLE = "redis://127.0.0.1:1/0"


def test_a_window_counts_each_name_and_begins_anew() -> None:
    who = str(uuid4())
    assert [seconds_to_wait(who, NOW, 2, 10) for _ in range(4)] == [0, 0, 7, 7]
    assert seconds_to_wait(f"{who}-other", NOW, 2, 10) == 0
    assert seconds_to_wait(who, NOW + timedelta(seconds=6.4), 2, 10) == 1
    assert seconds_to_wait(who, NOW + timedelta(seconds=6.5), 2, 10) == 0


def test_the_refusal_says_how_long_to_wait() -> None:
    who = str(uuid4())
    enforce_rate_limit(who, NOW, what="test", most=1)
    with pytest.raises(TooMany, match="More than 1 requests") as refused:
        enforce_rate_limit(who, NOW, what="test", most=1)
    assert refused.value.headers["Retry-After"] == "37"


def test_after_an_error_redis_is_not_asked_until_the_back_off_is_over(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "_retry_at", {})
    reachable, settings.REDIS_URL = settings.REDIS_URL, UNREACHABLE
    assert seconds_to_wait("a", NOW, 0, 10) == 0
    assert 0 < rate_limit._retry_at[UNREACHABLE] - time.monotonic() <= rate_limit.BACKOFF_SECONDS
    asked: list[str] = []
    monkeypatch.setattr("redis.Redis.pipeline", lambda *_: asked.append("redis"))
    assert seconds_to_wait("a", NOW, 0, 10) == 0
    assert asked == []
    rate_limit._retry_at[UNREACHABLE] = time.monotonic()
    assert seconds_to_wait("a", NOW, 0, 10) == 0
    assert asked == ["redis"]
    monkeypatch.undo()
    settings.REDIS_URL = reachable
    assert seconds_to_wait(str(uuid4()), NOW, 0, 10) == 7
