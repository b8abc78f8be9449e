"""Charts of signals and returns, and the sentence that describes a chart in its alt text."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from reportlab.graphics.shapes import Drawing

from compliance.analysis.fairness.models import Signal
from compliance.analysis.fairness.statistics.dice_tests import RETURN_TEST, TEST_LABELS, ChartBar
from compliance.core.web.ui.charts import Point, Series, line_chart

# Money is drawn in dollars, counts as they are.
CENTS_PER_DOLLAR = Decimal(100)


@dataclass(frozen=True)
class ChartPoint:
    """One point of a chart. Figures are exact decimals, as recorded."""

    label: str
    counted: Decimal
    expected: Decimal
    lower: Decimal
    upper: Decimal

    @property
    def is_within(self) -> bool:
        return self.lower <= self.counted <= self.upper


def chart_points(cells: Sequence[Sequence[Any]], *, is_money: bool) -> list[ChartPoint]:
    """The points of a signal's recorded cells."""
    unit = CENTS_PER_DOLLAR if is_money else Decimal(1)
    return [ChartPoint(str(label), *(Decimal(value) / unit for value in figures)) for label, *figures in cells]


def return_points(cells: Sequence[ChartBar]) -> list[ChartPoint]:
    """The points of the returns, day by day."""
    return chart_points([cell.to_json() for cell in cells], is_money=True)


def draw_chart(title: str, x_label: str, y_label: str, points: Sequence[ChartPoint]) -> Drawing:
    lines = (("Counted", "counted"), ("By chance", "expected"), ("Lower bound", "lower"), ("Upper bound", "upper"))
    series = [Series(name, [Point(each.label, getattr(each, field)) for each in points]) for name, field in lines]
    return line_chart(title=title, x_label=x_label, y_label=y_label, series=series)


def draw_signal(signal: Signal) -> Drawing:
    places = chart_points(signal.cells, is_money=signal.test == RETURN_TEST)
    if signal.test == RETURN_TEST:
        return draw_return_chart(f"{signal.subject_label}: returned, beyond the average", places)
    return draw_chart(f"{signal.subject_label}: {TEST_LABELS[signal.test]}", "What came", "Times", places)


def draw_return_chart(title: str, points: Sequence[ChartPoint]) -> Drawing:
    return draw_chart(title, "Gaming day", "Dollars since the month began", points)


def chart_summary(signal: Signal) -> str:
    """The alt text of a signal's chart."""
    places = chart_points(signal.cells, is_money=signal.test == RETURN_TEST)
    outside = [each.label for each in places if not each.is_within]
    if not places:
        return "There is nothing to draw."
    if not outside:
        return f"All {len(places)} figures lie within their own bounds; it is all of them together that are rare."
    return f"{len(outside)} of {len(places)} figures lie outside the bounds of chance: {', '.join(outside)}."
