"""Page layout of every PDF: margins, styles, labelled values, sections, header and footer, attached files.

The same content gives the same bytes: `invariant` leaves out time stamps and random ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, cast

from reportlab.graphics.barcode.qr import QrCodeWidget
from reportlab.graphics.shapes import Drawing
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    PageTemplate,
    Paragraph,
    Spacer,
)

from compliance.core.web.pdf.attachments import attach_files
from compliance.core.web.pdf.canvas import (
    BOLD,
    REGULAR,
    AnyScriptCanvas,
    Lines,
    draw_line,
    fit_font_size,
    measure_line,
    note_if_unreadable,
    plain_paragraph,
    replace_unprintable,
    wrap_text,
)
from compliance.core.web.pdf.grid import GridFlowable, WrappedGrid, split_tall_row
from compliance.core.web.pdf.sections import Section
from compliance.core.web.ui.charts import INK, RULE, SECONDARY_INK

MARGIN, HEAD, FOOT = 16 * mm, 26 * mm, 18 * mm
HEADER_LINE, FOOTER_LINE = 14 * mm, 10 * mm
CONTENT_WIDTH = A4[0] - 2 * MARGIN
TEXT_SIZE, LARGE_SIZE, SMALL_SIZE = 9.0, 10.5, 7.0
NAME_SHARE, SHEET_NAME_SHARE = 0.32, 0.16
SHEET_FIGURE_WIDTH = 0.7 * CONTENT_WIDTH
AS_WRITTEN = "words-as-written.txt"
AS_WRITTEN_NOTE = (
    "Letters that your reader leaves blank, or that stand here by number as [U+1EC5], are attached as they were "
    f"written: {AS_WRITTEN}"
)
ShowProgress = Callable[[int], None]


def _style(name: str, font: str, size: float, **rest: Any) -> ParagraphStyle:
    given: dict[str, Any] = {"textColor": INK, "splitLongWords": 1, "leading": size * 1.3} | rest
    return ParagraphStyle(name, fontName=font, fontSize=size, **given)


TITLE = _style("title", BOLD, 17, spaceAfter=3 * mm)
SUBJECT = _style("subject", REGULAR, 10, spaceAfter=5 * mm)
HEADING = _style("heading", BOLD, 11.5, spaceBefore=5 * mm, spaceAfter=2 * mm, keepWithNext=1)
SHEET_HEADING = _style("sheet-heading", BOLD, 11.5, spaceBefore=3.5 * mm, spaceAfter=1 * mm)
SUBHEADING = _style("subheading", BOLD, TEXT_SIZE, spaceBefore=2 * mm, spaceAfter=1 * mm, keepWithNext=1)
TEXT = _style("text", REGULAR, TEXT_SIZE, spaceAfter=2 * mm)
LARGE = _style("large", REGULAR, LARGE_SIZE, spaceAfter=1 * mm)
SMALL = _style("small", REGULAR, 7.5, textColor=SECONDARY_INK)
CODE = _style("code", "Courier", 7.5)


@dataclass(frozen=True)
class PageText:
    """Text of the header and the footer, and the title in the file's properties. `dated` says when it was made."""

    title: str
    place: str
    dated: str
    reference: str
    subject: str = ""


@dataclass(frozen=True)
class RenderedPages:
    """A PDF without attachments. `unreadable` has texts that some PDF readers may not show, with their page number."""

    content: bytes
    count: int
    unreadable: Sequence[tuple[int, str]]


def make_pdf(parts: Iterable[Flowable], page: PageText, attached: Mapping[str, bytes] | None = None) -> bytes:
    """The PDF with its attachments. Text that may be unreadable is attached too, as it was written."""
    pages, files = render_pages(parts, page), dict(attached or {})
    if pages.unreadable:
        files[AS_WRITTEN] = "\n".join(f"Page {number}:\n{text}\n" for number, text in pages.unreadable).encode()
    return attach_files(pages.content, files) if files else pages.content


def render_pages(
    parts: Iterable[Flowable],
    page: PageText,
    *,
    paper: tuple[float, float] = A4,
    scale: float = 1,
    note: str = "",
    show_progress: ShowProgress = lambda number: None,
) -> RenderedPages:
    """`scale` shrinks what stands between header and footer. `note` is printed on every page instead of the note about
    the attached text."""
    target, made = BytesIO(), []
    template = BaseDocTemplate(
        target, pagesize=paper, title=page.title, author="Fairthrow", subject=page.subject, lang="en-AU", invariant=1
    )
    room = (paper[0] - 2 * MARGIN) / scale, (paper[1] - HEAD - FOOT) / scale
    frame = Frame(MARGIN / scale, FOOT / scale, *room, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)

    def begin_page(canvas: Any, document: Any) -> None:
        canvas.saveState()
        canvas.scale(scale, scale)

    def draw_page_text(canvas: AnyScriptCanvas, number: int) -> None:
        is_at_risk = not note and any(noted == number for noted, _ in canvas.unreadable)
        _draw_page_text(canvas, page, number, AS_WRITTEN_NOTE if is_at_risk else note)

    def make_canvas(*args: Any, **kwargs: Any) -> AnyScriptCanvas:
        made.append(AnyScriptCanvas(*args, draw_page_text=draw_page_text, show_progress=show_progress, **kwargs))
        return made[-1]

    template.addPageTemplates(
        PageTemplate("page", [frame], onPage=begin_page, onPageEnd=lambda canvas, document: canvas.restoreState())
    )
    template.build(list(parts), canvasmaker=make_canvas)
    [canvas] = made
    return RenderedPages(target.getvalue(), canvas.page_count, canvas.unreadable)


def _draw_page_text(canvas: AnyScriptCanvas, page: PageText, number: int, note: str) -> None:
    width, height = cast("Any", canvas)._pagesize
    top, right = height - HEADER_LINE, width - MARGIN
    canvas.setFillColor(SECONDARY_INK)
    canvas.setStrokeColor(RULE)
    canvas.line(MARGIN, top - 4, right, top - 4)
    canvas.line(MARGIN, FOOTER_LINE + 9, right, FOOTER_LINE + 9)
    _draw_ends(canvas, top, right, f"{page.place} · {page.title}", page.dated)
    _draw_ends(canvas, FOOTER_LINE, right, page.reference, f"Page {number} of {canvas.page_count}")
    if note:
        draw_line(canvas, MARGIN, FOOTER_LINE - 1.3 * SMALL_SIZE, note, REGULAR, SMALL_SIZE)


def _draw_ends(canvas: AnyScriptCanvas, y: float, right: float, first: str, last: str) -> None:
    """Text at both ends of a line. The first is set smaller if it does not fit."""
    last_at = right - measure_line(last, REGULAR, SMALL_SIZE)
    draw_line(canvas, last_at, y, last, REGULAR, SMALL_SIZE)
    first = replace_unprintable(first)
    draw_line(canvas, MARGIN, y, first, REGULAR, fit_font_size(first, REGULAR, SMALL_SIZE, last_at - MARGIN - 12))


def paragraph(text: object, style: ParagraphStyle = TEXT) -> Paragraph:
    """A paragraph of people's text, in any script, without markup."""
    return plain_paragraph(text, style)


def heading(text: str) -> Paragraph:
    return paragraph(text, HEADING)


def keep_together(*parts: Flowable) -> Flowable:
    return KeepTogether(list(parts))


def vertical_gap(height: float = 2 * mm) -> Spacer:
    return Spacer(1, height)


def qr_code(link: str, side: float) -> Drawing:
    widget = QrCodeWidget(link, barLevel="M")
    left, bottom, right, top = cast("Any", widget).getBounds()
    drawing = Drawing(side, side, transform=[side / (right - left), 0, 0, side / (top - bottom), -left, -bottom])
    drawing.add(widget)
    return drawing


def labelled_values(
    pairs: Iterable[tuple[str, object]],
    width: float = CONTENT_WIDTH,
    *,
    size: float = TEXT_SIZE,
    name_share: float = NAME_SHARE,
) -> list[LabelledLines]:
    """Labels with their values next to them. One that is taller than a page goes on in a further flowable."""
    found: list[LabelledLines] = []
    for name, value in pairs:
        written = str(value)
        names = wrap_text(name, width * name_share - 8, BOLD, size)
        values = wrap_text(written, width * (1 - name_share), REGULAR, size)
        parts = [LabelledLines(one, two, width, name_share, size) for one, two in split_tall_row((names, values))]
        parts[0].as_written = (name, written)
        found += parts
    return found


class LabelledLines(Flowable):
    """A label with its value next to it, kept together."""

    as_written: tuple[str, ...] = ()

    def __init__(self, names: Lines, values: Lines, width: float, name_share: float, size: float) -> None:
        super().__init__()
        self.names, self.values = names, values
        self.width, self.value_at, self.size = width, width * name_share, size
        self.leading = size * 4 / 3
        self.height = self.leading * max(len(names), len(values)) + 3

    @property
    def is_short(self) -> bool:
        return len(self.names) == len(self.values) == 1

    def wrap(self, available_width: float, available_height: float) -> tuple[float, float]:
        return self.width, self.height

    def draw(self) -> None:
        note_if_unreadable(self.canv, *self.as_written)
        self.canv.setFillColor(INK)
        for lines, x, font in ((self.names, 0.0, BOLD), (self.values, self.value_at, REGULAR)):
            for place, line in enumerate(lines):
                draw_line(self.canv, x, self.height - self.size - 1 - self.leading * place, line, font, self.size)


class SideBySide(Flowable):
    """Two short labelled values on one line."""

    def __init__(self, first: LabelledLines, second: LabelledLines, width: float) -> None:
        super().__init__()
        self.parts, self.width, self.height = (first, second), width, first.height

    def wrap(self, available_width: float, available_height: float) -> tuple[float, float]:
        return self.width, self.height

    def draw(self) -> None:
        for place, part in enumerate(self.parts):
            part.drawOn(self.canv, place * self.width / 2, 0)


def section_flowables(
    section: Section, width: float = CONTENT_WIDTH, *, drawings: Sequence[Drawing] = (), is_sheet: bool = False
) -> Iterator[Flowable]:
    """A heading is kept with its chart or first lines, never alone at the bottom of a page. A sheet is set tighter."""
    # Charts are made for the wider screen. On a landscape page, one of full width would fill the whole page.
    room = SHEET_FIGURE_WIDTH if is_sheet else min(width, CONTENT_WIDTH)
    figure = _fit_to_width(drawings[section.figure.number], room) if section.figure else None
    yield CondPageBreak((18 if is_sheet else 32) * mm + (figure.height if figure else 0))
    yield paragraph(section.title, SHEET_HEADING if is_sheet else HEADING)
    for text in ("\n".join(section.texts),) if is_sheet and section.texts else section.texts:
        yield paragraph(text)
    pairs = [(fact.name, fact.value) for fact in section.facts]
    yield from _paired_values(pairs, width) if is_sheet else labelled_values(pairs, width)
    if figure is not None:
        yield vertical_gap()
        yield figure
    if section.grid is not None:
        yield vertical_gap()
        if section.grid.rows:
            yield GridFlowable(WrappedGrid(section.grid, width, section.title))
        else:
            yield paragraph(section.grid.empty)


def _paired_values(pairs: Sequence[tuple[str, str]], width: float) -> Iterator[Flowable]:
    """One below the other, but two short ones share a line."""
    left = list(pairs)
    while left:
        both = labelled_values(left[:2], width / 2 - 8)
        if len(left) > 1 and len(both) == 2 and all(one.is_short for one in both):
            left = left[2:]
            yield SideBySide(both[0], both[1], width)
        else:
            yield from labelled_values([left.pop(0)], width, name_share=SHEET_NAME_SHARE)


def _fit_to_width(drawing: Drawing, width: float) -> Drawing:
    """A scaled copy. The original is unchanged."""
    factor = min(1.0, width / drawing.width)
    scaled = drawing.copy()
    scaled.width, scaled.height = drawing.width * factor, drawing.height * factor
    scaled.scale(factor, factor)
    return scaled
