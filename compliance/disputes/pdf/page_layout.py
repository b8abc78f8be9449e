"""Page layout of dispute PDFs: styles, tables, header and footer. The same content gives the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from io import BytesIO
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_LEFT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from compliance.core.web.pdf import canvas as paper

INK, QUIET, RULE, SHADE = HexColor("#14212a"), HexColor("#4b5b64"), HexColor("#c3ced2"), HexColor("#f3f6f6")
BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=10, leading=14, textColor=INK, alignment=TA_LEFT)
SMALL = ParagraphStyle("small", BODY, fontSize=8.5, leading=11.5, textColor=QUIET)
CODE = ParagraphStyle("code", BODY, fontName="Courier", fontSize=7.5, leading=10, splitLongWords=1)
BOLD = ParagraphStyle("bold", BODY, fontName="Helvetica-Bold")
TITLE = ParagraphStyle("title", BODY, fontName="Helvetica-Bold", fontSize=20, leading=25, spaceAfter=8)
HEADING = ParagraphStyle("heading", BOLD, fontSize=13, leading=17, spaceBefore=14, spaceAfter=6, keepWithNext=1)
SUBHEADING = ParagraphStyle("subheading", BOLD, fontSize=10.5, leading=14, spaceBefore=8, spaceAfter=2, keepWithNext=1)
MARGIN = 18 * mm


def paragraph(words: object, style: ParagraphStyle = BODY) -> Paragraph:
    """A paragraph of people's text, in any script, without markup."""
    return paper.plain_paragraph(words, style)


def heading(words: str) -> Paragraph:
    return paragraph(words, HEADING)


def facts_table(rows: Sequence[tuple[str, Any]], style: ParagraphStyle = BODY) -> Flowable:
    """Names and values in two columns."""
    cells = [[paragraph(name, BOLD), paragraph(value or "None", style)] for name, value in rows]
    # A patron's statement may be longer than a page: split inside the row.
    table = Table(cells, colWidths=[45 * mm, A4[0] - 2 * MARGIN - 45 * mm], hAlign="LEFT", splitInRow=1)
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


def grid_table(headings: Sequence[str], rows: Sequence[Sequence[object]], widths: Sequence[float]) -> Flowable:
    """A table whose header row is repeated on every page. `widths` are fractions of the page width."""
    cells = [[paragraph(each, BOLD) for each in headings], *([paragraph(cell) for cell in row] for row in rows)]
    whole = A4[0] - 2 * MARGIN
    table = Table(cells, colWidths=[whole * share for share in widths], repeatRows=1, hAlign="LEFT")
    table.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("BACKGROUND", (0, 0), (-1, 0), SHADE),
                ("LINEBELOW", (0, 0), (-1, -1), 0.5, RULE),
            ]
        )
    )
    return table


def keep_together(*parts: Flowable) -> Flowable:
    return KeepTogether(list(parts))


def vertical_gap(height: float = 6) -> Spacer:
    return Spacer(1, height)


def make_pdf(
    parts: Sequence[Flowable], *, title: str, footer: str, attached: Mapping[str, bytes] | None = None
) -> bytes:
    """Builds the PDF. `invariant`: no time stamps or random ids, so that equal content has an equal digest."""
    sheet = BytesIO()

    def draw_header_and_footer(canvas: Any, document: Any) -> None:
        canvas.saveState()
        canvas.setFillColor(QUIET)
        paper.draw_line(canvas, MARGIN, 11 * mm, paper.replace_unprintable(footer), paper.DEFAULT_FONT, 8)
        canvas.setFont(paper.DEFAULT_FONT, 8)
        canvas.drawRightString(A4[0] - MARGIN, 11 * mm, f"Page {document.page}")
        canvas.setStrokeColor(RULE)
        canvas.line(MARGIN, 15 * mm, A4[0] - MARGIN, 15 * mm)
        canvas.restoreState()

    document = SimpleDocTemplate(
        sheet,
        pagesize=A4,
        leftMargin=MARGIN,
        rightMargin=MARGIN,
        topMargin=MARGIN,
        bottomMargin=20 * mm,
        title=title,
        author="Fairthrow",
        invariant=1,
        lang="en-AU",
    )
    canvas = partial(paper.AnyScriptCanvas, attached=attached)
    document.build(
        list(parts), onFirstPage=draw_header_and_footer, onLaterPages=draw_header_and_footer, canvasmaker=canvas
    )
    return sheet.getvalue()
