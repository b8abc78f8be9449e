"""Charts of signals and of what came back, and the one sentence that says the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from reportlab.graphics.shapes import Drawing

from compliance.fairness.chance import RETURN, WORDS, Cell
from compliance.fairness.models import Signal
from compliance.web.charts import Point, Series, line_chart

# Money is drawn in whole dollars, counts as they are.
CENTS = Decimal(100)


@dataclass(frozen=True)
class Drawn:
    """One place of a picture. Figures are exact decimals, as they were recorded."""

    label: str
    counted: Decimal
    expected: Decimal
    lower: Decimal
    upper: Decimal

    @property
    def is_within(self) -> bool:
        return self.lower <= self.counted <= self.upper


def drawn(cells: Sequence[Sequence[Any]], *, is_money: bool) -> list[Drawn]:
    """Of a signal's record."""
    unit = CENTS if is_money else Decimal(1)
    return [Drawn(str(label), *(Decimal(value) / unit for value in figures)) for label, *figures in cells]


def drawn_path(cells: Sequence[Cell]) -> list[Drawn]:
    """Of what came back, day by day."""
    return drawn(
        [[cell.label, cell.counted, *(f"{v:.2f}" for v in (cell.expected, cell.lower, cell.upper))] for cell in cells],
        is_money=True,
    )


def draw(title: str, x_label: str, y_label: str, places: Sequence[Drawn]) -> Drawing:
    lines = (("Counted", "counted"), ("By chance", "expected"), ("Lower bound", "lower"), ("Upper bound", "upper"))
    series = [Series(name, [Point(each.label, getattr(each, field)) for each in places]) for name, field in lines]
    return line_chart(title=title, x_label=x_label, y_label=y_label, series=series)


def draw_signal(signal: Signal) -> Drawing:
    places = drawn(signal.cells, is_money=signal.test == RETURN)
    if signal.test == RETURN:
        return draw_path(f"{signal.subject_words}: returned, beyond the average", places)
    return draw(f"{signal.subject_words}: {WORDS[signal.test]}", "What came", "Times", places)


def draw_path(title: str, places: Sequence[Drawn]) -> Drawing:
    return draw(title, "Gaming day", "Dollars since the month began", places)


def words_of(signal: Signal) -> str:
    """What the picture shows."""
    places = drawn(signal.cells, is_money=signal.test == RETURN)
    outside = [each.label for each in places if not each.is_within]
    if not places:
        return "There is nothing to draw."
    if not outside:
        return f"All {len(places)} figures lie within their own bounds; it is all of them together that are rare."
    return f"{len(outside)} of {len(places)} figures lie outside the bounds of chance: {', '.join(outside)}."
