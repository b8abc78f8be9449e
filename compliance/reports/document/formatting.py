"""Formatting of days and counts, the same in the PDF and on the page."""

from datetime import date


def format_day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def format_count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
