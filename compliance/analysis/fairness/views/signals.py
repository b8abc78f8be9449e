"""Pages of signals: list, detail with chart and rounds, acknowledgement."""

from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods, require_safe

from compliance.analysis.fairness.charts import chart_points, chart_summary, draw_signal
from compliance.analysis.fairness.forms import AcknowledgeForm, SignalsFilter
from compliance.analysis.fairness.models import MAY_ACKNOWLEDGE, Signal, SignalAcknowledgement
from compliance.analysis.fairness.selectors import access_signal, list_signals, rounds_of_signal
from compliance.analysis.fairness.services import acknowledge_signal
from compliance.analysis.fairness.statistics.dice_tests import RETURN_TEST
from compliance.analysis.fairness.statistics.significance import LEVEL_PER_YEAR
from compliance.analysis.fairness.views.common import (
    acknowledgers_only,
    chart_table,
    format_percent,
    format_probability,
    readers_only,
)
from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.selectors import record_lines, recorded_indexes
from compliance.core.web.errors import Refusal
from compliance.core.web.templatetags.ui import dice, local
from compliance.core.web.ui.charts import svg_response
from compliance.core.web.ui.components import (
    Chart,
    Column,
    DataTable,
    FilterPanel,
    SummaryList,
    SummaryRow,
    Tag,
    Timeline,
    TimelineEntry,
)
from compliance.core.web.ui.confirm_page import bound_data
from compliance.core.web.ui.links import casino_url, entry_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.precheck import carry_out
from rounds.engine import OUTCOMES

SEEN_TAG, UNSEEN_TAG = Tag("Looked at", "success"), Tag("Nobody looked yet", "warning")


SIGNALS = FilteredList("fairness:signals", SignalsFilter, lambda asked, chosen: list_signals(asked.casino, chosen))


@readers_only
@require_safe
def signal_list(request: CasinoRequest, casino: str) -> ListResponse:
    form, rows = SIGNALS(ListQuery.from_request(request))
    table = DataTable(
        caption="Signals, the newest first",
        columns=(
            Column("Found", "found_at", sort="found_at", is_row_heading=True, link=lambda row: row.get_absolute_url()),
            Column("Code", "code", sort="code"),
            Column("What", "subject_label", sort="subject"),
            Column("Tested", "tested_label"),
            Column("Rounds", lambda row: f"{row.rounds:,}", sort="rounds", is_figure=True),
            Column("p-value", "p_value", is_figure=True, display=lambda row: format_probability(row.p_value)),
            Column("State", lambda row: SEEN_TAG if row.is_seen else UNSEEN_TAG),
        ),
        rows=rows,
        sort="-found_at",
        empty="No signal. Where rounds were played and looked at, they were as chance gives them.",
    )
    return list_response(request, "fairness/signals.html", {"panel": FilterPanel(form), "table": table})


@readers_only
@require_safe
def signal_detail(request: CasinoRequest, casino: str, signal: int) -> ListResponse:
    found = access_signal(request.user, request.casino, signal)
    acknowledgements = list(found.seen.all())
    context = {
        "signal": found,
        "summary": SummaryList(list(_fact_rows(found))),
        "chart": _chart_component(found),
        "sets": _dice_set_table(found),
        "rounds": _round_table(request, found),
        "seen": _acknowledgement_timeline(found),
        "is_seen": bool(acknowledgements),
        "corrections": record_lines(
            request.user, request.casino, recorded_indexes(SignalAcknowledgement.recorded.filter(signal=found))
        ),
        "is_money": found.test == RETURN_TEST,
        "may_mark": request.user.has_role(*MAY_ACKNOWLEDGE, casino=request.casino),
        "one_in": _one_in_text(found.p_value),
        "a_year": format_percent(LEVEL_PER_YEAR),
    }
    return list_response(request, "fairness/signal.html", context, lists=("rounds",))


def _one_in_text(p_value: str) -> str:
    """How rare it is, as in "one in N", to two significant digits."""
    chance = float(p_value)
    return f"{int(float(f'{1 / chance:.2g}')):,}" if chance > 1e-12 else "a million million"


def _fact_rows(signal: Signal) -> Iterator[SummaryRow]:
    entry = entry_url(signal.log, signal.entry_index)
    kind = f"chi-square with {signal.degrees} degrees of freedom" if signal.degrees else "exact"
    yield SummaryRow("Code", f"{signal.code}: {signal.get_code_display().lower()}")
    yield SummaryRow("What", signal.subject_label)
    yield SummaryRow("Counted over", f"The month {signal.window}" if signal.window else "Everything it played")
    yield SummaryRow("Tested", signal.tested_label.capitalize())
    yield SummaryRow("Rounds counted", f"{signal.rounds:,}")
    if signal.test == RETURN_TEST:
        yield SummaryRow("Deviations from the average", signal.statistic)
    else:
        yield SummaryRow("Statistic", f"{signal.statistic} ({kind})")
    yield SummaryRow("p-value", format_probability(signal.p_value))
    yield SummaryRow(
        "Held to",
        format_html("{}, sharing the day with {} tests", format_probability(signal.level), f"{signal.tests:,}"),
    )
    yield SummaryRow("Gaming day", f"{signal.gaming_day:%Y-%m-%d}")
    yield SummaryRow("Found", local(signal.found_at, signal.casino))
    yield SummaryRow("Recorded", format_html('<a href="{}">Entry {}</a>', entry, f"{signal.entry_index:,}"))


def _chart_component(signal: Signal) -> Chart:
    places = chart_points(signal.cells, is_money=signal.test == RETURN_TEST)
    source = casino_url("fairness:chart", signal.casino, signal=signal.entry_index)
    return Chart(src=source, alt=chart_summary(signal), table=chart_table(places))


def _dice_set_table(signal: Signal) -> DataTable:
    return DataTable(
        caption="Dice sets concerned, up to that day",
        columns=(
            Column("Dice set", lambda each: each["dice"], is_row_heading=True),
            Column("Table", lambda each: each["table"]),
            Column("First entry", lambda each: f"{each['first']:,}", is_figure=True),
            Column("Last entry", lambda each: f"{each['last']:,}", is_figure=True),
            Column("Rounds", lambda each: f"{each['rounds']:,}", is_figure=True),
        ),
        rows=signal.played,
        name="sets",
        empty="Nobody recorded which dice were at the table.",
    )


def _round_table(request: CasinoRequest, signal: Signal) -> DataTable:
    place = request.casino
    return DataTable(
        caption="Every round that these dice played" if signal.played else "Every round that was counted",
        columns=(
            Column(
                "Round",
                "round",
                is_row_heading=True,
                link=lambda row: casino_url("desk:round", place, index=row.entry_index),
            ),
            Column("Entry", lambda row: f"{row.entry_index:,}", is_figure=True),
            Column("Began", "started_at"),
            Column("Table", "table"),
            Column("Dice set", lambda row: getattr(row, "in_use", "")),
            Column(
                "Result",
                lambda row: "-".join(map(str, OUTCOMES[row.outcome])),
                display=lambda row: dice(OUTCOMES[row.outcome]),
            ),
        ),
        rows=rounds_of_signal(signal).defer("events", "wagers"),
        name="rounds",
        empty="Those rounds were taken back since.",
    )


def _acknowledgement_timeline(signal: Signal) -> Timeline | None:
    entries = [
        TimelineEntry("Looked at", each.at, f"{each.by_name}, {each.get_acted_as_display().lower()}", each.note)
        for each in signal.seen.all()
    ]
    return Timeline(entries, signal.casino) if entries else None


@readers_only
@require_safe
def signal_chart(request: CasinoRequest, casino: str, signal: int) -> HttpResponse:
    return svg_response(draw_signal(access_signal(request.user, request.casino, signal)))


@acknowledgers_only
@require_http_methods(["GET", "HEAD", "POST"])
def acknowledge(request: CasinoRequest, casino: str, signal: int) -> HttpResponse:
    found = access_signal(request.user, request.casino, signal)
    form = AcknowledgeForm(bound_data(request))
    if request.method == "POST" and form.is_valid():
        try:
            note = form.cleaned_data["note"]
            carry_out(
                request,
                form,
                lambda: acknowledge_signal(signal=found, note=note, actor=request.user, now=timezone.now()),
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            messages.success(request, "Your note is recorded in your name.")
            return redirect(found.get_absolute_url())
    return render(request, "fairness/see.html", {"casino": request.casino, "signal": found, "form": form})
