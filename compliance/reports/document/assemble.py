"""Builds a Document from its sections, its basis, and the indexes of all entries they refer to."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from reportlab.graphics.shapes import Drawing

from compliance.core.accounts.models import Casino
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.sections import Section
from compliance.core.web.ui.charts import render_svg
from compliance.reports.document.audit_basis import AuditBasis
from compliance.reports.document.structure import Document, IllustratedDocument


def assemble_document(
    casino: Casino,
    now: datetime,
    *,
    title: str,
    subject: str,
    sections: Sequence[Section],
    basis: AuditBasis,
    entries: Iterable[int] = (),
    drawings: Sequence[Drawing] = (),
    is_sheet: bool = False,
) -> IllustratedDocument:
    """`entries` are additional entries that no row refers to."""
    document = Document(
        title=title,
        casino=casino.name,
        log=casino.slug,
        made_at=format_local(now, casino),
        subject=subject,
        sections=tuple(sections),
        basis=basis.sections,
        entries=tuple(sorted({*entries, *basis.entries, *entries_in_sections(sections)})),
        figures=tuple(render_svg(drawing).decode() for drawing in drawings),
        is_sheet=is_sheet,
    )
    return IllustratedDocument(document, drawings)


def entries_in_sections(sections: Iterable[Section]) -> set[int]:
    rows = (row for section in sections if section.grid for row in section.grid.rows)
    return {row.entry for row in rows if row.entry is not None}
