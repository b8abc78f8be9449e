"""The queue in order; claiming the next finding or a given one, and releasing one."""

from datetime import datetime
from operator import attrgetter

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from compliance.audit.catalogue.finding_code import Severity
from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.corrections.list_marks import CorrectionMarks, Parts, no_entry
from compliance.core.web.errors import Refusal
from compliance.core.web.ui.components import Column, DataTable, FilterPanel, Tag
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.inspection.reviews.errors import NothingWaits
from compliance.inspection.reviews.models import Answer, Confirmation, Decision, Review
from compliance.inspection.reviews.selectors import MAY_REVIEW, MAY_SET_POLICY, access_review, count_reviews, reviews_of
from compliance.inspection.reviews.services import claim_finding, claim_next_finding, release_claim
from compliance.inspection.reviews.views.common import (
    answer_tag,
    due_tag,
    finding_address,
    format_duration,
    reviewers_only,
    sentence_column,
)
from compliance.inspection.reviews.views.forms import QueueFilter


@reviewers_only
@require_safe
def casino_list(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_REVIEW,
        lambda casino: casino_url("reviews:queue", casino),
        title="Reviews",
        caption="Casinos whose findings you review",
    )


QUEUE = FilteredList(
    "reviews:queue",
    lambda asked: QueueFilter(asked.parameters, casino=asked.casino),
    lambda asked, chosen: reviews_of(asked.casino, chosen, asked.now),
)


PARTS = (
    Parts(Decision.recorded.all(), "finding_id"),
    Parts(Confirmation.recorded.all(), "decision__finding_id"),
    Parts(Answer.recorded.all(), "decision__finding_id"),
)


@reviewers_only
@require_safe
def queue(request: CasinoRequest, casino: str) -> ListResponse:
    asked = ListQuery.from_request(request)
    now, (form, rows) = asked.now, QUEUE(asked)
    panel, chosen, counts = FilterPanel(form, legend="Filter"), form.valid_values(), count_reviews(request.casino, now)
    marks = CorrectionMarks(request.casino, PARTS, own=no_entry, key=attrgetter("finding_id"))
    table = DataTable(
        caption=f"Findings at {request.casino}",
        columns=(
            Column("Code", "code", sort="code", is_row_heading=True, link=finding_address),
            Column("Severity", lambda row: Severity(row.severity).tag, sort="rank"),
            sentence_column(request.casino),
            Column("Table", "table", sort="table"),
            Column("Age", lambda row: format_duration(now - row.opened_at), sort="opened_at"),
            Column("Answer due", "answer_due_at", is_in_file_only=True),
            Column("Service level", lambda row: due_tag(row, now), sort="due_at"),
            Column("State", lambda row: _state_cell(row, now)),
            marks.column,
        ),
        rows=rows,
        prepare=marks.read,
        count=counts.list_size(chosen),
        is_caption_hidden=True,
        empty="No finding fits this filter." if panel.active else "Nothing waits for review.",
    )
    context = {
        "panel": panel,
        "table": table,
        "counts": counts,
        "may_arrange": request.user.has_role(*MAY_SET_POLICY, casino=request.casino),
    }
    return list_response(request, "reviews/queue.html", context)


def _state_cell(review: Review, now: datetime) -> str | Tag:
    if review.claim_ends_at is not None and review.claim_ends_at > now:
        return f"Held by {review.claimed_by}"
    return answer_tag(review, now) or review.tag


@reviewers_only
@require_POST
def take_next_finding(request: CasinoRequest, casino: str) -> HttpResponse:
    """Claims the next finding. `after` is one just released, so that another is given."""
    passed = request.POST.get("after", "")
    after = access_review(request.user, request.casino, int(passed)) if passed.isdecimal() else None
    now = timezone.now()
    if after is not None:
        release_claim(review=after, actor=request.user, now=now)
    try:
        review = claim_next_finding(casino=request.casino, actor=request.user, now=now, after=after)
    except NothingWaits as refusal:
        messages.info(request, f"{refusal.title}. {refusal.detail}")
        return redirect(casino_url("reviews:queue", request.casino))
    return redirect(finding_address(review))


@reviewers_only
@require_POST
def take_finding(request: CasinoRequest, casino: str, finding: int) -> HttpResponse:
    review = access_review(request.user, request.casino, finding)
    try:
        claim_finding(review=review, actor=request.user, now=timezone.now())
    except Refusal as refusal:
        messages.error(request, refusal.full_message)
    return redirect(finding_address(review))


@reviewers_only
@require_POST
def release_finding(request: CasinoRequest, casino: str, finding: int) -> HttpResponse:
    review = access_review(request.user, request.casino, finding)
    release_claim(review=review, actor=request.user, now=timezone.now())
    messages.success(request, "The finding is back in the queue.")
    return redirect(casino_url("reviews:queue", request.casino))
