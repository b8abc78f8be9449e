"""What a report says, whatever it is shown on: the page in the browser and the PDF are made from the same Document."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from reportlab.graphics.shapes import Drawing


class Fact(msgspec.Struct, frozen=True):
    """A name with its value."""

    name: str
    value: str


class Heading(msgspec.Struct, frozen=True):
    """A column. `share` is its part of the width; figures stand to the right.

    `quotes` is where the rows' own entries say what the cells say ("limits.min"): the offline check compares them. A
    star stands for the member of a list whose `id` is the row's first cell.
    """

    text: str
    share: int = 1
    is_figure: bool = False
    quotes: str = ""


class Row(msgspec.Struct, frozen=True):
    """`entry` is the ledger's entry that says so: the report carries it, with its proof."""

    cells: tuple[str, ...]
    entry: int | None = None


class Grid(msgspec.Struct, frozen=True):
    headings: tuple[Heading, ...]
    rows: tuple[Row, ...]
    empty: str = "None."


class Figure(msgspec.Struct, frozen=True):
    """A drawing by its number in the report, and what it shows for those who cannot see it."""

    number: int
    alt: str


class Section(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    texts: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    figure: Figure | None = None
    grid: Grid | None = None


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """`entries` are all records it rests on, those of its rows among them. A sheet is one page wherever that can be."""

    title: str
    casino: str
    log: str
    made_at: str
    subject: str
    sections: tuple[Section, ...]
    basis: tuple[Section, ...]
    entries: tuple[int, ...]
    figures: tuple[str, ...] = ()
    is_sheet: bool = False


class IllustratedDocument(msgspec.Struct, frozen=True):
    """A document with its drawings, which the PDF takes as they are."""

    document: Document
    drawings: Sequence[Drawing] = ()


def encode_document(document: Document) -> bytes:
    return msgspec.json.encode(document)


def decode_document(content: bytes) -> Document:
    return msgspec.json.decode(content, type=Document)
