"""A sign as PDF, A4 or A5, with a QR code that links to the table's current sign."""

from collections.abc import Sequence
from io import BytesIO
from typing import Literal

from reportlab.graphics import renderPDF
from reportlab.lib.pagesizes import A4, A5, landscape
from reportlab.pdfgen.canvas import Canvas

from compliance.core.web.pdf.canvas import draw_line, fit_font_size, measure_line, replace_unprintable
from compliance.core.web.pdf.page_layout import qr_code
from compliance.tables.signs.presentation.text import SignFact

PaperSize = Literal["a4", "a5"]
PAGE_SIZES = {"a4": landscape(A4), "a5": landscape(A5)}
BOLD, PLAIN = "Helvetica-Bold", "Helvetica"
# Fractions of the page's height.
MARGIN, HEAD, FOOT, QR, SMALL_PRINT = 0.06, 0.1, 0.2, 0.2, 0.06
LABEL_HEIGHT_SHARE = 0.26
# Position of the signature line: inside the frame, below the footnote, left of the QR code.
SIGNATURE_POSITIONS: dict[PaperSize, str] = {"a4": "36 18 6", "a5": "25 12.5 4.5"}


def sign_pdf(
    *,
    place: str,
    facts: Sequence[SignFact],
    footnote: str,
    address: str,
    paper: PaperSize,
    small_print: Sequence[str] = (),
) -> bytes:
    """The text is as large as the page allows, because it is read from five metres away. `small_print` stands below
    the facts."""
    width, height = PAGE_SIZES[paper]
    content = BytesIO()
    canvas = Canvas(content, pagesize=(width, height))
    canvas.setTitle(f"Sign: {place}")
    canvas.setSubject("; ".join(f"{fact.label} {fact.value}" for fact in facts))
    canvas.setLineWidth(height * 0.006)
    inset = height * MARGIN / 3
    canvas.rect(inset, inset, width - 2 * inset, height - 2 * inset)
    _draw_centred(canvas, place, BOLD, height * HEAD * 0.7, height * (1 - MARGIN - HEAD * 0.6), width)
    small = height * SMALL_PRINT * len(small_print)
    room = (height * (1 - 2 * MARGIN - HEAD - FOOT) - small) / max(len(facts), 1)
    label = room * LABEL_HEIGHT_SHARE
    for number, fact in enumerate(facts):
        top = height * (1 - MARGIN - HEAD) - number * room
        _draw_centred(canvas, fact.label, PLAIN, label * 0.8, top - label, width)
        _draw_centred(canvas, fact.value, BOLD, (room - label) * 0.95, top - label - (room - label) / 2, width, 0.36)
    for number, line in enumerate(small_print, start=1):
        y = height * (MARGIN + FOOT) + small - number * height * SMALL_PRINT
        _draw_centred(canvas, line, BOLD, height * SMALL_PRINT * 0.7, y, width)
    _draw_footer(canvas, footnote, address, width, height)
    canvas.showPage()
    canvas.save()
    return content.getvalue()


def _draw_centred(canvas: Canvas, text: str, font: str, size: float, y: float, width: float, below: float = 0) -> None:
    """`below`: how far under `y` the text stands, as a fraction of its font size."""
    line = replace_unprintable(text, font)
    size = fit_font_size(line, font, size, width * 0.9)
    draw_line(canvas, (width - measure_line(line, font, size)) / 2, y - below * size, line, font, size)


def _draw_footer(canvas: Canvas, footnote: str, address: str, width: float, height: float) -> None:
    side, size, left = height * QR, height * 0.032, height * MARGIN
    renderPDF.draw(qr_code(address, side), canvas, width - left * 0.6 - side, left * 0.6)
    lines = (replace_unprintable(footnote, PLAIN), "The table's sign as it stands now: scan the code.")
    for line, y in zip(lines, (left + size * 1.6, left), strict=True):
        draw_line(canvas, left, y, line, PLAIN, fit_font_size(line, PLAIN, size, width - side - left * 3))
