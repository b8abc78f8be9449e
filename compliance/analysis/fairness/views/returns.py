"""Page of the money returned at a table in a month, against the exact average."""

from datetime import date
from math import sqrt
from typing import Any

from django.http import HttpResponse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from compliance.analysis.fairness.charts import CENTS_PER_DOLLAR, ChartPoint, draw_return_chart, return_points
from compliance.analysis.fairness.examination.daily_returns import daily_returns, run_return_test, total_drift
from compliance.analysis.fairness.forms import MonthForm
from compliance.analysis.fairness.models import DailyReturn
from compliance.analysis.fairness.selectors import months_with_returns
from compliance.analysis.fairness.statistics.dice_tests import BOUND_DEVIATIONS
from compliance.analysis.fairness.statistics.payout_drift import (
    CARDS,
    CARDS_UNKNOWN,
    DICE,
    STREAK,
    BetDrift,
    TableDrift,
    sorted_bets,
)
from compliance.analysis.fairness.views.common import chart_table, format_probability, readers_only
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import NotFound
from compliance.core.web.templatetags.ui import money
from compliance.core.web.ui.cell_values import Amount, Phrase
from compliance.core.web.ui.charts import svg_response
from compliance.core.web.ui.components import Chart, Column, DataTable, FilterPanel, SummaryList, SummaryRow, Tag
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from rounds.engine.money import format_cents
from rounds.floor.models import Table as FloorTable
from rounds.floor.selectors import access_table
from rounds.rulebook.labels import bet_label

BASIS_LABELS = {
    DICE: "Three dice",
    CARDS: "The stated decks, each round from a full shoe",
    CARDS_UNKNOWN: "An endless shoe: nobody stated the decks",
    STREAK: "Super Streak, from the first result to the end of the run",
}


@readers_only
@require_safe
def table_returns(request: CasinoRequest, casino: str, table: str) -> ListResponse:
    found = access_table(request.user, request.casino, table)
    months = months_with_returns(request.casino, table)
    form = MonthForm(request.GET, months=months)
    month = form.chosen_month()
    context: dict[str, Any] = {"floor_table": found, "month": month, "panel": FilterPanel(form)}
    if month:
        rows = _month_returns(found, month)
        context |= _month_context(found, month, rows)
    return list_response(request, "fairness/returned.html", context, lists=("bets",))


def _month_returns(table: FloorTable, month: str) -> list[DailyReturn]:
    first = date.fromisoformat(f"{month}-01")
    return [
        row for row in daily_returns(table.casino, table.slug, first, date.max) if f"{row.gaming_day:%Y-%m}" == month
    ]


def _month_context(table: FloorTable, month: str, rows: list[DailyReturn]) -> dict[str, Any]:
    drift, tested = total_drift(rows), run_return_test(rows)
    picture = None
    if tested is not None:
        places = return_points(tested.cells)
        source = f"{casino_url('fairness:table-chart', table.casino, table=table.slug)}?{urlencode({'month': month})}"
        picture = Chart(src=source, alt=_chart_summary(places), table=chart_table(places))
    return {
        "chart": picture,
        "bets": _bet_table(drift),
        "whole": _total_summary(drift),
        "deviations": f"{tested.statistic:+.2f}" if tested else "",
        "p_value": format_probability(f"{tested.p_value:.3g}") if tested else "",
        "has_unknown_decks": any(basis == CARDS_UNKNOWN for _, basis in drift.bets),
    }


def _chart_summary(places: list[ChartPoint]) -> str:
    last = places[-1]
    where = "within the bounds of chance" if last.is_within else "outside the bounds of chance"
    amount, sort = format_cents(abs(round(last.counted * CENTS_PER_DOLLAR))), "more" if last.counted >= 0 else "less"
    return f"By the last day {amount} {sort} than the average had come back, {where}."


def _total_summary(drift: TableDrift) -> SummaryList:
    bound = round(BOUND_DEVIATIONS * drift.deviation)
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


def _bet_table(drift: TableDrift) -> DataTable:
    def bounds_text(row: tuple[str, BetDrift]) -> Any:
        low, high = _return_bounds(row[1])
        return Phrase("{} to {}", Amount(low), Amount(high))

    def within_bounds_tag(row: tuple[str, BetDrift]) -> Tag:
        low, high = _return_bounds(row[1])
        return Tag("Within", "success") if low <= row[1].returned <= high else Tag("Outside", "info")

    return DataTable(
        caption="By bet",
        columns=(
            Column("Bet", lambda row: bet_label(row[0]), is_row_heading=True),
            Column("Results from", lambda row: BASIS_LABELS[row[1].basis]),
            Column("Staked", lambda row: row[1].staked, is_money=True),
            Column("Handed back", lambda row: row[1].returned, is_money=True),
            Column("By the exact average", lambda row: round(row[1].expected), is_money=True),
            Column("Average return", lambda row: f"{float(row[1].expected / row[1].staked):.4%}", is_figure=True),
            Column("Deviations", _deviation_text, is_figure=True),
            Column("Bounds (99 %)", bounds_text, is_figure=True),
            Column("Within", within_bounds_tag),
        ),
        rows=list(sorted_bets(drift.bets)),
        name="bets",
        page_size=100,
        empty="Nothing was staked that has an average.",
    )


def _return_bounds(bet: BetDrift) -> tuple[int, int]:
    """Where the number of decks is unknown, around the lowest and highest possible average."""
    spread = BOUND_DEVIATIONS * sqrt(bet.variance)
    return round(float(bet.lowest) - spread), round(float(bet.highest) + spread)


def _deviation_text(row: tuple[str, BetDrift]) -> str:
    bet = row[1]
    return f"{float(bet.returned - bet.expected) / sqrt(bet.variance):+.2f}" if bet.variance else ""


@readers_only
@require_safe
def table_returns_chart(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    month = MonthForm(request.GET, months=months_with_returns(request.casino, table)).chosen_month()
    tested = run_return_test(_month_returns(found, month)) if month else None
    if tested is None:
        raise NotFound
    return svg_response(draw_return_chart(f"{found}: returned, beyond the average", return_points(tested.cells)))
