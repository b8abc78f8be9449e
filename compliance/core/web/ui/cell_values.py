"""Values of table cells. A column returns one value; a file contains it in plain form (plain_value), a page formatted
by its type (templatetags.ui.display_value). Text, numbers, dates, times and tags need no class of their own."""

import re
from datetime import UTC, date, datetime
from typing import Any

from django.utils.safestring import SafeData

from rounds.engine.money import dollars

NUMBER = re.compile(r"[-−]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?")

PlainValue = str | int | bool | None


class Amount(int):
    """Integer cents: 1234.50 in a file, $1,234.50 on a page."""


class Phrase:
    """Text with values in it: Phrase("{} by {}", row.at, row.by_name)."""

    def __init__(self, text: str, *parts: Any) -> None:
        self.text, self.parts = text, parts


class Lines:
    """Values below each other: separated by semicolons in a file."""

    def __init__(self, *lines: Any) -> None:
        self.lines = lines


class Link:
    """Text with a link: only the text in a file. For a link around a whole cell use Column.link."""

    def __init__(self, href: str, text: str) -> None:
        self.href, self.text = href, text


def plain_value(value: Any) -> PlainValue:
    """The value for a file: UTC with Z, plain decimals, text without line breaks and thousands separators."""
    if isinstance(value, SafeData):
        raise TypeError(f"A file contains values and no HTML. Give the column a value and a display: {value!r}")
    if isinstance(value, Amount):
        return ("-" if value < 0 else "") + dollars(value).replace(",", "")
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    text = " ".join(_text_of(value).split())
    return text.replace(",", "").replace("−", "-") if NUMBER.fullmatch(text) else text


def _text_of(value: Any) -> str:
    if isinstance(value, Phrase):
        return value.text.format(*map(_plain_text, value.parts))
    if isinstance(value, Lines):
        return "; ".join(map(_plain_text, value.lines))
    return value.text if isinstance(value, Link) else str(getattr(value, "label", value))


def _plain_text(part: Any) -> str:
    plain = plain_value(part)
    return "" if plain is None else str(plain)
