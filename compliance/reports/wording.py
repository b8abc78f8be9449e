"""How reports write money and days: the same on paper and on the page."""

from datetime import date

from compliance.web.forms import dollars


def amount(cents: int | None) -> str:
    return "" if cents is None else f"{'−' if cents < 0 else ''}${dollars(cents)}"


def day_words(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
