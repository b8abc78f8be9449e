"""Filing deadline: elapsed time between receipt and start, regardless of changes of the local clock (N45)."""

from datetime import UTC, datetime, timedelta

from rounds.engine import pack


def latest_filing_time(starts_at: datetime, filing: pack.TermsFiling) -> datetime:
    """A filing received exactly then is in time. Computed in UTC, because local days may have 23 or 25 hours."""
    return starts_at.astimezone(UTC) - timedelta(hours=filing.hours_before_commencement)


def is_filed_in_time(received_at: datetime, starts_at: datetime, filing: pack.TermsFiling) -> bool:
    return received_at <= latest_filing_time(starts_at, filing)


def format_elapsed(elapsed: timedelta) -> str:
    """ "23 h 59 min"; says so if the start had passed."""
    minutes = abs(int(elapsed.total_seconds())) // 60
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest:02} min"
