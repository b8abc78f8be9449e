"""Signals: the list, each with its picture and the rounds behind it, and the note of whoever looked."""

from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.steps import posted
from compliance.fairness.chance import RETURN
from compliance.fairness.forms import SeenForm, SignalsFilter
from compliance.fairness.levels import A_YEAR
from compliance.fairness.models import MAY_MARK, Signal
from compliance.fairness.pictures import draw_signal, drawn, words_of
from compliance.fairness.selectors import access_signal, rounds_behind, signals_of
from compliance.fairness.services import mark_seen
from compliance.fairness.views.places import address_of, markers, numbers, percent, rare, readers
from compliance.web.charts import svg_response
from compliance.web.components import (
    Chart,
    Column,
    FilterPanel,
    SummaryList,
    SummaryRow,
    Table,
    Tag,
    Timeline,
    TimelineEntry,
)
from compliance.web.errors import Refusal
from compliance.web.templatetags.kit import dice, local
from rounds.engine.outcomes import OUTCOMES

SEEN, UNSEEN = Tag("Looked at", "success"), Tag("Nobody looked yet", "warning")


@readers
@never_cache
@require_safe
def signals(request: CasinoRequest, casino: str) -> HttpResponse:
    place, form = request.casino, SignalsFilter(request.GET)
    table = Table(
        caption="Signals, the newest first",
        columns=(
            Column("Found", lambda row: local(row.found_at, place), sort="found_at", is_row_heading=True,
                   link=lambda row: row.get_absolute_url()),
            Column("Code", "code", sort="code"),
            Column("What", "subject_words", sort="subject"),
            Column("Tested", "what_was_tested"),
            Column("Rounds", lambda row: f"{row.rounds:,}", sort="rounds", is_figure=True),
            Column("p-value", lambda row: rare(row.p_value), is_figure=True),
            Column("State", lambda row: SEEN if row.is_seen else UNSEEN),
        ),
        rows=signals_of(place, form.chosen()),
        query=request.GET,
        sort="-found_at",
        empty="No signal. Where rounds were played and looked at, they were as chance gives them.",
    )  # fmt: skip
    return render(request, "fairness/signals.html", {"casino": place, "panel": FilterPanel(form), "table": table})


@readers
@never_cache
@require_safe
def signal(request: CasinoRequest, casino: str, signal: int) -> HttpResponse:
    found = access_signal(request.user, request.casino, signal)
    seen = list(found.seen.all())
    context = {
        "casino": request.casino, "signal": found, "summary": SummaryList(list(_facts(found))),
        "chart": _chart(found), "sets": _sets(found), "rounds": _rounds(request, found), "seen": _seen(found),
        "is_seen": bool(seen), "is_money": found.test == RETURN,
        "may_mark": request.user.holds(*MAY_MARK, casino=request.casino), "one_in": _one_in(found.p_value),
        "a_year": percent(A_YEAR),
    }  # fmt: skip
    return render(request, "fairness/signal.html", context)


def _one_in(p_value: str) -> str:
    """How rare that is, in words: one in so many, to two figures."""
    chance = float(p_value)
    return f"{int(float(f'{1 / chance:.2g}')):,}" if chance > 1e-12 else "a million million"


def _facts(signal: Signal) -> Iterator[SummaryRow]:
    entry = reverse("evidence:entry", kwargs={"casino": signal.log, "index": signal.entry_index})
    kind = f"chi-square with {signal.degrees} degrees of freedom" if signal.degrees else "exact"
    yield SummaryRow("Code", f"{signal.code}: {signal.get_code_display().lower()}")
    yield SummaryRow("What", signal.subject_words)
    yield SummaryRow("Counted over", f"The month {signal.window}" if signal.window else "Everything it played")
    yield SummaryRow("Tested", signal.what_was_tested.capitalize())
    yield SummaryRow("Rounds counted", f"{signal.rounds:,}")
    if signal.test == RETURN:
        yield SummaryRow("Deviations from the average", signal.statistic)
    else:
        yield SummaryRow("Statistic", f"{signal.statistic} ({kind})")
    yield SummaryRow("p-value", rare(signal.p_value))
    yield SummaryRow(
        "Held to", format_html("{}, sharing the day with {} tests", rare(signal.level), f"{signal.tests:,}")
    )
    yield SummaryRow("Gaming day", f"{signal.gaming_day:%Y-%m-%d}")
    yield SummaryRow("Found", local(signal.found_at, signal.casino))
    yield SummaryRow("Recorded", format_html('<a href="{}">Entry {}</a>', entry, f"{signal.entry_index:,}"))


def _chart(signal: Signal) -> Chart:
    places = drawn(signal.cells, is_money=signal.test == RETURN)
    source = address_of("chart", signal.casino, signal=signal.entry_index)
    return Chart(src=source, alt=words_of(signal), table=numbers(places))


def _sets(signal: Signal) -> Table:
    return Table(
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


def _rounds(request: CasinoRequest, signal: Signal) -> Table:
    place = request.casino
    return Table(
        caption="Every round that these dice played" if signal.played else "Every round that was counted",
        columns=(
            Column("Round", "round", is_row_heading=True,
                   link=lambda row: reverse("desk:round", args=[place.slug, row.entry_index])),
            Column("Entry", lambda row: f"{row.entry_index:,}", is_figure=True),
            Column("Began", lambda row: local(row.started_at, place)),
            Column("Table", "table"),
            Column("Dice set", lambda row: getattr(row, "in_use", "")),
            Column("Result", lambda row: dice(OUTCOMES[row.outcome])),
        ),
        rows=rounds_behind(signal).defer("events", "wagers"),
        query=request.GET,
        name="rounds",
        empty="Those rounds were taken back since.",
    )  # fmt: skip


def _seen(signal: Signal) -> Timeline | None:
    entries = [
        TimelineEntry("Looked at", each.at, f"{each.by_name}, {each.get_acted_as_display().lower()}", each.note)
        for each in signal.seen.all()
    ]
    return Timeline(entries, signal.casino) if entries else None


@readers
@never_cache
@require_safe
def chart(request: CasinoRequest, casino: str, signal: int) -> HttpResponse:
    return svg_response(draw_signal(access_signal(request.user, request.casino, signal)))


@markers
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def see(request: CasinoRequest, casino: str, signal: int) -> HttpResponse:
    found = access_signal(request.user, request.casino, signal)
    form = SeenForm(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            mark_seen(signal=found, note=form.cleaned_data["note"], actor=request.user, now=timezone.now())
        except Refusal as refusal:
            form.add_error(None, refusal.words)
        else:
            messages.success(request, "Your note is kept in your name.")
            return redirect(found.get_absolute_url())
    return render(request, "fairness/see.html", {"casino": request.casino, "signal": found, "form": form})
