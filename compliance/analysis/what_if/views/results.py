"""Pages of trials: the list, one trial with progress and results, its differences."""

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

from compliance.analysis.what_if.forms import DifferenceFilter, TrialFilter
from compliance.analysis.what_if.models import TotalDimension, Trial, TrialDifference, TrialTotal
from compliance.analysis.what_if.selectors import (
    MAY_READ,
    MAY_TRY,
    access_trial,
    list_differences,
    progress_of,
    search_trials,
)
from compliance.analysis.what_if.views.common import readers_only, trial_url
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.errors import NotFound
from compliance.core.web.templatetags.ui import local, money
from compliance.core.web.ui.components import Column, FilterPanel, SummaryList, SummaryRow, Table
from rounds.rulebook.labels import bet_label, humanize_slug

NO_FINDING = "Nothing found"
# For a trial that is not done; “None” would mean that nothing differs.
UNKNOWN_AMOUNT = "Not known"


@readers_only
@require_safe
def casino_list(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_READ,
        lambda casino: trial_url("trials", casino),
        title="What would change?",
        caption="Casinos where rules are tried",
    )


@readers_only
@never_cache
@require_safe
def trial_list(request: CasinoRequest, casino: str) -> HttpResponse:
    place, form = request.casino, TrialFilter(request.GET)
    table = Table(
        caption="Trials, newest first",
        columns=(
            Column("Trial", str, is_row_heading=True, link=lambda row: trial_url("trial", place, trial=row.pk)),
            Column("State", "tag"),
            Column("What, and over what", _description_cell, sort="title"),
            Column(
                "Judged otherwise",
                lambda row: _format_count(row.differences) or UNKNOWN_AMOUNT,
                sort="differences",
                is_figure=True,
            ),
            Column("More due", lambda row: money(row.more_cents) or UNKNOWN_AMOUNT, sort="more_cents", is_figure=True),
            Column("Less due", lambda row: money(row.less_cents) or UNKNOWN_AMOUNT, sort="less_cents", is_figure=True),
            Column("Asked for", _requested_cell, sort="asked_at"),
        ),
        rows=search_trials(place, form.valid_values()),
        query=request.GET,
        sort="-asked_at",
        is_caption_hidden=True,
        empty="No trial fits." if form.has_changed() else "Nothing was tried yet.",
    )
    may_try = request.user.has_role(*MAY_TRY, casino=place)
    return render(
        request,
        "what_if/trials.html",
        {"casino": place, "table": table, "panel": FilterPanel(form), "may_try": may_try},
    )


def _description_cell(trial: Trial) -> SafeString:
    """One column, so that the list fits a tablet."""
    tried = "; ".join([trial.what, *trial.reading_labels])
    return format_html('<span class="wide">{}<br>{}; {}</span>', tried, trial.period_text, trial.tables_text.lower())


def _requested_cell(trial: Trial) -> SafeString:
    return format_html("{} by {}", local(trial.asked_at, trial.casino), trial.asked_by_name)


def _day_cell(day: date) -> SafeString:
    """Does not wrap on the page, and is exported as an ISO date."""
    return format_html('<time datetime="{}">{}</time>', day.isoformat(), day.isoformat())


def _format_count(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


@readers_only
@never_cache
@require_safe
def trial_detail(request: CasinoRequest, casino: str, trial: int) -> HttpResponse:
    found = access_trial(request.user, request.casino, trial)
    context = _state_context(request, found)
    if found.is_done:
        pdf = reverse("reports:new", kwargs={"casino": casino, "kind": "what-if"})
        context |= {"tables": list(_total_tables(request, found)), "pdf": f"{pdf}?{urlencode({'trial': found.pk})}"}
    return render(request, "what_if/trial.html", context)


@readers_only
@never_cache
@require_safe
def trial_progress(request: CasinoRequest, casino: str, trial: int) -> HttpResponse:
    """The fragment that htmx polls while the trial runs. Once it has ended, HX-Refresh reloads the whole page."""
    found = access_trial(request.user, request.casino, trial)
    response = render(request, "what_if/trial-state.html", _state_context(request, found))
    if not found.is_unfinished:
        response["HX-Refresh"] = "true"
    return response


def _state_context(request: CasinoRequest, trial: Trial) -> dict[str, Any]:
    done, every = progress_of(trial) if trial.is_unfinished else (0, 0)
    may_try = request.user.has_role(*MAY_TRY, casino=request.casino)
    return {
        "casino": request.casino,
        "trial": trial,
        "summary": SummaryList(_fact_rows(trial)),
        "done": done,
        "every": every,
        "may_try": may_try,
        "may_try_again": may_try and not (trial.is_unfinished or trial.has_withdrawn_version),
    }


def _fact_rows(trial: Trial) -> list[SummaryRow]:
    casino, version = trial.casino, trial.version
    href = rule_version_url(trial) if version else ""
    rows = [
        SummaryRow("Trial", f"{trial.pk}"),
        SummaryRow("Tried", trial.what, href, "Open"),
        *(SummaryRow("Reading", words) for words in trial.reading_labels),
        SummaryRow("Over", trial.period_text),
        SummaryRow("Tables", trial.tables_text),
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
            SummaryRow("Played by these rules", trial.played_text),
            SummaryRow("Judged otherwise", _format_count(trial.differences)),
            SummaryRow("More due to players", money(trial.more_cents)),
            SummaryRow("Less due to players", money(trial.less_cents)),
        ]
    return rows


def rule_version_url(trial: Trial) -> str:
    assert trial.version is not None
    kwargs = {"casino": trial.casino.slug, "rules": trial.rules, "number": trial.version.number}
    return reverse("rulebook:version", kwargs=kwargs)


DIMENSION_HEADINGS = {
    TotalDimension.TABLE: "Table",
    TotalDimension.BET: "Box",
    TotalDimension.CLAUSE: "Clause",
    TotalDimension.HOLDER: "Player",
}


EXTRA_COLUMNS = {
    TotalDimension.HOLDER: (Column("Gaming day", lambda row: _day_cell(row.gaming_day), sort="gaming_day"),),
    TotalDimension.CLAUSE: (Column("Settled by", lambda row: humanize_slug(row.reading)),),
}


def _total_tables(request: CasinoRequest, trial: Trial) -> Iterator[Table]:
    """The totals by table, box, clause and player, each as its own list."""
    place = trial_url("differences", request.casino, trial=trial.pk)
    for by, heading in DIMENSION_HEADINGS.items():
        yield Table(
            caption=by.label,
            columns=[
                Column(
                    heading,
                    "name_label",
                    sort="name",
                    is_row_heading=True,
                    link=lambda row: _filtered_differences_url(place, row),
                ),
                *EXTRA_COLUMNS.get(by, ()),
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
        )


def _filtered_differences_url(place: str, row: TrialTotal) -> str:
    """The differences behind a total. There is no filter for clauses."""
    if row.by == TotalDimension.TABLE or row.by == TotalDimension.BET:
        return f"{place}?{urlencode({row.by: row.name})}"
    if row.by == TotalDimension.HOLDER:
        return f"{place}?{urlencode({'words': row.name, 'gaming_day': row.day_text})}"
    return ""


@readers_only
@never_cache
@require_safe
def difference_list(request: CasinoRequest, casino: str, trial: int) -> HttpResponse:
    found = access_trial(request.user, request.casino, trial)
    if not found.is_done:
        raise NotFound
    form = DifferenceFilter(request.GET, trial=found)
    chosen = form.valid_values()
    table = Table(
        caption="Every single difference, in the order of the log",
        columns=(
            Column(
                "Round",
                lambda row: row.round or f"Entry {row.subject_index:,}",
                is_row_heading=True,
                link=lambda row: _subject_url(request, row),
            ),
            Column("Table", "table"),
            Column("Gaming day", lambda row: _day_cell(row.gaming_day)),
            Column("Wager", "wager"),
            Column("Box", lambda row: bet_label(row.bet)),
            Column("Player", "holder"),
            Column("Found now", lambda row: row.code_now or NO_FINDING),
            Column("Found then", lambda row: row.code_then or NO_FINDING),
            Column("Due now", lambda row: money(row.due_now_cents), is_figure=True),
            Column("Due then", lambda row: money(row.due_then_cents), is_figure=True),
            Column("Came back", lambda row: money(row.returned_cents), is_figure=True),
            Column("More due", lambda row: money(row.more_cents), sort="more_cents", is_figure=True),
        ),
        rows=list_differences(found, chosen),
        count=None if any(chosen.values()) else found.differences,
        query=request.GET,
        is_caption_hidden=True,
        empty="No difference fits." if any(chosen.values()) else "Nothing would be judged otherwise.",
    )
    context = {"casino": request.casino, "trial": found, "table": table, "panel": FilterPanel(form)}
    return render(request, "what_if/differences.html", context)


def _subject_url(request: CasinoRequest, row: TrialDifference) -> str:
    name = "desk:round" if row.round else "evidence:entry"
    return reverse(name, args=[request.casino.slug, row.subject_index])
