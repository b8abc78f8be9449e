"""A table that breaks over hundreds of pages. Rows are wrapped once, and each page takes those that fit.

ReportLab's own tables wrap every cell as a paragraph and copy the rest at each page, which takes minutes here.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.platypus import Flowable

from compliance.core.web.pdf.canvas import (
    BOLD,
    REGULAR,
    Lines,
    note_if_unreadable,
    split_by_font,
    word_width,
    wrap_text,
)
from compliance.core.web.pdf.sections import Grid, ReportColumn
from compliance.core.web.ui.charts import INK, RULE

SIZE, LEADING = 7.0, 8.8
PAD, SIDE = 2.5, 3.5
# Half a landscape page.
MAX_LINES_PER_ROW = 24
SHADE = HexColor("#e8eef0")


def split_tall_row(cells: Sequence[Lines]) -> Iterator[tuple[Lines, ...]]:
    """Continues a row that is taller than a page in further rows, so that no text is cut off."""
    longest = max((len(lines) for lines in cells), default=0)
    for first in range(0, max(longest, 1), MAX_LINES_PER_ROW):
        yield tuple(lines[first : first + MAX_LINES_PER_ROW] for lines in cells)


class WrappedGrid:
    """All rows of a grid, wrapped once, with the vertical offset of each."""

    def __init__(self, grid: Grid, width: float, title: str = "") -> None:
        self.headings, self.width = grid.headings, width
        self.again = wrap_text(f"{title}, continued", width, BOLD, SIZE)[0] if title else ""
        self.columns = _column_widths(grid.headings, width)
        rooms = [room - 2 * SIDE for room in self.columns]
        self.heads = tuple(
            wrap_text(head.text, room, BOLD, SIZE) for head, room in zip(grid.headings, rooms, strict=True)
        )
        self.rows: list[tuple[Lines, ...]] = []
        self.as_written: dict[int, tuple[str, ...]] = {}
        for row in grid.rows:
            self.as_written[len(self.rows)] = row.cells
            cells = (wrap_text(cell, room, REGULAR, SIZE) for cell, room in zip(row.cells, rooms, strict=True))
            self.rows += split_tall_row(tuple(cells))
        self.head_height = _row_height(self.heads)
        self.begins = [0.0, *accumulate(map(_row_height, self.rows))]


class GridFlowable(Flowable):
    """Rows first..last-1. Splitting passes the rest to the next page without copying."""

    def __init__(self, wrapped: WrappedGrid, first: int = 0, last: int | None = None) -> None:
        super().__init__()
        self.table, self.first = wrapped, first
        self.last = len(wrapped.rows) if last is None else last
        self.width = wrapped.width
        # Repeats the title on later pages.
        self.again = wrapped.again if first else ""
        self.over = LEADING + 2 * PAD if self.again else 0.0
        self.height = self.over + wrapped.head_height + wrapped.begins[self.last] - wrapped.begins[first]

    def wrap(self, available_width: float, available_height: float) -> tuple[float, float]:
        return self.width, self.height

    def split(self, available_width: float, available_height: float) -> list[Flowable]:
        begins = self.table.begins
        room = available_height - self.over - self.table.head_height + begins[self.first]
        end = min(bisect_right(begins, room) - 1, self.last)
        if end <= self.first or end == self.last:
            return []
        return [GridFlowable(self.table, self.first, end), GridFlowable(self.table, end, self.last)]

    def draw(self) -> None:
        canvas: Any = self.canv
        canvas.setFillColor(SHADE)
        head = self.height - self.over
        canvas.rect(0, head - self.table.head_height, self.width, self.table.head_height, stroke=0, fill=1)
        canvas.setStrokeColor(RULE)
        canvas.setLineWidth(0.4)
        # One text object for the whole page: one for each cell takes most of the time of a long report.
        text = canvas.beginText()
        text.setFillColor(INK)
        if self.again:
            text.setFont(BOLD, SIZE)
            text.setTextOrigin(0, self.height - SIZE)
            self._write_line(text, self.again, BOLD)
        top = self._write_row(text, head, self.table.heads, BOLD)
        for place, row in enumerate(self.table.rows[self.first : self.last], self.first):
            note_if_unreadable(canvas, *self.table.as_written.get(place, ()))
            canvas.line(0, top, self.width, top)
            top = self._write_row(text, top, row, REGULAR)
        canvas.line(0, top, self.width, top)
        canvas.drawText(text)

    def _write_row(self, text: Any, top: float, cells: Sequence[Lines], font: str) -> float:
        text.setFont(font, SIZE)
        x = 0.0
        for head, lines, room in zip(self.table.headings, cells, self.table.columns, strict=True):
            y = top - PAD - SIZE
            for line in lines:
                indent = room - SIDE - word_width(line, font, SIZE) if head.is_figure else SIDE
                text.setTextOrigin(x + indent, y)
                self._write_line(text, line, font)
                y -= LEADING
            x += room
        return top - _row_height(cells)

    @staticmethod
    def _write_line(text: Any, line: str, font: str) -> None:
        for name, part in split_by_font(line, font):
            if name == font:
                text.textOut(part)
            else:
                text.setFont(name, SIZE)
                text.textOut(part)
                text.setFont(font, SIZE)


def _row_height(cells: Sequence[Lines]) -> float:
    return 2 * PAD + LEADING * max((len(lines) for lines in cells), default=1)


def _column_widths(headings: Sequence[ReportColumn], width: float) -> list[float]:
    """Widths by share, but at least the longest word of the heading; wider columns give up the space."""
    total = sum(head.share for head in headings)
    least = [
        max(word_width(word, BOLD, SIZE) for word in head.text.split() or [""]) + 2 * SIDE + 1 for head in headings
    ]
    fair = [width * head.share / total for head in headings]
    missing = sum(max(0.0, needed - room) for needed, room in zip(least, fair, strict=True))
    spare = sum(max(0.0, room - needed) for needed, room in zip(least, fair, strict=True))
    taken = min(1.0, missing / spare) if spare else 0.0
    return [
        needed if room < needed and missing <= spare else room - taken * max(0.0, room - needed)
        for needed, room in zip(least, fair, strict=True)
    ]
