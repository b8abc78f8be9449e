"""A casino's disputes, the disputes about one entry as a fragment, and repeated disputes."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.corrections.list_marks import CorrectionMarks, Parts, no_entry
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.charts import Point, bar_chart, svg_response
from compliance.core.web.ui.components import Chart, Column, DataTable, FilterPanel, Tag
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.record_notes import ListNotes
from compliance.disputes import entry_kinds
from compliance.disputes.deadlines import age_text
from compliance.disputes.entry_bodies import GROUNDS
from compliance.disputes.forms import CountFilter, DisputeFilter
from compliance.disputes.models import Dispute, Step
from compliance.disputes.permissions import MAY_READ, PROMOTERS
from compliance.disputes.selectors import (
    COUNT_BY_LABELS,
    count_repeated_disputes,
    disputes_about,
    disputes_visible_to,
    drafts_of,
    may_log_dispute,
    search_disputes,
)
from compliance.disputes.subject.disputed_entry import is_promotion_at
from compliance.disputes.views.common import floor_readers_only, readers_only

COUNT_PERIOD_DAYS = 90


@readers_only
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_READ | PROMOTERS,
        lambda casino: casino_url("disputes:disputes", casino),
        title="Disputes",
        caption="Casinos whose disputes you may read",
    )


DISPUTES = FilteredList(
    "disputes:disputes",
    DisputeFilter,
    lambda asked, chosen: search_disputes(
        disputes_visible_to(asked.person, asked.casino), **chosen, now=asked.now
    ).prefetch_related("steps"),
)


@readers_only
@require_safe
def disputes(request: CasinoRequest, casino: str) -> ListResponse:
    asked = ListQuery.from_request(request)
    now, (form, rows) = asked.now, DISPUTES(asked)
    notes = ListNotes(request, lambda it: [it.entry_index, *(step.entry_index for step in it.steps.all())])
    steps = Parts(Step.recorded.exclude(kind=entry_kinds.NOTED), "dispute_id")
    marks = CorrectionMarks(request.casino, [steps], own=no_entry, also_read=notes.read)
    table = DataTable(
        caption=f"Disputes at {request.casino}",
        columns=(*_columns(notes, now), marks.column),
        rows=rows,
        prepare=marks.read,
        sort="-logged_at",
        empty="No dispute fits this search."
        if any(form.valid_values().values())
        else "No dispute has been logged here.",
    )
    context = {
        "panel": FilterPanel(form, legend="Search and filter"),
        "table": table,
        "overdue": disputes_visible_to(request.user, request.casino).overdue(now).count(),
        "may_log": may_log_dispute(request.user, request.casino),
        "may_log_promotions": may_log_dispute(request.user, request.casino, is_promotion=True),
        "is_of_the_floor": request.user.has_role(*MAY_READ, casino=request.casino),
        "drafts": drafts_of(request.user, request.casino, now),
    }
    return list_response(request, "disputes/disputes.html", context)


def _columns(notes: ListNotes, now: datetime) -> tuple[Column, ...]:
    def due_cell(dispute: Dispute) -> object:
        return Tag("Overdue", "danger") if dispute.is_overdue(now) else dispute.due_at

    def waiting_cell(dispute: Dispute) -> str:
        return "" if dispute.is_closed else age_text(dispute.waiting_since_at, now)

    return (
        Column("Dispute", "reference", sort="number", is_row_heading=True, link=Dispute.get_absolute_url),
        Column("State", lambda it: notes.tag(it, it.tag), sort="state"),
        Column("About", lambda it: GROUNDS[it.grounds]),
        Column("Table", "table", sort="table"),
        Column("Round", "round"),
        Column("Logged", "logged_at", sort="logged_at"),
        Column("Waiting for", waiting_cell, sort="waiting_since_at"),
        Column("Due", due_cell, sort="due_at"),
    )


@readers_only
@require_safe
def entry_disputes(request: CasinoRequest, casino: str, index: int) -> HttpResponse:
    """The disputes about one entry: an htmx fragment for the pages of rounds and findings, or a page."""
    context = {
        "casino": request.casino,
        "index": index,
        "disputes": disputes_about(request.user, request.casino, index),
        "may_log": may_log_dispute(request.user, request.casino, is_promotion=is_promotion_at(request.casino, index)),
    }
    name = "disputes/subject-fragment.html" if request.htmx else "disputes/subject.html"
    return render(request, name, context)


@floor_readers_only
@require_safe
def repeated_disputes(request: CasinoRequest, casino: str) -> ListResponse:
    form = CountFilter(request.GET)
    by = form.valid_values()["by"] or "table"
    counted = count_repeated_disputes(request.casino, by, _repeat_window_start())
    table = DataTable(
        caption=f"Disputes of the last {COUNT_PERIOD_DAYS} days by {COUNT_BY_LABELS[by].lower()}",
        columns=(
            Column(COUNT_BY_LABELS[by], "label", is_row_heading=True),
            Column("Disputes", "disputes", is_figure=True),
        ),
        rows=counted,
        empty="No dispute to count.",
    )
    most = f"The most disputed is {counted[0].label}, with {counted[0].disputes}." if counted else "There are none."
    context = {
        "panel": FilterPanel(form, legend="Count"),
        "chart": Chart(
            casino_url("disputes:repeats-chart", request.casino, by=by),
            f"Bars: disputes of the last {COUNT_PERIOD_DAYS} days by {COUNT_BY_LABELS[by].lower()}. {most}",
            table,
        ),
    }
    return list_response(request, "disputes/repeats.html", context, lists=("chart",))


@floor_readers_only
@require_safe
def repeats_chart(request: CasinoRequest, casino: str, by: str) -> HttpResponse:
    if by not in COUNT_BY_LABELS:
        raise NotFound
    points = [
        Point(each.label, each.disputes) for each in count_repeated_disputes(request.casino, by, _repeat_window_start())
    ]
    return svg_response(
        bar_chart(
            title=f"Disputes by {COUNT_BY_LABELS[by].lower()}, last {COUNT_PERIOD_DAYS} days",
            x_label=COUNT_BY_LABELS[by],
            y_label="Disputes",
            points=points,
        )
    )


def _repeat_window_start() -> datetime:
    return timezone.now() - timedelta(days=COUNT_PERIOD_DAYS)
