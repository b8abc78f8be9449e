"""A Document as PDF pages: A4, page numbers, the same header on each, and what it rests on at the end."""

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape

from reportlab.graphics.shapes import Drawing
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, CondPageBreak, Flowable, Frame, PageTemplate, Paragraph, Spacer

from compliance.reports.document import Document, Drawn, Fact, Section
from compliance.reports.grid import BOLD, REGULAR, GridFlowable, width_of, wrap
from compliance.web.charts import INK, QUIET, RULE

MARGIN, HEAD, FOOT = 16 * mm, 26 * mm, 18 * mm
WIDTH = A4[0] - 2 * MARGIN
NAME_SHARE = 0.32
SMALL = 7.0
UNKNOWN = "\N{WHITE SQUARE}"
Progress = Callable[[int], None]


def register_fonts() -> None:
    """ReportLab ships these: they can be embedded, and know more letters than the fonts every reader has."""
    if REGULAR not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(REGULAR, "Vera.ttf"))
        pdfmetrics.registerFont(TTFont(BOLD, "VeraBd.ttf"))
        width_of.cache_clear()


def _style(name: str, font: str, size: float, **rest: Any) -> ParagraphStyle:
    return ParagraphStyle(
        name, fontName=font, fontSize=size, leading=size * 1.3, textColor=INK, splitLongWords=1, **rest
    )


TITLE = _style("title", BOLD, 17, spaceAfter=3 * mm)
SUBJECT = _style("subject", REGULAR, 10, spaceAfter=5 * mm)
SECTION = _style("section", BOLD, 11.5, spaceBefore=5 * mm, spaceAfter=2 * mm)
TEXT = _style("text", REGULAR, 9, spaceAfter=2 * mm)


def render(drawn: Drawn, show_progress: Progress = lambda page: None) -> tuple[bytes, int]:
    """The bytes of the PDF, and how many pages it has."""
    register_fonts()
    document, target = drawn.document, BytesIO()
    template = BaseDocTemplate(
        target, pagesize=A4, title=document.title, author="Fairthrow", subject=document.subject, lang="en-AU",
        invariant=1,
    )  # fmt: skip
    frame = Frame(
        MARGIN, FOOT, WIDTH, A4[1] - HEAD - FOOT, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0
    )
    template.addPageTemplates(PageTemplate("page", [frame]))
    counted: list[int] = []

    def canvas(*args: Any, **kwargs: Any) -> _NumberedCanvas:
        return _NumberedCanvas(*args, document=document, counted=counted, show_progress=show_progress, **kwargs)

    template.build(list(_story(drawn)), canvasmaker=canvas)
    return target.getvalue(), counted[0]


def _story(drawn: Drawn) -> Iterator[Flowable]:
    document = drawn.document
    yield Paragraph(_known(document.title), TITLE)
    yield Paragraph(_known(document.subject), SUBJECT)
    for section in (*document.sections, *document.basis):
        yield from _section(section, drawn.drawings)


def _section(section: Section, drawings: Any) -> Iterator[Flowable]:
    # A heading never stands alone at the foot of a page.
    yield CondPageBreak(32 * mm)
    yield Paragraph(_known(section.title), SECTION)
    for text in section.texts:
        yield Paragraph(_known(text), TEXT)
    for fact in section.facts:
        yield _FactFlowable(fact)
    if section.figure is not None:
        yield Spacer(0, 2 * mm)
        yield _scaled(drawings[section.figure.number])
    if section.grid is not None:
        yield Spacer(0, 2 * mm)
        if section.grid.rows:
            yield GridFlowable(section.grid, WIDTH)
        else:
            yield Paragraph(_known(section.grid.empty), TEXT)


def _scaled(drawing: Drawing) -> Drawing:
    """As wide as the page; a drawing is made for the screen, which is wider."""
    factor = min(1.0, WIDTH / drawing.width)
    drawing.width, drawing.height = drawing.width * factor, drawing.height * factor
    drawing.scale(factor, factor)
    return drawing


def _known(text: str) -> str:
    """For a paragraph: letters that the font lacks become a square, which is seen, instead of nothing."""
    return escape(shown(text)).replace("\n", "<br/>")


def shown(text: str) -> str:
    known = pdfmetrics.getFont(REGULAR).face.charToGlyph
    return "".join(one if one.isspace() or ord(one) in known else UNKNOWN for one in text)


class _FactFlowable(Flowable):
    """A name, and its value beside it, both wrapped."""

    def __init__(self, fact: Fact) -> None:
        super().__init__()
        self.names = wrap(shown(fact.name), WIDTH * NAME_SHARE - 8, BOLD, 9)
        self.values = wrap(shown(fact.value), WIDTH * (1 - NAME_SHARE), REGULAR, 9)

    def wrap(self, available_width: float, available_height: float) -> tuple[float, float]:
        self.height = 12 * max(len(self.names), len(self.values)) + 3
        return WIDTH, self.height

    def draw(self) -> None:
        for lines, x, font in ((self.names, 0.0, BOLD), (self.values, WIDTH * NAME_SHARE, REGULAR)):
            self.canv.setFont(font, 9)
            self.canv.setFillColor(INK)
            for place, line in enumerate(lines):
                self.canv.drawString(x, self.height - 10 - 12 * place, line)


class _NumberedCanvas(Canvas):
    """Pages are kept until their number is known, so that each can say of how many it is one."""

    def __init__(
        self, *args: Any, document: Document, counted: list[int], show_progress: Progress, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._document, self._counted, self._show_progress = document, counted, show_progress
        self._kept: list[dict[str, Any]] = []

    def showPage(self) -> None:  # noqa: N802 (ReportLab's name)
        self._kept.append(dict(self.__dict__))
        self._show_progress(len(self._kept))
        self._startPage()

    def save(self) -> None:
        self._counted.append(len(self._kept))
        for number, page in enumerate(self._kept, 1):
            self.__dict__.update(page)
            self._draw_frame(number, len(self._kept))
            super().showPage()
        super().save()

    def _draw_frame(self, number: int, pages: int) -> None:
        document = self._document
        self.setFillColor(QUIET)
        self.setStrokeColor(RULE)
        top, foot = A4[1] - 14 * mm, 10 * mm
        self.setFont(REGULAR, SMALL)
        self.drawRightString(A4[0] - MARGIN, top, f"Made {document.made_at}")
        room = WIDTH - pdfmetrics.stringWidth(f"Made {document.made_at}", REGULAR, SMALL) - 12
        [line, *_] = wrap(shown(f"{document.casino} · {document.title}"), room, REGULAR, SMALL)
        self.drawString(MARGIN, top, line)
        self.line(MARGIN, top - 4, A4[0] - MARGIN, top - 4)
        self.line(MARGIN, foot + 9, A4[0] - MARGIN, foot + 9)
        self.drawString(MARGIN, foot, "Check it offline: verify_report.py. The proof is attached to this file.")
        self.drawRightString(A4[0] - MARGIN, foot, f"Page {number} of {pages}")
