"""Structure of a report's content. The web page and the PDF are both rendered from one Document."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from reportlab.graphics.shapes import Drawing

from compliance.core.web.pdf.sections import Section


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
