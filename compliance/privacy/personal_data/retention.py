"""When the retention of a record ends: whole days of the casino's calendar, the last one included."""

from datetime import date, datetime

from compliance.core.accounts.models import Casino
from compliance.privacy.personal_data.models import RetentionRule
from compliance.privacy.personal_data.subjects import SUBJECTS


def casino_today(casino: Casino, now: datetime) -> date:
    return now.astimezone(casino.zone).date()


def retention_years(casino: Casino, subject: str, at: datetime) -> int:
    rule = RetentionRule.objects.filter(casino=casino, subject=subject, at__lte=at).first()
    return rule.years if rule else SUBJECTS[subject].years


def retention_end(casino: Casino, subject: str, now: datetime) -> date:
    return add_years(casino_today(casino, now), retention_years(casino, subject, now))


def add_years(day: date, years: int) -> date:
    """The same day of a later year. 29 February becomes 1 March in common years: never a day too few."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return date(day.year + years, 3, 1)
