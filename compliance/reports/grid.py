"""A table that breaks well over hundreds of pages: rows are wrapped once, and each page takes those that fit.

ReportLab's own tables wrap every cell as a paragraph and copy what is left at each page, which takes minutes here.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import Flowable

from compliance.reports.document import Grid, Heading
from compliance.web.charts import INK, RULE

REGULAR, BOLD, SIZE, LEADING = "Vera", "Vera-Bold", 7.5, 9.5
PAD = 3.0
SHADE = HexColor("#e8eef0")
Lines = tuple[str, ...]


@lru_cache(maxsize=20_000)
def width_of(word: str, font: str, size: float) -> float:
    return stringWidth(word, font, size)


def wrap(text: str, width: float, font: str = REGULAR, size: float = SIZE) -> Lines:
    """Lines that fit. A word that is longer than the line is broken, so that nothing is ever cut off."""
    lines: list[str] = []
    space = width_of(" ", font, size)
    for paragraph in text.splitlines() or [""]:
        line, used = "", 0.0
        for word in _breakable(paragraph, width, font, size):
            needed = width_of(word, font, size)
            if line and used + space + needed > width:
                lines.append(line)
                line, used = word, needed
            else:
                line, used = (f"{line} {word}", used + space + needed) if line else (word, needed)
        lines.append(line)
    return tuple(lines)


def _breakable(paragraph: str, width: float, font: str, size: float) -> list[str]:
    words: list[str] = []
    for word in paragraph.split():
        rest = word
        while width_of(rest, font, size) > width and len(rest) > 1:
            end = next(
                end for end in range(len(rest) - 1, 0, -1) if end == 1 or stringWidth(rest[:end], font, size) <= width
            )
            words.append(rest[:end])
            rest = rest[end:]
        words.append(rest)
    return words


class GridFlowable(Flowable):
    """The rows from `first` on; splitting hands the rest to the next page without copying it."""

    def __init__(
        self, grid: Grid, width: float, wrapped: Sequence[tuple[Lines, ...]] | None = None, first: int = 0,
        last: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.grid, self.width, self.first = grid, width, first
        self.columns = _columns(grid.headings, width)
        self.heads = [
            wrap(head.text, room - 2 * PAD, BOLD) for head, room in zip(grid.headings, self.columns, strict=True)
        ]
        self.wrapped = wrapped if wrapped is not None else [self._wrap_row(row.cells) for row in grid.rows]
        self.last = len(self.wrapped) if last is None else last

    def _wrap_row(self, cells: Sequence[str]) -> tuple[Lines, ...]:
        return tuple(wrap(cell, room - 2 * PAD) for cell, room in zip(cells, self.columns, strict=True))

    @property
    def _head_height(self) -> float:
        return _height(self.heads)

    def wrap(self, available_width: float, available_height: float) -> tuple[float, float]:
        self.height = self._head_height + sum(_height(row) for row in self.wrapped[self.first : self.last])
        return self.width, self.height

    def split(self, available_width: float, available_height: float) -> list[Flowable]:
        left, end = available_height - self._head_height, self.first
        while end < self.last and _height(self.wrapped[end]) <= left:
            left -= _height(self.wrapped[end])
            end += 1
        if end == self.first or end == self.last:
            return []
        parts = ((self.first, end), (end, self.last))
        return [GridFlowable(self.grid, self.width, self.wrapped, *part) for part in parts]

    def draw(self) -> None:
        y = self.height
        self.canv.setFillColor(SHADE)
        self.canv.rect(0, y - self._head_height, self.width, self._head_height, stroke=0, fill=1)
        y = self._draw_row(y, self.heads, BOLD)
        for row in self.wrapped[self.first : self.last]:
            y = self._draw_row(y, row, REGULAR)

    def _draw_row(self, top: float, cells: Sequence[Lines], font: str) -> float:
        canvas: Any = self.canv
        canvas.setFont(font, SIZE)
        canvas.setFillColor(INK)
        x, height = 0.0, _height(cells)
        for head, lines, room in zip(self.grid.headings, cells, self.columns, strict=True):
            y = top - PAD - SIZE
            for line in lines:
                if head.is_figure:
                    canvas.drawRightString(x + room - PAD, y, line)
                else:
                    canvas.drawString(x + PAD, y, line)
                y -= LEADING
            x += room
        canvas.setStrokeColor(RULE)
        canvas.setLineWidth(0.4)
        canvas.line(0, top - height, self.width, top - height)
        return top - height


def _height(cells: Sequence[Lines]) -> float:
    return 2 * PAD + LEADING * max((len(lines) for lines in cells), default=1)


def _columns(headings: Sequence[Heading], width: float) -> list[float]:
    total = sum(head.share for head in headings)
    return [width * head.share / total for head in headings]
