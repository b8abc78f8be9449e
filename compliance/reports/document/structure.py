"""Structure of a report's content. The web page and the PDF are both rendered from one Document."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from reportlab.graphics.shapes import Drawing


class Fact(msgspec.Struct, frozen=True):
    """A label with its value."""

    name: str
    value: str


class Heading(msgspec.Struct, frozen=True):
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
    headings: tuple[Heading, ...]
    rows: tuple[Row, ...]
    empty: str = "None."


class Figure(msgspec.Struct, frozen=True):
    """A chart by its number in the report, with a text alternative."""

    number: int
    alt: str


class Section(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    texts: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    figure: Figure | None = None
    grid: Grid | None = None


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """`entries` are all entries it rests on, those of its rows included. A sheet is fitted to one page if possible."""

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
    """A document with its drawings, which the PDF includes."""

    document: Document
    drawings: Sequence[Drawing] = ()


def encode_document(document: Document) -> bytes:
    return msgspec.json.encode(document)


def decode_document(content: bytes) -> Document:
    return msgspec.json.decode(content, type=Document)
