"""Prints people's text in any script: standard fonts, East Asian fonts that readers have, else code points as
[U+1EC5]. Text that a PDF reader might leave blank is also attached to the PDF as it was written, with its page number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFStream, PDFString
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph

# Characters of the standard fonts, which need not be embedded.
STANDARD_FONT_ENCODING = "cp1252"
# CJK fonts that PDF readers provide, with the encoding that tells which characters each has.
EAST_ASIAN_FONTS = {"STSong-Light": "gbk", "HYSMyeongJo-Medium": "cp949"}
FIRST_EAST_ASIAN = "\u2e80"
ATTACHMENT_NAME = "words-as-written.txt"
NOTE = (
    "Letters that your reader leaves blank, or that stand here by number as [U+1EC5], are attached as they were "
    f"written: {ATTACHMENT_NAME}"
)
NOTE_INK = HexColor("#4b5b64")
NOTE_POSITION = (18 * mm, 7 * mm)
DEFAULT_FONT = "Helvetica"


@lru_cache(maxsize=50_000)
def font_for(letter: str, font: str) -> str:
    """The font to print a character in: the given one, an East Asian one that has it, or "" for none."""
    if _font_has_letter(font, letter):
        return font
    if letter >= FIRST_EAST_ASIAN:
        return next((name for name, encoding in EAST_ASIAN_FONTS.items() if _can_encode(encoding, letter)), "")
    return ""


def _font_has_letter(font: str, letter: str) -> bool:
    if letter < " ":
        return letter == "\n"
    found = pdfmetrics.getFont(font)
    return (
        ord(letter) in found.face.charToGlyph
        if isinstance(found, TTFont)
        else _can_encode(STANDARD_FONT_ENCODING, letter)
    )


def _can_encode(encoding: str, letter: str) -> bool:
    try:
        return bool(letter.encode(encoding))
    except UnicodeEncodeError:
        return False


def replace_unprintable(words: str, font: str = DEFAULT_FONT) -> str:
    """Replaces characters without a font by their code points: Nguyễn becomes Nguy[U+1EC5]n.
    李玲 can be printed and stays."""
    if words.isascii() and words.isprintable():
        return words
    plain = words.replace("\r\n", "\n").replace("\t", " ")
    unknown = {letter for letter in set(plain) if not font_for(letter, font)}
    if not unknown:
        return plain
    run = re.compile(f"[{''.join(map(re.escape, sorted(unknown)))}]+")
    return run.sub(lambda found: f"[{' '.join(f'U+{ord(letter):04X}' for letter in found[0])}]", plain)


def split_by_font(line: str, font: str) -> Iterator[tuple[str, str]]:
    """Splits a printable line into runs of one font. Almost every line is one run."""
    if line.isascii():
        yield font, line
        return
    for name, letters in groupby(line, lambda letter: font_for(letter, font)):
        if name in EAST_ASIAN_FONTS and name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(UnicodeCIDFont(name))
        yield name, "".join(letters)


def measure_line(line: str, font: str, size: float) -> float:
    return sum(pdfmetrics.stringWidth(part, name, size) for name, part in split_by_font(line, font))


def draw_line(canvas: Canvas, x: float, y: float, line: str, font: str, size: float) -> None:
    for name, part in split_by_font(line, font):
        canvas.setFont(name, size)
        canvas.drawString(x, y, part)
        x += pdfmetrics.stringWidth(part, name, size)


def paragraph_markup(words: str, font: str) -> str:
    """ReportLab paragraph markup for plain text: special characters are escaped."""
    runs = (
        escape(part) if name == font else f'<font name="{name}">{escape(part)}</font>'
        for name, part in split_by_font(replace_unprintable(words, font), font)
    )
    return "".join(runs).replace("\n", "<br/>")


def may_be_unreadable(words: str, font: str) -> bool:
    """Whether some PDF readers may not show all of the text."""
    return any(letter >= " " and font_for(letter, font) != font for letter in set(words))


class PlainParagraph(Paragraph):
    """A paragraph of plain text. Reports text that may be unreadable to its canvas when it is drawn."""

    as_written = ""

    def split(self, width: float, height: float) -> list[Flowable]:
        parts = super().split(width, height)
        if parts and isinstance(parts[0], PlainParagraph):
            parts[0].as_written = self.as_written
        return parts

    def draw(self) -> None:
        if self.as_written and isinstance(self.canv, AnyScriptCanvas):
            self.canv.note_unprintable(self.as_written)
        super().draw()


def plain_paragraph(text: object, style: ParagraphStyle) -> PlainParagraph:
    written, font = str(text), style.fontName
    paragraph = PlainParagraph(paragraph_markup(written, font), style)
    paragraph.as_written = written if may_be_unreadable(written, font) else ""
    return paragraph


class AnyScriptCanvas(Canvas):
    """Canvas that collects text that may be unreadable,
    notes it on the page and attaches it, with other files, to the PDF."""

    def __init__(self, *args: Any, attached: Mapping[str, bytes] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.attached = dict(attached or {})
        self.unprintable: list[tuple[int, str]] = []

    def note_unprintable(self, written: str) -> None:
        self.unprintable.append((self.getPageNumber(), written))

    def showPage(self) -> None:  # noqa: N802 (ReportLab names it)
        if any(page == self.getPageNumber() for page, _ in self.unprintable):
            self.setFont(DEFAULT_FONT, 7)
            self.setFillColor(NOTE_INK)
            self.drawString(*NOTE_POSITION, NOTE)
        super().showPage()

    def save(self) -> None:
        if self.unprintable:
            lines = [f"Page {page}:\n{written}\n" for page, written in self.unprintable]
            self.attached[ATTACHMENT_NAME] = "\n".join(lines).encode()
        if self.attached:
            document: Any = self._doc  # type: ignore[attr-defined]
            places = [part for name in sorted(self.attached) for part in (PDFString(name), self._embedded_file(name))]
            names = PDFDictionary({"Names": PDFArray(places)})
            document.Catalog.Names = PDFDictionary({"EmbeddedFiles": names})
        super().save()

    def _embedded_file(self, name: str) -> Any:
        document: Any = self._doc  # type: ignore[attr-defined]
        content = self.attached[name]
        file = PDFStream(PDFDictionary({"Type": PDFName("EmbeddedFile"), "Subtype": PDFName("text#2Fplain")}), content)
        place = PDFDictionary(
            {
                "Type": PDFName("Filespec"),
                "F": PDFString(name),
                "UF": PDFString(name),
                "EF": PDFDictionary({"F": document.Reference(file)}),
            }
        )
        return document.Reference(place)
