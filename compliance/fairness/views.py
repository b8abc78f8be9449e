"""How a casino's dice, shakers and tables stand; signals; what came back at a table."""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from math import sqrt
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.views.choosing import choose_casino
from compliance.accounts.views.steps import posted
from compliance.fairness.chance import DEVIATIONS, RETURN
from compliance.fairness.drift import CARDS, CARDS_UNKNOWN, DICE, STREAK, BetDrift, TableDrift, bets_in_order
from compliance.fairness.forms import Filter, MonthForm, SeenForm, SignalsFilter
from compliance.fairness.levels import A_YEAR
from compliance.fairness.models import MAY_MARK, ReturnDay, Signal, SubjectKind
from compliance.fairness.pictures import Drawn, draw_path, draw_signal, drawn, drawn_path, words_of
from compliance.fairness.returns import added_up, compare_return, days_of
from compliance.fairness.selectors import (
    access_signal,
    examined,
    looks_of,
    months_of,
    rounds_behind,
    signals_of,
    standings,
    unseen_signals,
)
from compliance.fairness.services import mark_seen
from compliance.web.access import held_by
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
from compliance.web.errors import NotFound, Refusal
from compliance.web.templatetags.kit import dice, local, money
from rounds.engine.outcomes import OUTCOMES
from rounds.floor.gaming_days import gaming_day
from rounds.floor.models import Table as FloorTable
from rounds.floor.selectors import access_table
from rounds.floor.standing import MAY_READ

readers = held_by(*MAY_READ)
markers = held_by(*MAY_MARK)

SIGNALLED, NO_SIGNAL = Tag("Signalled", "warning"), Tag("No signal", "success")
SEEN, UNSEEN = Tag("Looked at", "success"), Tag("Nobody looked yet", "warning")
BASES = {
    DICE: "Three dice",
    CARDS: "The stated decks, each round from a full shoe",
    CARDS_UNKNOWN: "An endless shoe: nobody stated the decks",
    STREAK: "Super Streak, from the first result to the end of the run",
}


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"fairness:{name}", kwargs={"casino": casino.slug, **kwargs})


@readers
@never_cache
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, MAY_READ, lambda casino: address_of("standing", casino),
        title="Fairness", caption="Casinos and their dice",
    )  # fmt: skip


# --- How everything stands ------------------------------------------------------------------------------------------


@readers
@never_cache
@require_safe
def standing(request: CasinoRequest, casino: str) -> HttpResponse:
    place, form = request.casino, Filter(request.GET)
    now = Table(
        caption="On the floor now",
        columns=(
            Column("What", "words", is_row_heading=True, link=lambda row: _return_address(place, row.subject)),
            Column("Rounds with a result", lambda row: f"{row.rounds:,}", is_figure=True),
            Column("Looked at after", lambda row: f"{row.looked_at:,}" if row.looked_at else "", is_figure=True),
            Column("Next look after", lambda row: f"{row.next_at:,}", is_figure=True),
            Column("Standing", "tag"),
        ),
        rows=standings(place, gaming_day(place, timezone.now())),
        query=request.GET,
        name="now",
        empty="No dice, shaker or table has played this month.",
    )
    looks = Table(
        caption="Looks made so far, the newest first",
        columns=(
            Column("What", lambda row: f"{row.get_subject_kind_display()} {row.subject}", is_row_heading=True),
            Column("Month", lambda row: row.window or "Since it came"),
            Column("Gaming day", lambda row: f"{row.examination.gaming_day:%Y-%m-%d}"),
            Column("Rounds", lambda row: f"{row.rounds:,}", sort="rounds", is_figure=True),
            Column("Rarest of the tests", "test_words"),
            Column("Its p-value", "p_value", is_figure=True),
            Column("Standing", lambda row: SIGNALLED if row.is_signalled else NO_SIGNAL),
        ),
        rows=looks_of(place, form.chosen()),
        query=request.GET,
        empty="Nothing was looked at yet. The first look comes after 200 rounds with a result.",
    )  # fmt: skip
    context = {
        "casino": place, "panel": FilterPanel(form), "now": now, "looks": looks, "examined": examined(place),
        "signals": signals_of(place, {}).count(), "unseen": unseen_signals(place), "a_year": _percent(A_YEAR),
    }  # fmt: skip
    return render(request, "fairness/standing.html", context)


def _return_address(casino: Casino, subject: Any) -> str:
    """A table has a page of what came back there; dice and shakers are found among the looks."""
    if subject.kind == SubjectKind.TABLE:
        return address_of("table", casino, table=subject.name)
    return (
        f"{address_of('standing', casino)}?{urlencode({'subject_kind': subject.kind.value, 'subject': subject.name})}"
    )


def _percent(rate: Fraction) -> str:
    return f"{float(rate * 100):g} %"


# --- Signals --------------------------------------------------------------------------------------------------------


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
            Column("Tested", "test_words"),
            Column("Rounds", lambda row: f"{row.rounds:,}", sort="rounds", is_figure=True),
            Column("p-value", "p_value", is_figure=True),
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
        "a_year": _percent(A_YEAR),
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
    yield SummaryRow("Tested", signal.test_words.capitalize())
    yield SummaryRow("Rounds counted", f"{signal.rounds:,}")
    if signal.test == RETURN:
        yield SummaryRow("Deviations from the average", signal.statistic)
    else:
        yield SummaryRow("Statistic", f"{signal.statistic} ({kind})")
    yield SummaryRow("p-value", signal.p_value)
    yield SummaryRow("Held to", f"{signal.level}, sharing the day with {signal.tests:,} tests")
    yield SummaryRow("Gaming day", f"{signal.gaming_day:%Y-%m-%d}")
    yield SummaryRow("Found", local(signal.found_at, signal.casino))
    yield SummaryRow("Recorded", format_html('<a href="{}">Entry {}</a>', entry, f"{signal.entry_index:,}"))


def _chart(signal: Signal) -> Chart:
    places = drawn(signal.cells, is_money=signal.test == RETURN)
    source = address_of("chart", signal.casino, signal=signal.entry_index)
    return Chart(src=source, alt=words_of(signal), table=_numbers(places))


def _numbers(places: list[Drawn]) -> Table:
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
            form.add_error(None, f"{refusal.detail} {refusal.remedy}".strip())
        else:
            messages.success(request, "Your note is kept in your name.")
            return redirect(found.get_absolute_url())
    return render(request, "fairness/see.html", {"casino": request.casino, "signal": found, "form": form})


# --- What came back at a table --------------------------------------------------------------------------------------


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
        picture = Chart(src=source, alt=_path_words(places), table=_numbers(places))
    return {
        "chart": picture,
        "bets": _bets(request, drift),
        "whole": _whole(drift),
        "deviations": f"{tested.statistic:+.2f}" if tested else "",
        "p_value": f"{tested.p_value:.3g}" if tested else "",
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
            Column("Bet", lambda row: row[0], is_row_heading=True),
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
