"""Shared by the fairness pages: access rules, number formats, the table below a chart."""

from fractions import Fraction

from django.utils.html import format_html
from django.utils.safestring import SafeString

from compliance.analysis.fairness.charts import ChartPoint
from compliance.analysis.fairness.models import MAY_ACKNOWLEDGE
from compliance.core.web.access import require_roles
from compliance.core.web.ui.components import Column, DataTable, Tag
from rounds.floor.permissions import MAY_READ

readers_only = require_roles(*MAY_READ)
acknowledgers_only = require_roles(*MAY_ACKNOWLEDGE)
SUPERSCRIPT_DIGITS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def format_percent(rate: Fraction) -> str:
    return f"{float(rate * 100):g} %"


def format_probability(figure: str) -> SafeString:
    """2.14e-15 is shown as 2.14 × 10⁻¹⁵; the `value` attribute keeps the plain number."""
    whole, _, power = figure.partition("e")
    text = f"{whole} × 10{str(int(power)).translate(SUPERSCRIPT_DIGITS)}" if power else figure
    return format_html('<data class="figure" value="{}">{}</data>', figure, text)


def chart_table(points: list[ChartPoint]) -> DataTable:
    return DataTable(
        caption="Counted, and given by chance",
        columns=(
            Column("What", "label", is_row_heading=True),
            Column("Counted", lambda each: f"{each.counted:,}", is_figure=True),
            Column("By chance", lambda each: f"{each.expected:,.1f}", is_figure=True),
            Column("Lower bound (99 %)", lambda each: f"{each.lower:,.1f}", is_figure=True),
            Column("Upper bound (99 %)", lambda each: f"{each.upper:,.1f}", is_figure=True),
            Column("Within", lambda each: Tag("Within", "success") if each.is_within else Tag("Outside", "warning")),
        ),
        rows=points,
        name="figures",
        page_size=100,
    )
