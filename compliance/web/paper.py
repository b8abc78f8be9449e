"""Words of people on paper. Letters that every PDF reader can show are printed; any other by its Unicode number.

Nothing is left blank or guessed: the words as they were written are attached to the PDF, with their pages.
"""

from __future__ import annotations

import re
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFStream, PDFString
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph

# What the fonts know that no PDF has to bring along.
ENCODING = "cp1252"
ATTACHED = "words-as-written.txt"
NOTE = f"Letters shown by number, such as [U+674E], are attached to this PDF as they were written: {ATTACHED}"
NOTE_INK = HexColor("#4b5b64")
NOTE_FROM_EDGE = (18 * mm, 7 * mm)


def _is_known(letter: str) -> bool:
    try:
        return bool(letter.encode(ENCODING)) and (letter >= " " or letter == "\n")
    except UnicodeEncodeError:
        return False


def printable(words: str) -> str:
    """李玲 becomes [U+674E U+73B2]: longer, and never something else than was written."""
    plain = words.replace("\r\n", "\n").replace("\t", " ")
    unknown = {letter for letter in plain if not _is_known(letter)}
    if not unknown:
        return plain
    run = re.compile(f"[{''.join(map(re.escape, sorted(unknown)))}]+")
    return run.sub(lambda found: f"[{' '.join(f'U+{ord(letter):04X}' for letter in found[0])}]", plain)


class Words(Paragraph):
    """A paragraph of plain words, marked up nowhere. Where not all could be printed it says so to its page."""

    as_written = ""

    def split(self, width: float, height: float) -> list[Flowable]:
        parts = super().split(width, height)
        if parts and isinstance(parts[0], Words):
            parts[0].as_written = self.as_written
        return parts

    def draw(self) -> None:
        if self.as_written and isinstance(self.canv, PaperCanvas):
            self.canv.keep(self.as_written)
        super().draw()


def words(said: object, style: ParagraphStyle) -> Words:
    written = str(said)
    shown = printable(written)
    paragraph = Words(escape(shown).replace("\n", "<br/>"), style)
    paragraph.as_written = written if shown != written and "[U+" in shown else ""
    return paragraph


class PaperCanvas(Canvas):
    """Sheets that keep what could not be printed, say so on the page, and attach it to the PDF."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kept: list[tuple[int, str]] = []

    def keep(self, written: str) -> None:
        self.kept.append((self.getPageNumber(), written))

    def showPage(self) -> None:  # noqa: N802 (ReportLab names it)
        if any(page == self.getPageNumber() for page, _ in self.kept):
            self.setFont("Helvetica", 7)
            self.setFillColor(NOTE_INK)
            self.drawString(*NOTE_FROM_EDGE, NOTE)
        super().showPage()

    def save(self) -> None:
        if self.kept:
            lines = [f"Page {page}:\n{written}\n" for page, written in self.kept]
            self._attach("\n".join(lines).encode())
        super().save()

    def _attach(self, content: bytes) -> None:
        document: Any = self._doc  # type: ignore[attr-defined]
        file = PDFStream(PDFDictionary({"Type": PDFName("EmbeddedFile"), "Subtype": PDFName("text#2Fplain")}), content)
        place = PDFDictionary({
            "Type": PDFName("Filespec"), "F": PDFString(ATTACHED), "UF": PDFString(ATTACHED),
            "EF": PDFDictionary({"F": document.Reference(file)}),
        })  # fmt: skip
        names = PDFDictionary({"Names": PDFArray([PDFString(ATTACHED), document.Reference(place)])})
        document.Catalog.Names = PDFDictionary({"EmbeddedFiles": names})
