"""Charts: exact scales, labels, and one drawing for page and PDF."""

import io
from decimal import Decimal
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from django.test import Client
from reportlab.graphics.shapes import Drawing
from reportlab.platypus import SimpleDocTemplate

from compliance.core.web.ui.charts import (
    Number,
    Point,
    Series,
    axis_scale,
    bar_chart,
    format_axis_number,
    line_chart,
    render_svg,
)

SVG = "{http://www.w3.org/2000/svg}"


def words(drawing: Drawing) -> list[str]:
    root = ElementTree.fromstring(render_svg(drawing))  # noqa: S314 - our own drawing
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def rounds_by_day(*values: Number) -> Drawing:
    points = [Point(f"{day} Nov", value) for day, value in enumerate(values, start=1)]
    return bar_chart(title="Rounds by day", x_label="Day", y_label="Rounds", points=points)


@pytest.mark.parametrize(
    ("values", "low", "high", "step"),
    [
        ([47, 89], 0, 100, 20),
        ([0, 0], 0, 5, 1),
        ([], 0, 5, 1),
        ([Fraction(1, 2)], 0, Fraction(1, 2), Fraction(1, 10)),
        ([-7, 12], -10, 15, 5),
        ([1], 0, 1, 1),
        ([3], 0, 3, 1),
        ([Decimal("0.003")], 0, Fraction(3, 1000), Fraction(1, 1000)),
        ([1_000_001], 0, 1_500_000, 500_000),
        ([-3], -3, 0, 1),
    ],
)
def test_the_axis_has_round_steps_and_holds_every_value(
    values: list[Number], low: Number, high: Number, step: Number
) -> None:
    assert axis_scale(values) == (low, high, step)


def test_axis_figures_are_exact() -> None:
    assert [
        format_axis_number(Fraction(1, 5)),
        format_axis_number(Fraction(1_500_000)),
        format_axis_number(Fraction(-10)),
    ] == ["0.2", "1,500,000", "−10"]


def test_title_axes_and_labels_are_in_the_picture() -> None:
    found = words(rounds_by_day(47, 89))
    for expected in ("Rounds by day", "Day", "Rounds", "1 Nov", "2 Nov", "0", "20", "100"):
        assert expected in found


def test_many_labels_are_thinned_out() -> None:
    found = [text for text in words(rounds_by_day(*range(30))) if text.endswith("Nov")]
    assert len(found) == 10
    assert found[:2] == ["1 Nov", "4 Nov"]


def test_bars_are_as_high_as_their_values() -> None:
    root = ElementTree.fromstring(render_svg(rounds_by_day(20, 80, -20)))  # noqa: S314 - our own drawing
    heights = [float(box.get("height", "0")) for box in root.iter(f"{SVG}rect")][-3:]
    assert heights[1] == pytest.approx(4 * heights[0])
    assert heights[2] == pytest.approx(heights[0])


def test_lines_are_named_and_told_apart_without_colour() -> None:
    series = [Series(name, [Point("1", 1), Point("2", 3)]) for name in ("Small", "Big")]
    drawing = line_chart(title="Returned", x_label="Day", y_label="Per cent", series=series)
    assert {"Small", "Big"} <= set(words(drawing))
    assert b"stroke-dasharray" in render_svg(drawing)
    with pytest.raises(ValueError, match="at most 4 lines"):
        line_chart(title="", x_label="", y_label="", series=series * 3)


def test_without_points_there_is_still_a_picture() -> None:
    assert words(rounds_by_day()) != []
    assert render_svg(line_chart(title="Returned", x_label="Day", y_label="Per cent", series=[]))


def test_the_text_of_a_chart_cannot_become_markup() -> None:
    drawing = bar_chart(title="<script>", x_label="&", y_label="", points=[Point("<b>", 1)])
    assert b"<script>" not in render_svg(drawing)
    assert "<script>" in words(drawing)


def test_the_same_drawing_goes_into_a_pdf() -> None:
    out = io.BytesIO()
    SimpleDocTemplate(out).build([rounds_by_day(47, 89)])
    assert out.getvalue().startswith(b"%PDF")


@pytest.mark.urls("tests.compliance.core.web.component_gallery")
@pytest.mark.django_db
def test_a_chart_is_served_by_address(client: Client) -> None:
    response = client.get("/chart.svg")
    assert response["Content-Type"] == "image/svg+xml"
    assert b"font-family: Helvetica, Arial, sans-serif; font-weight: bold" in response.content
