"""Logging a dispute on a tablet: table, round, then one page with the answer already worked out.

What is typed is kept as a draft on the server with every few keys; without scripts, with each press of a button.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.unsent import forget_unsent, unsent_at
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.disputes.attachments import MOST_FILES, Stored, store_upload
from compliance.disputes.errors import BadAttachment
from compliance.disputes.forms import NewDisputeForm
from compliance.disputes.models import Draft
from compliance.disputes.promoted import OFFERED, read_promoted
from compliance.disputes.selectors import disputes_about, draft_of, drafts_of, may_log, own_procedure_of
from compliance.disputes.services import discard_draft, log_dispute, save_draft
from compliance.disputes.subjects import Subject, access_subject
from compliance.disputes.views.places import address_of, floor_operators, operators
from compliance.web.errors import Refusal
from rounds.floor.models import Table as FloorTable
from rounds.floor.selectors import access_table
from rounds.intake.played import read_round
from rounds.ledger.searching import Wanted, search

TABLE = "disputes_table"
LAST_ROUNDS = 12
SEVERAL = frozenset({"wagers", "present"})
NOT_TYPED = frozenset({"csrfmiddlewaretoken", "act", "papers"})


@floor_operators
@never_cache
@require_safe
def tables(request: CasinoRequest, casino: str) -> HttpResponse:
    """The tables as tiles; the one this device was last used at comes first."""
    now = timezone.now()
    standing = FloorTable.objects.filter(casino=request.casino, retired_at=None).order_by("name", "slug")
    last = request.session.get(TABLE, {}).get(casino, "")
    context = {
        "casino": request.casino,
        "tables": sorted(standing, key=lambda table: table.slug != last),
        "last": last,
        "drafts": drafts_of(request.user, request.casino, now),
    }
    return render(request, "disputes/new-table.html", context)


@floor_operators
@never_cache
@require_safe
def rounds(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    """The last rounds of the table as cards, or those of a number that was searched for."""
    at = access_table(request.user, request.casino, table)
    request.session[TABLE] = {**request.session.get(TABLE, {}), casino: table}
    words = request.GET.get("q", "").strip()[:64]
    found = search(casino, Wanted(table=table, kind="round", round=words), limit=LAST_ROUNDS)
    context = {
        "casino": request.casino,
        "table": at,
        "words": words,
        "rounds": [read_round(request.casino, entry) for entry in found.entries],
    }
    return render(request, "disputes/new-round.html", context)


@operators
@never_cache
@require_safe
def promotions(request: CasinoRequest, casino: str) -> HttpResponse:
    """The last claims and terms as cards: a patron may dispute either."""
    found = [search(casino, Wanted(kind=kind), limit=LAST_ROUNDS) for kind in OFFERED]
    context = {
        "casino": request.casino,
        "promoted": [read_promoted(request.casino, entry) for each in found for entry in each.entries],
        "is_of_the_floor": may_log(request.user, request.casino),
        "drafts": drafts_of(request.user, request.casino, timezone.now()),
    }
    return render(request, "disputes/new-promotion.html", context)


@operators
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: CasinoRequest, casino: str, index: int) -> HttpResponse:
    subject = access_subject(request.user, request.casino, index)
    draft = draft_of(request.user, request.casino, index)
    if request.method != "POST":
        unsent = unsent_at(request)
        typed = typed_in(unsent) if unsent else draft.typed if draft else {}
        form = NewDisputeForm(initial=typed, subject=subject)
        return _page(request, subject, form, draft)
    forget_unsent(request)
    form = NewDisputeForm(request.POST, request.FILES, subject=subject)
    draft, wrong_files = _keep(request, subject)
    is_right = form.is_valid()
    for complaint in wrong_files:
        form.add_error("papers", complaint)
    if request.POST.get("act") == "save":
        messages.success(request, "Your draft is saved. Nothing is logged yet.")
        return redirect(request.path) if not wrong_files else _page(request, subject, form, draft)
    if is_right and not wrong_files:
        try:
            return _log(request, subject, form, draft)
        except Refusal as refusal:
            form.add_error(None, refusal.words)
    return _page(request, subject, form, draft)


def _log(request: CasinoRequest, subject: Subject, form: NewDisputeForm, draft: Draft) -> HttpResponse:
    known = form.cleaned_data
    dispute = log_dispute(
        subject=subject, wagers=known.get("wagers", ()), grounds=known["grounds"],
        category=known.get("category", ""), statement=known["statement"], present=known["present"],
        patron=form.patron(), files=[Stored(**one) for one in draft.files], actor=request.user, now=timezone.now(),
    )  # fmt: skip
    discard_draft(casino=request.casino, index=subject.entry.index, actor=request.user)
    messages.success(request, f"Dispute {dispute.reference} is logged. Next: {dispute.current_rung.who} decides.")
    return redirect(dispute.get_absolute_url())


def _keep(request: CasinoRequest, subject: Subject) -> tuple[Draft, list[str]]:
    """Everything typed, and each file that is right; what is wrong with the others."""
    stored, complaints = store_each(request.FILES.getlist("papers"))
    draft = save_draft(
        subject=subject, typed=typed_in(request.POST), files=stored, actor=request.user, now=timezone.now()
    )
    if len(draft.files) > MOST_FILES:
        complaints.append(
            f"There are more than {MOST_FILES} files. Log the dispute with these and attach others later."
        )
        draft.files = draft.files[:MOST_FILES]
        draft.save(update_fields=["files"])
    return draft, complaints


def store_each(uploads: Sequence[UploadedFile[Any]]) -> tuple[list[Stored], list[str]]:
    stored: list[Stored] = []
    complaints: list[str] = []
    for upload in uploads:
        try:
            stored.append(store_upload(upload))
        except BadAttachment as refusal:
            complaints.append(refusal.words)
    return stored, complaints


def typed_in(posted: QueryDict) -> dict[str, Any]:
    known = set(NewDisputeForm.base_fields) - NOT_TYPED
    return {name: posted.getlist(name) if name in SEVERAL else posted[name] for name in posted if name in known}


def _page(request: CasinoRequest, subject: Subject, form: NewDisputeForm, draft: Draft | None) -> HttpResponse:
    chosen = form["wagers"].value() or [] if "wagers" in form.fields else []
    context = {
        "casino": request.casino,
        "subject": subject,
        "form": form,
        "draft": draft,
        "reckoned": [(each, each.wager_id in chosen) for each in form.reckoned],
        "others": disputes_about(request.user, request.casino, subject.entry.index),
        "own_procedure": own_procedure_of(request.casino) if subject.ladder.is_silent else None,
        "save_to": address_of("draft", request.casino, index=subject.entry.index),
        "discard": address_of("discard", request.casino, index=subject.entry.index),
    }
    return render(request, "disputes/new.html", context, status=422 if form.is_bound and form.errors else 200)


@operators
@never_cache
@require_POST
def draft(request: CasinoRequest, casino: str, index: int) -> HttpResponse:
    """For the page's own script: what was typed so far, without files."""
    subject = access_subject(request.user, request.casino, index)
    kept = save_draft(subject=subject, typed=typed_in(request.POST), files=(), actor=request.user, now=timezone.now())
    return JsonResponse({"saved_at": kept.saved_at.isoformat()})


@operators
@never_cache
@asks_first
def discard(request: CasinoRequest, casino: str, index: int) -> HttpResponse:
    access_subject(request.user, request.casino, index)
    act = Act(
        "Throw the draft away",
        ["All that you typed about it is deleted, and its papers have to be added again. Nothing was logged."],
        "Throw it away",
        address_of("new-dispute", request.casino, index=index),
        "Log a dispute",
        "The draft is thrown away. Nothing was logged.",
        is_danger=True,
    )
    return act_page(
        request, act, forms.Form(posted(request)),
        lambda: discard_draft(casino=request.casino, index=index, actor=request.user),
        then=address_of("disputes", request.casino),
    )  # fmt: skip
