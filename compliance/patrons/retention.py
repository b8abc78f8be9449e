"""When the time of a record is over: whole days of the casino's calendar, the last one included."""

from datetime import date, datetime

from compliance.accounts.models import Casino
from compliance.patrons.models import RetentionRule
from compliance.patrons.subjects import SUBJECTS


def today_at(casino: Casino, now: datetime) -> date:
    return now.astimezone(casino.zone).date()


def years_kept(casino: Casino, subject: str, at: datetime) -> int:
    rule = RetentionRule.objects.filter(casino=casino, subject=subject, at__lte=at).first()
    return rule.years if rule else SUBJECTS[subject].years


def keep_until(casino: Casino, subject: str, now: datetime) -> date:
    return years_later(today_at(casino, now), years_kept(casino, subject, now))


def years_later(day: date, years: int) -> date:
    """The same day of a later year; for 29 February the 1st of March, where there is none: never a day too few."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return date(day.year + years, 3, 1)
