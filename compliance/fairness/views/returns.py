"""What came back to players at a table in a month, against the exact average."""

from datetime import date
from math import sqrt
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.fairness.chance import DEVIATIONS
from compliance.fairness.drift import CARDS, CARDS_UNKNOWN, DICE, STREAK, BetDrift, TableDrift, bets_in_order
from compliance.fairness.forms import MonthForm
from compliance.fairness.models import ReturnDay
from compliance.fairness.pictures import Drawn, draw_path, drawn_path
from compliance.fairness.returns import added_up, compare_return, days_of
from compliance.fairness.selectors import months_of
from compliance.fairness.views.places import address_of, numbers, rare, readers
from compliance.web.charts import svg_response
from compliance.web.components import Chart, Column, FilterPanel, SummaryList, SummaryRow, Table, Tag
from compliance.web.errors import NotFound
from compliance.web.templatetags.kit import money
from rounds.floor.models import Table as FloorTable
from rounds.floor.selectors import access_table
from rounds.rulebook.calculator.words import bet_words

BASES = {
    DICE: "Three dice",
    CARDS: "The stated decks, each round from a full shoe",
    CARDS_UNKNOWN: "An endless shoe: nobody stated the decks",
    STREAK: "Super Streak, from the first result to the end of the run",
}


@readers
@never_cache
@require_safe
def returned(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    months = months_of(request.casino, table)
    form = MonthForm(request.GET, months=months)
    month = form.chosen()
    context: dict[str, Any] = {
        "casino": request.casino,
        "floor_table": found,
        "month": month,
        "panel": FilterPanel(form),
    }
    if month:
        rows = _days(found, month)
        context |= _month_shown(request, found, month, rows)
    return render(request, "fairness/returned.html", context)


def _days(table: FloorTable, month: str) -> list[ReturnDay]:
    first = date.fromisoformat(f"{month}-01")
    return [row for row in days_of(table.casino, table.slug, first, date.max) if f"{row.gaming_day:%Y-%m}" == month]


def _month_shown(request: CasinoRequest, table: FloorTable, month: str, rows: list[ReturnDay]) -> dict[str, Any]:
    drift, tested = added_up(rows), compare_return(rows)
    picture = None
    if tested is not None:
        places = drawn_path(tested.cells)
        source = f"{address_of('table-chart', table.casino, table=table.slug)}?{urlencode({'month': month})}"
        picture = Chart(src=source, alt=_path_words(places), table=numbers(places))
    return {
        "chart": picture,
        "bets": _bets(request, drift),
        "whole": _whole(drift),
        "deviations": f"{tested.statistic:+.2f}" if tested else "",
        "p_value": rare(f"{tested.p_value:.3g}") if tested else "",
        "has_unknown_decks": any(basis == CARDS_UNKNOWN for _, basis in drift.bets),
    }


def _path_words(places: list[Drawn]) -> str:
    last = places[-1]
    where = "within the bounds of chance" if last.is_within else "outside the bounds of chance"
    sort = "more" if last.counted >= 0 else "less"
    return f"By the last day ${abs(last.counted):,} {sort} than the average had come back, {where}."


def _whole(drift: TableDrift) -> SummaryList:
    bound = round(DEVIATIONS * drift.deviation)
    expected = round(drift.expected)
    return SummaryList(
        [
            SummaryRow("Rounds with a result", f"{drift.rounds:,}"),
            SummaryRow("Staked", money(drift.staked)),
            SummaryRow("Handed back", money(drift.returned)),
            SummaryRow("By the exact average", money(expected)),
            SummaryRow("Bounds (99 %)", format_html("{} to {}", money(expected - bound), money(expected + bound))),
        ]
    )


def _bets(request: CasinoRequest, drift: TableDrift) -> Table:
    def bounds(row: tuple[str, BetDrift]) -> Any:
        low, high = _bounds(row[1])
        return format_html("{} to {}", money(low), money(high))

    def within(row: tuple[str, BetDrift]) -> Tag:
        low, high = _bounds(row[1])
        return Tag("Within", "success") if low <= row[1].returned <= high else Tag("Outside", "info")

    return Table(
        caption="By bet",
        columns=(
            Column("Bet", lambda row: bet_words(row[0]), is_row_heading=True),
            Column("Results from", lambda row: BASES[row[1].basis]),
            Column("Staked", lambda row: money(row[1].staked), is_figure=True),
            Column("Handed back", lambda row: money(row[1].returned), is_figure=True),
            Column("By the exact average", lambda row: money(round(row[1].expected)), is_figure=True),
            Column("Average return", lambda row: f"{float(row[1].expected / row[1].staked):.4%}", is_figure=True),
            Column("Deviations", _deviations, is_figure=True),
            Column("Bounds (99 %)", bounds, is_figure=True),
            Column("Within", within),
        ),
        rows=list(bets_in_order(drift.bets)),
        query=request.GET,
        name="bets",
        page_size=100,
        empty="Nothing was staked that has an average.",
    )


def _bounds(bet: BetDrift) -> tuple[int, int]:
    """Where the decks are not known, around the least and the most that they can give."""
    spread = DEVIATIONS * sqrt(bet.variance)
    return round(float(bet.lowest) - spread), round(float(bet.highest) + spread)


def _deviations(row: tuple[str, BetDrift]) -> str:
    bet = row[1]
    return f"{float(bet.returned - bet.expected) / sqrt(bet.variance):+.2f}" if bet.variance else ""


@readers
@never_cache
@require_safe
def returned_chart(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    month = MonthForm(request.GET, months=months_of(request.casino, table)).chosen()
    tested = compare_return(_days(found, month)) if month else None
    if tested is None:
        raise NotFound
    return svg_response(draw_path(f"{found}: returned, beyond the average", drawn_path(tested.cells)))
