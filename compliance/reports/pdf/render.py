"""Renders a Document as PDF: A4, the same header on each page, page numbers, the basis at the end."""

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import Any

from reportlab.graphics.shapes import Drawing
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, CondPageBreak, Flowable, Frame, PageTemplate, Paragraph, Spacer

from compliance.core.web.pdf.canvas import draw_line, may_be_unreadable, paragraph_markup
from compliance.core.web.ui.charts import INK, RULE, SECONDARY_INK
from compliance.reports.document.structure import Document, Fact, IllustratedDocument, Section, encode_document
from compliance.reports.offline.verify_report import DOCUMENT
from compliance.reports.pdf.grid import (
    BOLD,
    REGULAR,
    GridFlowable,
    Lines,
    WrappedGrid,
    split_tall_row,
    word_width,
    wrap_text,
)

MARGIN, HEAD, FOOT = 16 * mm, 26 * mm, 18 * mm
# Tables with more columns are printed in landscape.
MAX_PORTRAIT_COLUMNS = 7
NAME_SHARE, SHEET_NAME_SHARE = 0.32, 0.16
# On a landscape page, a chart of full width would fill the whole page.
MAX_FIGURE_WIDTH = A4[0] - 2 * MARGIN
SHEET_FIGURE_WIDTH = 0.7 * MAX_FIGURE_WIDTH
SMALL_FONT_SIZE = 7.0
# At the smallest scale, nine points become seven.
SHEET_SIZES = (1, 0.92, 0.85, 0.78)
OFFLINE_CHECK_TEXT = "Check it offline: verify_report.py. The proof is attached to this file."
BLANK_LETTERS_TEXT = f"Letters that your reader leaves blank stand in its {DOCUMENT}."
Progress = Callable[[int], None]


def register_fonts() -> None:
    """Fonts shipped with ReportLab. They can be embedded and cover more characters than the standard PDF fonts."""
    if REGULAR not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(REGULAR, "Vera.ttf"))
        pdfmetrics.registerFont(TTFont(BOLD, "VeraBd.ttf"))
        word_width.cache_clear()


def _style(name: str, font: str, size: float, **rest: Any) -> ParagraphStyle:
    return ParagraphStyle(
        name, fontName=font, fontSize=size, leading=size * 1.3, textColor=INK, splitLongWords=1, **rest
    )


TITLE = _style("title", BOLD, 17, spaceAfter=3 * mm)
SUBJECT = _style("subject", REGULAR, 10, spaceAfter=5 * mm)
SECTION = _style("section", BOLD, 11.5, spaceBefore=5 * mm, spaceAfter=2 * mm)
SHEET_SECTION = _style("sheet-section", BOLD, 11.5, spaceBefore=3.5 * mm, spaceAfter=1 * mm)
TEXT = _style("text", REGULAR, 9, spaceAfter=2 * mm)


def render_pdf(drawn: IllustratedDocument, show_progress: Progress = lambda page: None) -> tuple[bytes, int]:
    """The PDF and its number of pages. A sheet is scaled down, within the limits of legibility, to fit one page."""
    register_fonts()
    for size in SHEET_SIZES if drawn.document.is_sheet else ():
        content, pages = _render_at_scale(drawn, size, show_progress)
        if pages == 1:
            return content, pages
    return _render_at_scale(drawn, 1, show_progress)


def _render_at_scale(drawn: IllustratedDocument, size: float, show_progress: Progress) -> tuple[bytes, int]:
    document, target = drawn.document, BytesIO()
    paper = _page_size(document)
    width, height = (paper[0] - 2 * MARGIN) / size, (paper[1] - HEAD - FOOT) / size
    template = BaseDocTemplate(
        target,
        pagesize=paper,
        title=document.title,
        author="Fairthrow",
        subject=document.subject,
        lang="en-AU",
        invariant=1,
    )
    frame = Frame(
        MARGIN / size, FOOT / size, width, height, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0
    )
    template.addPageTemplates(PageTemplate("page", [frame], onPage=_scale_content(size), onPageEnd=_restore_scale))
    counted: list[int] = []

    def make_canvas(*args: Any, **kwargs: Any) -> _NumberedCanvas:
        return _NumberedCanvas(*args, document=document, counted=counted, show_progress=show_progress, **kwargs)

    template.build(list(_document_flowables(drawn, width)), canvasmaker=make_canvas)
    return target.getvalue(), counted[0]


def _scale_content(size: float) -> Callable[[Canvas, BaseDocTemplate], None]:
    """Scales the content between header and footer of each page."""

    def begin_page(canvas: Canvas, template: BaseDocTemplate) -> None:
        canvas.saveState()
        canvas.scale(size, size)

    return begin_page


def _restore_scale(canvas: Canvas, template: BaseDocTemplate) -> None:
    canvas.restoreState()


def _page_size(document: Document) -> tuple[float, float]:
    grids = [section.grid for section in document.sections if section.grid]
    is_wide = any(len(grid.headings) > MAX_PORTRAIT_COLUMNS and grid.rows for grid in grids)
    return landscape(A4) if is_wide else A4


def _document_flowables(drawn: IllustratedDocument, width: float) -> Iterator[Flowable]:
    document = drawn.document
    yield _paragraph(document.title, TITLE)
    yield _paragraph(document.subject, SUBJECT)
    for section in (*document.sections, *document.basis):
        yield from _section_flowables(section, drawn, width)


def _section_flowables(section: Section, drawn: IllustratedDocument, width: float) -> Iterator[Flowable]:
    # A heading is kept with its chart or first lines, never alone at the bottom of a page.
    is_sheet, number = drawn.document.is_sheet, section.figure.number if section.figure else None
    room = SHEET_FIGURE_WIDTH if is_sheet else min(width, MAX_FIGURE_WIDTH)
    figure = _fit_to_width(drawn.drawings[number], room) if number is not None else None
    yield CondPageBreak((18 if is_sheet else 32) * mm + (figure.height if figure else 0))
    yield _paragraph(section.title, SHEET_SECTION if is_sheet else SECTION)
    for text in ("\n".join(section.texts),) if is_sheet and section.texts else section.texts:
        yield _paragraph(text, TEXT)
    yield from _facts_flowables(section.facts, width, is_sheet)
    if figure is not None:
        yield Spacer(0, 2 * mm)
        yield figure
    if section.grid is not None:
        yield Spacer(0, 2 * mm)
        if section.grid.rows:
            yield GridFlowable(WrappedGrid(section.grid, width, section.title))
        else:
            yield _paragraph(section.grid.empty, TEXT)


def _facts_flowables(facts: Sequence[Fact], width: float, is_sheet: bool) -> Iterator[Flowable]:
    """One below the other; on a sheet, two short ones share a line."""
    left = list(facts)
    while left:
        pair = [_fact_flowable(fact, width / 2 - 8, NAME_SHARE)[0] for fact in left[:2]] if is_sheet else []
        if len(pair) == 2 and all(fact.is_short for fact in pair):
            left = left[2:]
            yield _SideBySide(pair[0], pair[1], width)
        else:
            yield from _fact_flowable(left.pop(0), width, SHEET_NAME_SHARE if is_sheet else NAME_SHARE)


def _fit_to_width(drawing: Drawing, width: float) -> Drawing:
    """A scaled copy that fits the page, because charts are made for the wider screen. The original is unchanged."""
    factor = min(1.0, width / drawing.width)
    scaled = drawing.copy()
    scaled.width, scaled.height = drawing.width * factor, drawing.height * factor
    scaled.scale(factor, factor)
    return scaled


def _paragraph(text: str, style: ParagraphStyle) -> Paragraph:
    return Paragraph(paragraph_markup(text, style.fontName), style)


def _fact_flowable(fact: Fact, width: float, share: float) -> list["_FactFlowable"]:
    names = wrap_text(fact.name, width * share - 8, BOLD, 9)
    values = wrap_text(fact.value, width * (1 - share), REGULAR, 9)
    return [_FactFlowable(name, value, width, share) for name, value in split_tall_row((names, values))]


class _FactFlowable(Flowable):
    """A label with its value next to it, kept together."""

    def __init__(self, names: Lines, values: Lines, width: float, share: float) -> None:
        super().__init__()
        self.width, self.value_at = width, width * share
        self.names, self.values = names, values

    @property
    def is_short(self) -> bool:
        return len(self.names) == len(self.values) == 1

    def wrap(self, available_width: float, available_height: float) -> tuple[float, float]:
        self.height = 12 * max(len(self.names), len(self.values)) + 3
        return self.width, self.height

    def draw(self) -> None:
        for lines, x, font in ((self.names, 0.0, BOLD), (self.values, self.value_at, REGULAR)):
            self.canv.setFillColor(INK)
            for place, line in enumerate(lines):
                draw_line(self.canv, x, self.height - 10 - 12 * place, line, font, 9)


class _SideBySide(Flowable):
    """Two short facts on one line."""

    def __init__(self, first: _FactFlowable, second: _FactFlowable, width: float) -> None:
        super().__init__()
        self.parts, self.width = (first, second), width

    def wrap(self, available_width: float, available_height: float) -> tuple[float, float]:
        self.height = max(part.wrap(part.width, available_height)[1] for part in self.parts)
        return self.width, self.height

    def draw(self) -> None:
        for place, part in enumerate(self.parts):
            part.drawOn(self.canv, place * self.width / 2, 0)


class _NumberedCanvas(Canvas):
    """Buffers pages until their total is known, so that each can print "page n of m"."""

    def __init__(
        self, *args: Any, document: Document, counted: list[int], show_progress: Progress, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._document, self._counted, self._show_progress = document, counted, show_progress
        self._kept: list[dict[str, Any]] = []
        self._is_at_risk = may_be_unreadable(encode_document(document).decode(), REGULAR)

    def showPage(self) -> None:  # noqa: N802 (ReportLab's name)
        self._kept.append(dict(self.__dict__))
        self._show_progress(len(self._kept))
        self._startPage()  # type: ignore[attr-defined]

    def save(self) -> None:
        self._counted.append(len(self._kept))
        for number, page in enumerate(self._kept, 1):
            self.__dict__.update(page)
            self._draw_header_and_footer(number, len(self._kept))
            super().showPage()
        super().save()

    def _draw_header_and_footer(self, number: int, pages: int) -> None:
        document = self._document
        self.setFillColor(SECONDARY_INK)
        self.setStrokeColor(RULE)
        width, height = self._pagesize  # type: ignore[attr-defined]
        top, foot, right = height - 14 * mm, 10 * mm, width - MARGIN
        made = f"Made {document.made_at}"
        self.setFont(REGULAR, SMALL_FONT_SIZE)
        self.drawRightString(right, top, made)
        room = right - MARGIN - pdfmetrics.stringWidth(made, REGULAR, SMALL_FONT_SIZE) - 12
        [line, *_] = wrap_text(f"{document.casino} · {document.title}", room, REGULAR, SMALL_FONT_SIZE)
        draw_line(self, MARGIN, top, line, REGULAR, SMALL_FONT_SIZE)
        self.setFont(REGULAR, SMALL_FONT_SIZE)
        self.line(MARGIN, top - 4, right, top - 4)
        self.line(MARGIN, foot + 9, right, foot + 9)
        self.drawString(MARGIN, foot, OFFLINE_CHECK_TEXT)
        if self._is_at_risk:
            self.drawString(MARGIN, foot - 1.3 * SMALL_FONT_SIZE, BLANK_LETTERS_TEXT)
        self.drawRightString(right, foot, f"Page {number} of {pages}")
