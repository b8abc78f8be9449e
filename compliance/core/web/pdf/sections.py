"""Structure of a document's content, independent of its medium: sections of texts, labelled values, charts and tables.

page_layout.py prints them, a web page can show the same ones, and a report's copy in JSON is what its verifier reads.
"""

from __future__ import annotations

import msgspec


class LabelledValue(msgspec.Struct, frozen=True):
    """A label with its value."""

    name: str
    value: str


class ReportColumn(msgspec.Struct, frozen=True):
    """A column. `share` is its part of the width; figures are right-aligned.

    `quotes` is the path in the row's entry that the cell quotes ("limits.min"), which the offline verifier compares. A
    star selects the list member whose `id` is the row's first cell.
    """

    text: str
    share: int = 1
    is_figure: bool = False
    quotes: str = ""


class Row(msgspec.Struct, frozen=True):
    """`entry` is the index of the ledger entry behind the row. The report carries it with its proof."""

    cells: tuple[str, ...]
    entry: int | None = None


class Grid(msgspec.Struct, frozen=True):
    headings: tuple[ReportColumn, ...]
    rows: tuple[Row, ...]
    empty: str = "None."


class Figure(msgspec.Struct, frozen=True):
    """A chart by its number in the report, with a text alternative."""

    number: int
    alt: str


class Section(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    texts: tuple[str, ...] = ()
    facts: tuple[LabelledValue, ...] = ()
    figure: Figure | None = None
    grid: Grid | None = None
