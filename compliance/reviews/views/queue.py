"""The queue: what waits, in order; taking the next finding, this one, and putting one back."""

from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.views.choosing import choose_casino
from compliance.audit.codes import Severity
from compliance.reviews.errors import NothingWaits
from compliance.reviews.forms import QueueFilter
from compliance.reviews.models import Review
from compliance.reviews.selectors import MAY_ARRANGE, MAY_REVIEW, access_review, counts_of, reviews_of
from compliance.reviews.services import claim_finding, claim_next, put_back
from compliance.reviews.views.places import address_of, finding_address, reviewers, service_tag, span_words
from compliance.web.components import Column, FilterPanel, Table, Tag
from compliance.web.errors import Refusal


@reviewers
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, MAY_REVIEW, lambda casino: address_of("queue", casino),
        title="Reviews", caption="Casinos whose findings you review",
    )  # fmt: skip


@reviewers
@never_cache
@require_safe
def queue(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    form = QueueFilter(request.GET, casino=request.casino)
    panel, chosen, counts = FilterPanel(form, legend="Filter"), form.chosen(), counts_of(request.casino, now)
    table = Table(
        caption=f"Findings at {request.casino}",
        columns=(
            Column("Code", "code", sort="code", is_row_heading=True, link=finding_address),
            Column("Severity", lambda row: Severity(row.severity).tag, sort="rank"),
            Column("What was found", "finding.sentence"),
            Column("Table", "table", sort="table"),
            Column("Age", lambda row: span_words(now - row.opened_at), sort="opened_at"),
            Column("Service level", lambda row: service_tag(row, now), sort="due_at"),
            Column("State", lambda row: _state(row, now)),
        ),
        rows=reviews_of(request.casino, chosen, now),
        count=counts.listed(chosen),
        query=request.GET,
        is_caption_hidden=True,
        empty="No finding fits this filter." if panel.active else "Nothing waits for review.",
    )
    context = {
        "casino": request.casino,
        "panel": panel,
        "table": table,
        "counts": counts,
        "may_arrange": request.user.holds(*MAY_ARRANGE, casino=request.casino),
    }
    return render(request, "reviews/queue.html", context)


def _state(review: Review, now: datetime) -> str | Tag:
    if review.claim_ends_at is not None and review.claim_ends_at > now:
        return f"Held by {review.claimed_by}"
    return Tag("Answer overdue", "danger") if review.is_unanswered(now) else review.tag


@reviewers
@require_POST
def take_next(request: CasinoRequest, casino: str) -> HttpResponse:
    """Claims the next finding. `after` is one that was just put back: the person wants another."""
    passed = request.POST.get("after", "")
    after = access_review(request.user, request.casino, int(passed)) if passed.isdecimal() else None
    now = timezone.now()
    if after is not None:
        put_back(review=after, actor=request.user, now=now)
    try:
        review = claim_next(casino=request.casino, actor=request.user, now=now, after=after)
    except NothingWaits as refusal:
        messages.info(request, f"{refusal.title}. {refusal.detail}")
        return redirect(address_of("queue", request.casino))
    return redirect(finding_address(review))


@reviewers
@require_POST
def take(request: CasinoRequest, casino: str, finding: int) -> HttpResponse:
    review = access_review(request.user, request.casino, finding)
    try:
        claim_finding(review=review, actor=request.user, now=timezone.now())
    except Refusal as refusal:
        messages.error(request, refusal.words)
    return redirect(finding_address(review))


@reviewers
@require_POST
def give_back(request: CasinoRequest, casino: str, finding: int) -> HttpResponse:
    review = access_review(request.user, request.casino, finding)
    put_back(review=review, actor=request.user, now=timezone.now())
    messages.success(request, "The finding is back in the queue.")
    return redirect(address_of("queue", request.casino))
