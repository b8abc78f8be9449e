"""A sign as PDF, A4 or A5, with a QR code that links to the table's current sign."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any, Literal, cast

from reportlab.graphics import renderPDF
from reportlab.graphics.barcode.qr import QrCodeWidget
from reportlab.graphics.shapes import Drawing
from reportlab.lib.pagesizes import A4, A5, landscape
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from compliance.tables.signs.presentation.text import SignFact

PaperSize = Literal["a4", "a5"]
PAGE_SIZES = {"a4": landscape(A4), "a5": landscape(A5)}
BOLD, PLAIN = "Helvetica-Bold", "Helvetica"
# Fractions of the page's height.
MARGIN, HEAD, FOOT, QR = 0.06, 0.1, 0.2, 0.2
LABEL_HEIGHT_SHARE = 0.26
# Position of the signature line: inside the frame, below the footnote, left of the QR code.
SIGNATURE_POSITIONS: dict[PaperSize, str] = {"a4": "36 18 6", "a5": "25 12.5 4.5"}


def sign_pdf(*, place: str, facts: Sequence[SignFact], footnote: str, address: str, paper: PaperSize) -> bytes:
    """The text is as large as the page allows, because it is read from five metres away."""
    width, height = PAGE_SIZES[paper]
    content = BytesIO()
    canvas = Canvas(content, pagesize=(width, height))
    canvas.setTitle(f"Sign: {place}")
    canvas.setSubject("; ".join(f"{fact.label} {fact.value}" for fact in facts))
    canvas.setLineWidth(height * 0.006)
    inset = height * MARGIN / 3
    canvas.rect(inset, inset, width - 2 * inset, height - 2 * inset)
    canvas.setFont(BOLD, _fit_font_size(place, BOLD, height * HEAD * 0.7, width * 0.88))
    canvas.drawCentredString(width / 2, height * (1 - MARGIN - HEAD * 0.6), place)
    room = height * (1 - 2 * MARGIN - HEAD - FOOT) / max(len(facts), 1)
    for place_of, fact in enumerate(facts):
        top = height * (1 - MARGIN - HEAD) - place_of * room
        _draw_fact(canvas, fact, top, room, width)
    _draw_footer(canvas, footnote, address, width, height)
    canvas.showPage()
    canvas.save()
    return content.getvalue()


def _fit_font_size(text: str, font: str, size: float, width: float) -> float:
    """The font size at which the text fits, at most `size`."""
    return min(size, size * width / max(stringWidth(text, font, size), 1))


def _draw_fact(canvas: Canvas, fact: SignFact, top: float, room: float, width: float) -> None:
    label = room * LABEL_HEIGHT_SHARE
    canvas.setFont(PLAIN, _fit_font_size(fact.label, PLAIN, label * 0.8, width * 0.88))
    canvas.drawCentredString(width / 2, top - label, fact.label)
    size = _fit_font_size(fact.value, BOLD, (room - label) * 0.95, width * 0.9)
    canvas.setFont(BOLD, size)
    canvas.drawCentredString(width / 2, top - label - (room - label) / 2 - size * 0.36, fact.value)


def _draw_footer(canvas: Canvas, footnote: str, address: str, width: float, height: float) -> None:
    side = height * QR
    code = QrCodeWidget(address, barLevel="M")
    left, bottom, right, top = cast("Any", code).getBounds()
    drawing = Drawing(side, side, transform=[side / (right - left), 0, 0, side / (top - bottom), -left, -bottom])
    drawing.add(code)
    renderPDF.draw(drawing, canvas, width - height * MARGIN * 0.6 - side, height * MARGIN * 0.6)
    size = height * 0.032
    canvas.setFont(PLAIN, _fit_font_size(footnote, PLAIN, size, width - side - height * MARGIN * 3))
    canvas.drawString(height * MARGIN, height * MARGIN + size * 1.6, footnote)
    words = "The table's sign as it stands now: scan the code."
    canvas.setFont(PLAIN, _fit_font_size(words, PLAIN, size, width - side - height * MARGIN * 3))
    canvas.drawString(height * MARGIN, height * MARGIN, words)
