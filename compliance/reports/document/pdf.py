"""Renders a Document as PDF: its sections, the basis at the end. A sheet is scaled down to one page if possible."""

from collections.abc import Iterator

from reportlab.lib.pagesizes import A4, landscape
from reportlab.platypus import Flowable

from compliance.core.web.pdf.canvas import REGULAR, may_be_unreadable
from compliance.core.web.pdf.page_layout import (
    MARGIN,
    SUBJECT,
    TITLE,
    PageText,
    RenderedPages,
    ShowProgress,
    paragraph,
    render_pages,
    section_flowables,
)
from compliance.reports.document.structure import Document, IllustratedDocument, encode_document
from compliance.reports.offline.verify_report import DOCUMENT

# Tables with more columns are printed in landscape.
MAX_PORTRAIT_COLUMNS = 7
# At the smallest scale, nine points become seven.
SHEET_SCALES = (1, 0.92, 0.85, 0.78)
OFFLINE_CHECK_TEXT = "Check it offline: verify_report.py. The proof is attached to this file."
BLANK_LETTERS_TEXT = f"Letters that your reader leaves blank stand in its {DOCUMENT}."


def render_pdf(drawn: IllustratedDocument, show_progress: ShowProgress = lambda page: None) -> RenderedPages:
    """The pages, to which the proofs are attached later. A sheet is scaled within the limits of legibility."""
    for scale in SHEET_SCALES if drawn.document.is_sheet else ():
        pages = _render_at_scale(drawn, scale, show_progress)
        if pages.count == 1:
            return pages
    return _render_at_scale(drawn, 1, show_progress)


def _render_at_scale(drawn: IllustratedDocument, scale: float, show_progress: ShowProgress) -> RenderedPages:
    document, paper = drawn.document, _page_size(drawn.document)
    page = PageText(document.title, document.casino, f"Made {document.made_at}", OFFLINE_CHECK_TEXT, document.subject)
    is_at_risk = may_be_unreadable(encode_document(document).decode(), REGULAR)
    return render_pages(
        _document_flowables(drawn, (paper[0] - 2 * MARGIN) / scale),
        page,
        paper=paper,
        scale=scale,
        note=BLANK_LETTERS_TEXT if is_at_risk else "",
        show_progress=show_progress,
    )


def _page_size(document: Document) -> tuple[float, float]:
    grids = [section.grid for section in document.sections if section.grid]
    is_wide = any(len(grid.headings) > MAX_PORTRAIT_COLUMNS and grid.rows for grid in grids)
    return landscape(A4) if is_wide else A4


def _document_flowables(drawn: IllustratedDocument, width: float) -> Iterator[Flowable]:
    document = drawn.document
    yield paragraph(document.title, TITLE)
    yield paragraph(document.subject, SUBJECT)
    for section in (*document.sections, *document.basis):
        yield from section_flowables(section, width, drawings=drawn.drawings, is_sheet=document.is_sheet)
