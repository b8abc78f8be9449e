"""Helpers shared by the pages of limits."""

from compliance.core.accounts.models import Casino
from compliance.core.web.ui.links import casino_url
from compliance.tables.limit_notices.models import LimitNotice
from compliance.tables.signs.presentation.text import format_amount
from rounds.floor.facts.text import limits_by_wager
from rounds.floor.selectors import pack_for


def table_url(casino: Casino, table: str) -> str:
    return casino_url("signs:table", casino, table=table)


def limits_text(notice: LimitNotice) -> str:
    """Text such as "$10 to $500, multiples of the minimum; unit $5; Super Streak $20"."""
    words = [f"{format_amount(notice.min_cents)} to {format_amount(notice.max_cents)}"]
    words += ["multiples of the minimum"] if notice.multiples else []
    words += [f"unit {format_amount(notice.unit_cents)}"] if notice.unit_cents else []
    by_wager = limits_by_wager(notice.limits, pack_for(notice.table, notice.scheduled_at)) if notice.by_bet else ()
    words += [f"{names} {format_amount(low)} to {format_amount(high)}" for names, low, high in by_wager]
    words += [f"Super Streak {format_amount(notice.streak_cents)}"] if notice.streak_cents else []
    return "; ".join(words)
