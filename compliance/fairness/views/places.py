"""What the pages of fairness share: addresses, who may open them, the numbers below a picture."""

from fractions import Fraction

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from compliance.accounts.models import Casino
from compliance.fairness.models import MAY_MARK
from compliance.fairness.pictures import Drawn
from compliance.web.access import held_by
from compliance.web.components import Column, Table, Tag
from rounds.floor.standing import MAY_READ

readers = held_by(*MAY_READ)
markers = held_by(*MAY_MARK)
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"fairness:{name}", kwargs={"casino": casino.slug, **kwargs})


def percent(rate: Fraction) -> str:
    return f"{float(rate * 100):g} %"


def rare(figure: str) -> SafeString:
    """2.14e-15 → 2.14 × 10⁻¹⁵ on the page; files keep what machines read."""
    whole, _, power = figure.partition("e")
    said = f"{whole} × 10{str(int(power)).translate(RAISED)}" if power else figure
    return format_html('<data class="figure" value="{}">{}</data>', figure, said)


def numbers(places: list[Drawn]) -> Table:
    return Table(
        caption="Counted, and given by chance",
        columns=(
            Column("What", "label", is_row_heading=True),
            Column("Counted", lambda each: f"{each.counted:,}", is_figure=True),
            Column("By chance", lambda each: f"{each.expected:,.1f}", is_figure=True),
            Column("Lower bound (99 %)", lambda each: f"{each.lower:,.1f}", is_figure=True),
            Column("Upper bound (99 %)", lambda each: f"{each.upper:,.1f}", is_figure=True),
            Column("Within", lambda each: Tag("Within", "success") if each.is_within else Tag("Outside", "warning")),
        ),
        rows=places,
        name="figures",
        page_size=100,
    )
