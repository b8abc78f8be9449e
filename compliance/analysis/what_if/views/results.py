"""Pages of trials: the list, one trial with progress and results, its differences."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from compliance.analysis.what_if.forms import DifferenceFilter, TrialFilter
from compliance.analysis.what_if.models import TotalDimension, Trial, TrialDifference, TrialTotal
from compliance.analysis.what_if.selectors import (
    MAY_READ,
    MAY_TRY,
    access_trial,
    count_changes,
    list_differences,
    search_trials,
)
from compliance.analysis.what_if.views.common import readers_only
from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.web.errors import NotFound
from compliance.core.web.templatetags.ui import display_value, local, money
from compliance.core.web.ui.cell_values import Lines, Phrase
from compliance.core.web.ui.components import Column, DataTable, FilterPanel, SummaryList, SummaryRow
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
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
        lambda casino: casino_url("trials:trials", casino),
        title="What would change?",
        caption="Casinos where rules are tried",
    )


TRIALS = FilteredList("trials:trials", TrialFilter, lambda asked, chosen: search_trials(asked.casino, chosen))


@readers_only
@require_safe
def trial_list(request: CasinoRequest, casino: str) -> ListResponse:
    place, (form, rows) = request.casino, TRIALS(ListQuery.from_request(request))
    table = DataTable(
        caption="Trials, newest first",
        columns=(
            Column("Trial", str, is_row_heading=True, link=lambda row: casino_url("trials:trial", place, trial=row.pk)),
            Column("State", "tag"),
            Column("What, and over what", _description, sort="title", display=_description_html),
            Column(
                "Judged otherwise",
                lambda row: _format_count(row.differences) or UNKNOWN_AMOUNT,
                sort="differences",
                is_figure=True,
            ),
            Column("More due", lambda row: _known_amount(row.more_cents), sort="more_cents", is_money=True),
            Column("Less due", lambda row: _known_amount(row.less_cents), sort="less_cents", is_money=True),
            Column("Asked for", lambda row: Phrase("{} by {}", row.asked_at, row.asked_by_name), sort="asked_at"),
        ),
        rows=rows,
        sort="-asked_at",
        is_caption_hidden=True,
        empty="No trial fits." if form.has_changed() else "Nothing was tried yet.",
    )
    may_try = request.user.has_role(*MAY_TRY, casino=place)
    return list_response(
        request,
        "what_if/trials.html",
        {"table": table, "panel": FilterPanel(form), "may_try": may_try},
    )


def _description(trial: Trial) -> Lines:
    """One column, so that the list fits a tablet."""
    tried = "; ".join([trial.what, *trial.reading_labels])
    return Lines(tried, f"{trial.period_text}; {trial.tables_text.lower()}")


def _description_html(trial: Trial) -> SafeString:
    return format_html('<span class="wide">{}</span>', display_value(_description(trial)))


def _known_amount(cents: int | None) -> int | str:
    return UNKNOWN_AMOUNT if cents is None else cents


def _day_html(row: TrialTotal | TrialDifference) -> SafeString:
    """Does not wrap on the page."""
    return format_html('<time datetime="{0}">{0}</time>', row.gaming_day)


def _format_count(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


@readers_only
@require_safe
def trial_detail(request: CasinoRequest, casino: str, trial: int) -> ListResponse:
    found = access_trial(request.user, request.casino, trial)
    context = _state_context(request, found)
    if found.is_done:
        pdf = casino_url("reports:new", casino, kind="what-if")
        context |= {"tables": list(_total_tables(request, found)), "pdf": f"{pdf}?{urlencode({'trial': found.pk})}"}
    return list_response(request, "what_if/trial.html", context, lists=("tables",))


@readers_only
@require_safe
def trial_progress(request: CasinoRequest, casino: str, trial: int) -> HttpResponse:
    """The fragment that htmx polls while the trial runs. Once it has ended, HX-Refresh reloads the whole page."""
    found = access_trial(request.user, request.casino, trial)
    response = render(request, "what_if/trial-state.html", _state_context(request, found))
    if not found.is_unfinished:
        response["HX-Refresh"] = "true"
    return response


def _state_context(request: CasinoRequest, trial: Trial) -> dict[str, Any]:
    may_try = request.user.has_role(*MAY_TRY, casino=request.casino)
    may_try_again = may_try and not trial.has_withdrawn_version
    return {
        "casino": request.casino,
        "trial": trial,
        "summary": SummaryList(_fact_rows(trial)),
        "page_href": trial.get_absolute_url(),
        "cancel_href": casino_url("trials:stop", request.casino, trial=trial.pk) if may_try else "",
        "retry_href": casino_url("trials:retry", request.casino, trial=trial.pk) if may_try_again else "",
        "may_repeat": may_try_again and trial.is_done,
    }


def _fact_rows(trial: Trial) -> list[SummaryRow]:
    casino, version = trial.casino, trial.version
    href = version.get_absolute_url() if version else ""
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
    if trial.ended_at:
        rows.append(SummaryRow("Ended", local(trial.ended_at, casino)))
    if trial.is_done:
        rows += [
            SummaryRow("Played by these rules", trial.played_text),
            SummaryRow("Judged otherwise", count_changes(trial).text),
            SummaryRow("More due to players", money(trial.more_cents)),
            SummaryRow("Less due to players", money(trial.less_cents)),
        ]
    return rows


DIMENSION_HEADINGS = {
    TotalDimension.TABLE: "Table",
    TotalDimension.BET: "Box",
    TotalDimension.CLAUSE: "Clause",
    TotalDimension.HOLDER: "Player",
}


EXTRA_COLUMNS = {
    TotalDimension.HOLDER: (Column("Gaming day", "gaming_day", sort="gaming_day", display=_day_html),),
    TotalDimension.CLAUSE: (Column("Settled by", lambda row: humanize_slug(row.reading)),),
}


def _total_tables(request: CasinoRequest, trial: Trial) -> Iterator[DataTable]:
    """The totals by table, box, clause and player, each as its own list."""
    place = casino_url("trials:differences", request.casino, trial=trial.pk)
    for by, heading in DIMENSION_HEADINGS.items():
        yield DataTable(
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
                Column("Due now", "due_now_cents", sort="due_now_cents", is_money=True),
                Column("Due then", "due_then_cents", sort="due_then_cents", is_money=True),
                Column("More due", "more_cents", sort="more_cents", is_money=True),
                Column("Less due", "less_cents", sort="less_cents", is_money=True),
            ],
            rows=trial.sums.filter(by=by),
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


def _access_done_trial(asked: ListQuery, trial: int) -> Trial:
    found = access_trial(asked.person, asked.casino, trial)
    if not found.is_done:
        raise NotFound
    return found


DIFFERENCES = FilteredList(
    "trials:differences",
    lambda asked, trial: DifferenceFilter(asked.parameters, trial=_access_done_trial(asked, trial)),
    lambda asked, chosen, trial: list_differences(_access_done_trial(asked, trial), chosen),
)


@readers_only
@require_safe
def difference_list(request: CasinoRequest, casino: str, trial: int) -> ListResponse:
    asked = ListQuery.from_request(request)
    found, (form, rows) = _access_done_trial(asked, trial), DIFFERENCES(asked, trial=trial)
    is_filtered = any(form.valid_values().values())
    table = DataTable(
        caption="Every single difference, in the order of the log",
        columns=(
            Column(
                "Round",
                lambda row: row.round or f"Entry {row.subject_index:,}",
                is_row_heading=True,
                link=lambda row: _subject_url(request, row),
            ),
            Column("Table", "table"),
            Column("Gaming day", "gaming_day", display=_day_html),
            Column("Wager", "wager"),
            Column("Box", lambda row: bet_label(row.bet)),
            Column("Player", "holder"),
            Column("Found now", lambda row: row.code_now or NO_FINDING),
            Column("Found then", lambda row: row.code_then or NO_FINDING),
            Column("Due now", "due_now_cents", is_money=True),
            Column("Due then", "due_then_cents", is_money=True),
            Column("Came back", "returned_cents", is_money=True),
            Column("More due", "more_cents", sort="more_cents", is_money=True),
        ),
        rows=rows,
        count=None if is_filtered else found.differences,
        is_caption_hidden=True,
        empty="No difference fits." if is_filtered else "Nothing would be judged otherwise.",
    )
    context = {"trial": found, "table": table, "panel": FilterPanel(form)}
    return list_response(request, "what_if/differences.html", context)


def _subject_url(request: CasinoRequest, row: TrialDifference) -> str:
    name = "desk:round" if row.round else "evidence:entry"
    return casino_url(name, request.casino, index=row.subject_index)
