"""Layout of the PDFs of promotions: headings, tables, and a footer that names the document on every page."""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from compliance.core.web.pdf.canvas import (
    DEFAULT_FONT,
    AnyScriptCanvas,
    draw_line,
    plain_paragraph,
    replace_unprintable,
)

INK, QUIET, RULE = HexColor("#14212a"), HexColor("#4b5b64"), HexColor("#c3ced2")
MARGIN = 20 * mm
# ReportLab's page frame has this padding on each side.
PADDING = 6
WIDTH = A4[0] - 2 * MARGIN - 2 * PADDING
KEY_WIDTH = 52 * mm

BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=10, leading=14, textColor=INK)
SMALL = ParagraphStyle("small", parent=BODY, fontSize=8, leading=11, textColor=QUIET)
TITLE = ParagraphStyle("title", parent=BODY, fontName="Helvetica-Bold", fontSize=18, leading=23, spaceAfter=2 * mm)
HEADING = ParagraphStyle(
    "heading",
    parent=BODY,
    fontName="Helvetica-Bold",
    fontSize=12,
    leading=16,
    spaceBefore=5 * mm,
    spaceAfter=1.5 * mm,
    keepWithNext=1,
)
KEY = ParagraphStyle("key", parent=BODY, fontName="Helvetica-Bold", fontSize=9.5, leading=13)


def paragraph(text: str, style: ParagraphStyle = BODY) -> Paragraph:
    return plain_paragraph(text, style)


def heading(text: str) -> Paragraph:
    return paragraph(text, HEADING)


def facts_table(pairs: Iterable[tuple[str, str]]) -> Table:
    """Two-column table: names on the left, values on the right."""
    cells = [[paragraph(key, KEY), paragraph(value)] for key, value in pairs]
    table = Table(cells, colWidths=[KEY_WIDTH, WIDTH - KEY_WIDTH], hAlign="LEFT", splitInRow=1)
    table.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEBELOW", (0, 0), (-1, -1), 0.5, RULE),
                ("LEFTPADDING", (0, 0), (0, -1), 0),
            ]
        )
    )
    return table


@dataclass(frozen=True)
class PdfDocument:
    """A document: title, footer text, and flowables in order."""

    title: str
    foot: str
    parts: Sequence[Flowable]

    def render(self) -> bytes:
        file = io.BytesIO()
        document = SimpleDocTemplate(
            file,
            pagesize=A4,
            leftMargin=MARGIN,
            rightMargin=MARGIN,
            topMargin=MARGIN,
            bottomMargin=24 * mm,
            title=self.title,
            author="Fairthrow",
            lang="en-AU",
            invariant=1,
        )
        story = [paragraph(self.title, TITLE), Spacer(0, 2 * mm), *self.parts]
        document.build(
            story, onFirstPage=self._draw_footer, onLaterPages=self._draw_footer, canvasmaker=AnyScriptCanvas
        )
        return file.getvalue()

    def _draw_footer(self, canvas: Canvas, document: SimpleDocTemplate) -> None:
        canvas.saveState()
        canvas.setStrokeColor(RULE)
        canvas.line(MARGIN + PADDING, 18 * mm, A4[0] - MARGIN - PADDING, 18 * mm)
        canvas.setFillColor(QUIET)
        draw_line(canvas, MARGIN + PADDING, 13 * mm, replace_unprintable(self.foot), DEFAULT_FONT, 7.5)
        canvas.setFont(DEFAULT_FONT, 7.5)
        canvas.drawRightString(A4[0] - MARGIN - PADDING, 13 * mm, f"Page {canvas.getPageNumber()}")
        canvas.restoreState()
