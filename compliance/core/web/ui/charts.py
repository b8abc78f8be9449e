"""Charts as ReportLab drawings: the same object becomes an SVG on the page and a figure in a PDF."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal, TypedDict

from django.http import HttpResponse
from reportlab.graphics import renderSVG
from reportlab.graphics.shapes import Circle, Drawing, Line, PolyLine, Rect, String
from reportlab.lib.colors import Color, HexColor

Number = int | Fraction | Decimal

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 72, 16, 60, 64
FONT, BOLD, SIZE = "Helvetica", "Helvetica-Bold", 11
INK, SECONDARY_INK, RULE = HexColor("#14212a"), HexColor("#4b5b64"), HexColor("#c3ced2")
# Contrast of at least 4.5:1 on white, distinguishable in greyscale; each line also has its own marks and its name.
SERIES_COLOURS = (HexColor("#0b5468"), HexColor("#a3221b"), HexColor("#6a4400"), HexColor("#3d2b7a"))
RANKED_LEFT, RANKED_RIGHT, RANKED_TOP, RANKED_ROW, RANKED_LETTERS = 220, 72, 48, 22, 32
TICKS = 5
MAX_LABELS = 12
SVG_REPLACEMENTS = (
    ("<title>...</title>", ""),
    ("<desc>...</desc>", ""),
    (f"font-family: {BOLD};", "font-family: Helvetica, Arial, sans-serif; font-weight: bold;"),
    (f"font-family: {FONT};", "font-family: Helvetica, Arial, sans-serif;"),
)
MAX_MARKS = 60

Anchor = Literal["start", "middle", "end"]


class _Style(TypedDict, total=False):
    strokeColor: Color | None
    strokeWidth: float
    strokeDashArray: Sequence[float]


@dataclass(frozen=True)
class Point:
    label: str
    value: Number


@dataclass(frozen=True)
class Series:
    name: str
    points: Sequence[Point]


def bar_chart(*, title: str, x_label: str, y_label: str, points: Sequence[Point]) -> Drawing:
    plot = _Plot(title, x_label, y_label, [point.label for point in points], [point.value for point in points])
    for place, point in enumerate(points):
        low, high = sorted((plot.y_position(0), plot.y_position(point.value)))
        plot.draw_rectangle(
            plot.x_position(place) - plot.slot_width * 0.35,
            low,
            plot.slot_width * 0.7,
            max(high - low, 0.5),
            SERIES_COLOURS[0],
        )
    return plot.drawing


def line_chart(*, title: str, x_label: str, y_label: str, series: Sequence[Series]) -> Drawing:
    """Up to four lines over the same labels."""
    if len(series) > len(SERIES_COLOURS):
        raise ValueError(f"A line chart holds at most {len(SERIES_COLOURS)} lines, not {len(series)}.")
    labels = [point.label for point in series[0].points] if series else []
    plot = _Plot(title, x_label, y_label, labels, [point.value for line in series for point in line.points])
    for place, line in enumerate(series):
        _draw_line(plot, line, place)
    return plot.drawing


def horizontal_bar_chart(*, title: str, label: str, points: Sequence[Point]) -> Drawing:
    """Horizontal bars with long labels on the left and the value on the right: for counts by name."""
    height = RANKED_TOP + RANKED_ROW * len(points) + 12
    drawing = Drawing(WIDTH, height)
    draw_rectangle(drawing, 0, 0, WIDTH, height, HexColor("#ffffff"))
    drawing.add(String(12, height - 18, title, fontName=BOLD, fontSize=SIZE + 2, fillColor=INK))
    _draw_text(drawing, 12, height - 36, label)
    most = max((Fraction(point.value) for point in points), default=Fraction(0)) or Fraction(1)
    for place, point in enumerate(points):
        y = height - RANKED_TOP - RANKED_ROW * (place + 1)
        length = float(Fraction(point.value) / most) * (WIDTH - RANKED_LEFT - RANKED_RIGHT)
        _draw_text(drawing, RANKED_LEFT - 8, y + 6, point.label[:RANKED_LETTERS], "end", INK)
        draw_rectangle(drawing, RANKED_LEFT, y + 2, max(length, 0.5), 16, SERIES_COLOURS[0])
        _draw_text(drawing, RANKED_LEFT + length + 6, y + 6, format_axis_number(Fraction(point.value)), colour=INK)
    return drawing


def draw_rectangle(drawing: Drawing, x: float, y: float, width: float, height: float, colour: Color) -> None:
    box = Rect(x, y, width, height)
    box.fillColor, box.strokeColor = colour, None
    drawing.add(box)


def _draw_text(
    drawing: Drawing, x: float, y: float, text: str, anchor: Anchor = "start", colour: Color = SECONDARY_INK
) -> None:
    drawing.add(String(x, y, text, textAnchor=anchor, fontName=FONT, fontSize=SIZE, fillColor=colour))


def render_svg(drawing: Drawing) -> bytes:
    """The drawing as SVG,
    with font families that browsers know and without ReportLab's placeholder title (the page has alt)."""
    text: str = renderSVG.drawToString(drawing)
    for theirs, ours in SVG_REPLACEMENTS:
        text = text.replace(theirs, ours)
    return text.encode()


def svg_response(drawing: Drawing) -> HttpResponse:
    """Response of a chart's own URL; the page embeds it with <img src alt>."""
    return HttpResponse(render_svg(drawing), content_type="image/svg+xml")


class _Plot:
    """Title, axes, grid and scale that every chart draws on."""

    def __init__(self, title: str, x_label: str, y_label: str, labels: Sequence[str], values: Sequence[Number]) -> None:
        self.drawing = Drawing(WIDTH, HEIGHT)
        self.labels = labels
        self.low, self.high, self.step = axis_scale(values)
        self._draw_title(title, x_label, y_label)
        self._draw_grid()
        self._draw_labels()

    @property
    def slot_width(self) -> float:
        return (WIDTH - LEFT - RIGHT) / max(len(self.labels), 1)

    def x_position(self, index: int) -> float:
        return LEFT + self.slot_width * (index + 0.5)

    def y_position(self, value: Number) -> float:
        share = Fraction(value) - self.low
        return BOTTOM + float(share / (self.high - self.low)) * (HEIGHT - TOP - BOTTOM)

    def draw_rectangle(self, x: float, y: float, width: float, height: float, colour: Color) -> None:
        draw_rectangle(self.drawing, x, y, width, height, colour)

    def draw_text(self, x: float, y: float, text: str, anchor: Anchor = "start", colour: Color = SECONDARY_INK) -> None:
        _draw_text(self.drawing, x, y, text, anchor, colour)

    def _draw_title(self, title: str, x_label: str, y_label: str) -> None:
        self.draw_rectangle(0, 0, WIDTH, HEIGHT, HexColor("#ffffff"))
        self.drawing.add(String(12, HEIGHT - 18, title, fontName=BOLD, fontSize=SIZE + 2, fillColor=INK))
        self.draw_text(12, HEIGHT - 36, y_label)
        self.draw_text(LEFT + (WIDTH - LEFT - RIGHT) / 2, 10, x_label, "middle")

    def _draw_grid(self) -> None:
        value = self.low
        while value <= self.high:
            y = self.y_position(value)
            is_base = value == 0
            self.drawing.add(
                Line(LEFT, y, WIDTH - RIGHT, y, strokeColor=INK if is_base else RULE, strokeWidth=1 if is_base else 0.5)
            )
            self.draw_text(LEFT - 8, y - 4, format_axis_number(value), "end")
            value += self.step

    def _draw_labels(self) -> None:
        every = -(-len(self.labels) // MAX_LABELS)
        for place, label in enumerate(self.labels):
            if place % every == 0:
                self.draw_text(self.x_position(place), BOTTOM - 18, label, "middle")


def _draw_line(plot: _Plot, line: Series, index: int) -> None:
    """Draws a line with its marks, and its name below the chart.
    All lines but the first are dashed, each differently."""
    style: _Style = {"strokeColor": SERIES_COLOURS[index], "strokeWidth": 2}
    if index:
        style["strokeDashArray"] = [8 / index, 3]
    at = [(plot.x_position(index), plot.y_position(point.value)) for index, point in enumerate(line.points)]
    plot.drawing.add(PolyLine([number for pair in at for number in pair], **style))
    for x, y in at if len(at) <= MAX_MARKS else ():
        plot.drawing.add(Circle(x, y, 3, fillColor=SERIES_COLOURS[index], strokeColor=None))
    name_x = LEFT + index * (WIDTH - LEFT - RIGHT) / len(SERIES_COLOURS)
    plot.drawing.add(PolyLine([name_x, 32, name_x + 24, 32], **style))
    plot.draw_text(name_x + 30, 28, line.name, colour=INK)


def axis_scale(values: Sequence[Number]) -> tuple[Fraction, Fraction, Fraction]:
    """Lowest and highest value of the axis and its step: zero included, steps of 1, 2 or 5 times a power of ten. Steps
    are whole if all values are: those are counts."""
    exact = [Fraction(0), *(Fraction(value) for value in values)]
    low, high = min(exact), max(exact)
    rough = (high - low) / TICKS or Fraction(1, TICKS)
    power = Fraction(1)
    while power > rough:
        power /= 10
    while power * 10 <= rough:
        power *= 10
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    if all(value.denominator == 1 for value in exact):
        step = max(step, Fraction(1))
    bottom, top = (low // step) * step, -(-high // step) * step
    return Fraction(bottom), Fraction(top) if top > bottom else bottom + step * TICKS, step


def format_axis_number(value: Fraction) -> str:
    """Exact decimal, because every step is one."""
    whole = Decimal(value.numerator) / Decimal(value.denominator)
    return f"{whole:,f}".replace("-", "−")
