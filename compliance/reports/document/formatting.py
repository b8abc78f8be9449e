"""Formatting of money and days, the same in the PDF and on the page."""

from datetime import date

from compliance.core.web.ui.forms import dollars


def format_amount(cents: int | None) -> str:
    return "" if cents is None else f"{'−' if cents < 0 else ''}${dollars(cents)}"


def format_day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def format_count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
