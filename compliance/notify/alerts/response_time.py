"""Response times: seconds from the fact, because "immediately" is measured and shown (readings.md N29)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from compliance.notify.alerts.models import Alert

# “Immediately” has no number (N29, on faults and on 10.12): a notification later than this was clearly not immediate.
IMMEDIATE_LIMIT = timedelta(minutes=15)


@dataclass(frozen=True)
class ResponseTime:
    """A time measured from the fact; None if it has not happened yet. `elapsed` is the time until then, or until now;
    `limit` is the longest time that is not late, if there is one."""

    label: str
    seconds: float | None
    elapsed: float = 0.0
    limit: timedelta | None = None

    @property
    def text(self) -> str:
        return "Not yet" if self.seconds is None else format_duration(self.seconds)

    @property
    def is_late(self) -> bool:
        return self.limit is not None and self.elapsed > self.limit.total_seconds()

    @property
    def full_text(self) -> str:
        """With the limit, and whether the time is late."""
        if self.limit is None:
            return self.text
        allowed = format_duration(self.limit.total_seconds())
        return f"{self.text}. Late: at most {allowed}." if self.is_late else f"{self.text}; at most {allowed}."


def response_times(alert: Alert, now: datetime | None = None) -> list[ResponseTime]:
    """What must be told immediately has a limit; for other alerts none is known. What has not happened by `now` may be
    late already."""
    limit = IMMEDIATE_LIMIT if alert.is_immediate else None
    times = {
        "From the fact to the alert": alert.raised_at,
        "From the fact to the first e-mail to them": alert.delivered_at,
        "From the fact to the acknowledgement": alert.acknowledged_at,
    }
    return [
        ResponseTime(label, _seconds_since_fact(alert, at), _seconds_since_fact(alert, at or now) or 0.0, limit)
        for label, at in times.items()
    ]


def _seconds_since_fact(alert: Alert, at: datetime | None) -> float | None:
    # Not negative: a controller's clock may be ahead of ours.
    return None if at is None else max(timedelta(0), at - alert.fact_at).total_seconds()


def format_duration(seconds: float) -> str:
    """0.4 s, 12 s, 3 min 20 s, 2 h 5 min."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60:,} h {minutes % 60} min"
