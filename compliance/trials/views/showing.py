"""Trials, one trial as it goes on and what came of it, and every single difference."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.views.choosing import choose_casino
from compliance.trials.forms import DifferenceFilter, TrialFilter
from compliance.trials.models import By, Difference, Sum, Trial
from compliance.trials.selectors import (
    MAY_READ,
    MAY_TRY,
    access_trial,
    differences_of,
    progress_of,
    search_trials,
)
from compliance.trials.views.places import address_of, readers
from compliance.web.components import Column, FilterPanel, SummaryList, SummaryRow, Table
from compliance.web.errors import NotFound
from compliance.web.templatetags.kit import local, money
from rounds.rulebook.calculator.words import bet_words, plain

NOTHING = "Nothing found"
# Of a trial that is not done: “None” would say that nothing differs.
NOT_KNOWN = "Not known"


@readers
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, MAY_READ, lambda casino: address_of("trials", casino),
        title="What would change?", caption="Casinos where rules are tried",
    )  # fmt: skip


@readers
@never_cache
@require_safe
def trials(request: CasinoRequest, casino: str) -> HttpResponse:
    place, form = request.casino, TrialFilter(request.GET)
    table = Table(
        caption="Trials, newest first",
        columns=(
            Column("Trial", str, is_row_heading=True, link=lambda row: address_of("trial", place, trial=row.pk)),
            Column("State", "tag"),
            Column("What, and over what", _what, sort="title"),
            Column("Judged otherwise", lambda row: _count(row.differences) or NOT_KNOWN, sort="differences",
                   is_figure=True),
            Column("More due", lambda row: money(row.more_cents) or NOT_KNOWN, sort="more_cents", is_figure=True),
            Column("Less due", lambda row: money(row.less_cents) or NOT_KNOWN, sort="less_cents", is_figure=True),
            Column("Asked for", _asked, sort="asked_at"),
        ),
        rows=search_trials(place, form.chosen()),
        query=request.GET,
        sort="-asked_at",
        is_caption_hidden=True,
        empty="No trial fits." if form.has_changed() else "Nothing was tried yet.",
    )  # fmt: skip
    may_try = request.user.holds(*MAY_TRY, casino=place)
    return render(
        request, "trials/trials.html",
        {"casino": place, "table": table, "panel": FilterPanel(form), "may_try": may_try},
    )  # fmt: skip


def _what(trial: Trial) -> SafeString:
    """In one column, as who asked for it and when: the list must fit a tablet."""
    tried = "; ".join([trial.what, *trial.readings_words])
    return format_html('<span class="wide">{}<br>{}; {}</span>', tried, trial.period_words, trial.tables_words.lower())


def _asked(trial: Trial) -> SafeString:
    return format_html("{} by {}", local(trial.asked_at, trial.casino), trial.asked_by_name)


def _day(day: date) -> SafeString:
    """In one piece on the page, and as machines read it in a file."""
    return format_html('<time datetime="{}">{}</time>', day.isoformat(), day.isoformat())


def _count(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


@readers
@never_cache
@require_safe
def trial(request: CasinoRequest, casino: str, trial: int) -> HttpResponse:
    found = access_trial(request.user, request.casino, trial)
    context = _state(request, found)
    if found.is_done:
        pdf = reverse("reports:new", kwargs={"casino": casino, "kind": "what-if"})
        context |= {"tables": list(_tables(request, found)), "pdf": f"{pdf}?{urlencode({'trial': found.pk})}"}
    return render(request, "trials/trial.html", context)


@readers
@never_cache
@require_safe
def progress(request: CasinoRequest, casino: str, trial: int) -> HttpResponse:
    """The part that changes while it goes on; once it has ended, the whole page is loaded."""
    found = access_trial(request.user, request.casino, trial)
    response = render(request, "trials/trial-state.html", _state(request, found))
    if not found.is_unfinished:
        response["HX-Refresh"] = "true"
    return response


def _state(request: CasinoRequest, trial: Trial) -> dict[str, Any]:
    done, every = progress_of(trial) if trial.is_unfinished else (0, 0)
    may_try = request.user.holds(*MAY_TRY, casino=request.casino)
    return {
        "casino": request.casino, "trial": trial, "summary": SummaryList(_facts(trial)), "done": done, "every": every,
        "may_try": may_try, "may_try_again": may_try and not (trial.is_unfinished or trial.is_of_withdrawn),
    }  # fmt: skip


def _facts(trial: Trial) -> list[SummaryRow]:
    casino, version = trial.casino, trial.version
    href = address_of_version(trial) if version else ""
    rows = [
        SummaryRow("Trial", f"{trial.pk}"),
        SummaryRow("Tried", trial.what, href, "Open"),
        *(SummaryRow("Reading", words) for words in trial.readings_words),
        SummaryRow("Over", trial.period_words),
        SummaryRow("Tables", trial.tables_words),
        SummaryRow("Asked for by", trial.asked_by_name),
        SummaryRow("Asked for", local(trial.asked_at, casino)),
        SummaryRow("State", trial.tag),
    ]
    if trial.stopped_by_name:
        rows.append(SummaryRow("Stopped by", trial.stopped_by_name))
    if trial.ended_at:
        rows.append(SummaryRow("Ended", local(trial.ended_at, casino)))
    if trial.is_done:
        rows += [
            SummaryRow("Played by these rules", trial.played_words),
            SummaryRow("Judged otherwise", _count(trial.differences)),
            SummaryRow("More due to players", money(trial.more_cents)),
            SummaryRow("Less due to players", money(trial.less_cents)),
        ]
    return rows


def address_of_version(trial: Trial) -> str:
    assert trial.version is not None
    kwargs = {"casino": trial.casino.slug, "rules": trial.rules, "number": trial.version.number}
    return reverse("rulebook:version", kwargs=kwargs)


HEADINGS = {By.TABLE: "Table", By.BET: "Box", By.CLAUSE: "Clause", By.HOLDER: "Player"}


ALSO = {
    By.HOLDER: (Column("Gaming day", lambda row: _day(row.gaming_day), sort="gaming_day"),),
    By.CLAUSE: (Column("Settled by", lambda row: plain(row.reading)),),
}


def _tables(request: CasinoRequest, trial: Trial) -> Iterator[Table]:
    """What it comes to by table, box, clause and player, each a list of its own."""
    place = address_of("differences", request.casino, trial=trial.pk)
    for by, heading in HEADINGS.items():
        yield Table(
            caption=by.label,
            columns=[
                Column(heading, "name_words", sort="name", is_row_heading=True,
                       link=lambda row: _those_of(place, row)),
                *ALSO.get(by, ()),
                Column("Judged otherwise", lambda row: f"{row.differences:,}", sort="differences", is_figure=True),
                Column("Due now", lambda row: money(row.due_now_cents), sort="due_now_cents", is_figure=True),
                Column("Due then", lambda row: money(row.due_then_cents), sort="due_then_cents", is_figure=True),
                Column("More due", lambda row: money(row.more_cents), sort="more_cents", is_figure=True),
                Column("Less due", lambda row: money(row.less_cents), sort="less_cents", is_figure=True),
            ],
            rows=trial.sums.filter(by=by),
            query=request.GET,
            name=by.value,
            page_size=20,
            is_caption_hidden=True,
            empty="Nothing would be judged otherwise.",
        )  # fmt: skip


def _those_of(place: str, row: Sum) -> str:
    """The single differences behind a sum; a clause has no filter of its own."""
    if row.by == By.TABLE or row.by == By.BET:
        return f"{place}?{urlencode({row.by: row.name})}"
    if row.by == By.HOLDER:
        return f"{place}?{urlencode({'words': row.name, 'gaming_day': row.day_words})}"
    return ""


@readers
@never_cache
@require_safe
def differences(request: CasinoRequest, casino: str, trial: int) -> HttpResponse:
    found = access_trial(request.user, request.casino, trial)
    if not found.is_done:
        raise NotFound
    form = DifferenceFilter(request.GET, trial=found)
    chosen = form.chosen()
    table = Table(
        caption="Every single difference, in the order of the log",
        columns=(
            Column("Round", lambda row: row.round or f"Entry {row.subject_index:,}", is_row_heading=True,
                   link=lambda row: _subject_of(request, row)),
            Column("Table", "table"),
            Column("Gaming day", lambda row: _day(row.gaming_day)),
            Column("Wager", "wager"),
            Column("Box", lambda row: bet_words(row.bet)),
            Column("Player", "holder"),
            Column("Found now", lambda row: row.code_now or NOTHING),
            Column("Found then", lambda row: row.code_then or NOTHING),
            Column("Due now", lambda row: money(row.due_now_cents), is_figure=True),
            Column("Due then", lambda row: money(row.due_then_cents), is_figure=True),
            Column("Came back", lambda row: money(row.returned_cents), is_figure=True),
            Column("More due", lambda row: money(row.more_cents), sort="more_cents", is_figure=True),
        ),
        rows=differences_of(found, chosen),
        count=None if any(chosen.values()) else found.differences,
        query=request.GET,
        is_caption_hidden=True,
        empty="No difference fits." if any(chosen.values()) else "Nothing would be judged otherwise.",
    )  # fmt: skip
    context = {"casino": request.casino, "trial": found, "table": table, "panel": FilterPanel(form)}
    return render(request, "trials/differences.html", context)


def _subject_of(request: CasinoRequest, row: Difference) -> str:
    name = "desk:round" if row.round else "evidence:entry"
    return reverse(name, args=[request.casino.slug, row.subject_index])
