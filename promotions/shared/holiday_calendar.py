"""Public holidays of a rule pack's place, from the package `holidays`, with the casino's recorded corrections."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import lru_cache

from compliance.core.accounts.models import Casino
from rounds.floor.facts.gaming_days import corrected_holiday
from rounds.floor.selectors import FactsAt


@lru_cache(maxsize=256)
def public_holidays(calendar: str, year: int) -> Mapping[date, str]:
    """By date. Empty for a pack that names no calendar."""
    if not calendar:
        return {}
    # Imported here, because it takes a while and most processes never count days.
    from holidays import country_holidays

    country, _, subdivision = calendar.partition("-")
    return dict(country_holidays(country, subdiv=subdivision or None, years=year))


def is_holiday(casino: Casino, on: date, calendar: str, facts_at: Callable[[datetime], FactsAt] | None = None) -> bool:
    corrected = corrected_holiday(casino, on, facts_at)
    return on in public_holidays(calendar, on.year) if corrected is None else corrected
