"""Response times: seconds from the fact, because "immediately" is measured and shown (readings.md N29)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from compliance.notify.alerts.models import Alert

# “Immediately” has no number (N29, on faults and on 10.12): a notification later than this was clearly not immediate.
IMMEDIATE_LIMIT = timedelta(minutes=15)


@dataclass(frozen=True)
class ResponseTime:
    """A time measured from the fact; None if it has not happened yet."""

    label: str
    seconds: float | None

    @property
    def text(self) -> str:
        return "Not yet" if self.seconds is None else format_duration(self.seconds)


def response_times(alert: Alert) -> list[ResponseTime]:
    return [
        ResponseTime("From the fact to the alert", _seconds_since_fact(alert, alert.raised_at)),
        ResponseTime("From the fact to the first e-mail to them", _seconds_since_fact(alert, alert.delivered_at)),
        ResponseTime("From the fact to the acknowledgement", _seconds_since_fact(alert, alert.acknowledged_at)),
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
