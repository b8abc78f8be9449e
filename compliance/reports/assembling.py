"""A report put together: its sections, what they rest on, and every entry that either of them names."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from reportlab.graphics.shapes import Drawing

from compliance.accounts.models import Casino
from compliance.reports.basis import Basis
from compliance.reports.document import Document, Drawn, Section
from compliance.web.charts import svg
from compliance.web.moments import moment_text


def assemble(
    casino: Casino, now: datetime, *, title: str, subject: str, sections: Sequence[Section], basis: Basis,
    entries: Iterable[int] = (), drawings: Sequence[Drawing] = (), is_sheet: bool = False,
) -> Drawn:  # fmt: skip
    """`entries` are those that no row names."""
    document = Document(
        title=title,
        casino=casino.name,
        log=casino.slug,
        made_at=moment_text(now, casino),
        subject=subject,
        sections=tuple(sections),
        basis=basis.sections,
        entries=tuple(sorted({*entries, *basis.entries, *entries_named(sections)})),
        figures=tuple(svg(drawing).decode() for drawing in drawings),
        is_sheet=is_sheet,
    )
    return Drawn(document, drawings)


def entries_named(sections: Iterable[Section]) -> set[int]:
    rows = (row for section in sections if section.grid for row in section.grid.rows)
    return {row.entry for row in rows if row.entry is not None}
