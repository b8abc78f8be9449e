"""Logging a dispute on a tablet: table, round, then one page with the settlement already worked out. Input is
autosaved as a draft on the server; without scripts, on each submission."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import Refusal
from compliance.core.web.files.uploads import UnsupportedFile
from compliance.core.web.http.unsent_forms import discard_unsent_form, restore_unsent_form
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.precheck import carry_out
from compliance.disputes.attachments import MAX_FILES, StoredFile, store_upload
from compliance.disputes.forms import MatterForm, NewDisputeForm
from compliance.disputes.models import DisputeDraft
from compliance.disputes.selectors import disputes_about, draft_of, drafts_of, may_log_dispute, own_procedure_of
from compliance.disputes.services import discard_draft, log_dispute, record_matter, save_draft
from compliance.disputes.subject.disputed_entry import DisputedEntry, access_subject
from compliance.disputes.subject.subject_text import DISPUTABLE_KINDS, read_subject_text
from compliance.disputes.views.common import floor_operators_only, operators_only
from rounds.floor.models import Table as FloorTable
from rounds.floor.selectors import access_table
from rounds.intake.entry_kinds import ROUND
from rounds.intake.round_view import read_round
from rounds.ledger import EntryQuery, search_entries

TABLE_COOKIE = "disputes_table"
LAST_ROUNDS = 12
MULTI_VALUE_FIELDS = frozenset({"wagers", "present"})
UNSAVED_FIELDS = frozenset({"csrfmiddlewaretoken", "act", "papers"})


@floor_operators_only
@require_safe
def choose_table(request: CasinoRequest, casino: str) -> HttpResponse:
    """The tables as tiles; the one last used in this session comes first."""
    now = timezone.now()
    tables = FloorTable.objects.filter(casino=request.casino, retired_at=None).order_by("name", "slug")
    last = request.session.get(TABLE_COOKIE, {}).get(casino, "")
    context = {
        "casino": request.casino,
        "tables": sorted(tables, key=lambda table: table.slug != last),
        "last": last,
        "drafts": drafts_of(request.user, request.casino, now),
    }
    return render(request, "disputes/new-table.html", context)


@floor_operators_only
@require_safe
def choose_round(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    """The last rounds of the table as cards, or those that match a search."""
    at = access_table(request.user, request.casino, table)
    request.session[TABLE_COOKIE] = {**request.session.get(TABLE_COOKIE, {}), casino: table}
    words = request.GET.get("q", "").strip()[:64]
    found = search_entries(casino, EntryQuery(table=table, kind=ROUND, round=words), limit=LAST_ROUNDS)
    context = {
        "casino": request.casino,
        "table": at,
        "words": words,
        "rounds": [read_round(request.casino, entry) for entry in found.entries],
    }
    return render(request, "disputes/new-round.html", context)


@floor_operators_only
@allow_get_post
def describe_matter(request: CasinoRequest, casino: str) -> HttpResponse:
    """Anything that is neither a round nor a promotion is described first. The dispute is then logged about that."""
    now = timezone.now()
    form = MatterForm(bound_data(request), casino=request.casino, now=now)
    if request.method == "POST" and form.is_valid():
        subject = record_matter(casino=request.casino, actor=request.user, now=now, **form.cleaned_data)
        return redirect(casino_url("disputes:new-dispute", request.casino, index=subject.entry.index))
    back = casino_url("disputes:new", request.casino)
    context = {"casino": request.casino, "form": form, "back": back}
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "disputes/new-matter.html", context, status=status)


@operators_only
@require_safe
def choose_promotion(request: CasinoRequest, casino: str) -> HttpResponse:
    """The last claims and terms as cards: a patron may dispute either."""
    found = [search_entries(casino, EntryQuery(kind=kind), limit=LAST_ROUNDS) for kind in DISPUTABLE_KINDS]
    context = {
        "casino": request.casino,
        "promoted": [read_subject_text(request.casino, entry) for each in found for entry in each.entries],
        "is_of_the_floor": may_log_dispute(request.user, request.casino),
        "drafts": drafts_of(request.user, request.casino, timezone.now()),
    }
    return render(request, "disputes/new-promotion.html", context)


@operators_only
@require_http_methods(["GET", "HEAD", "POST"])
def new_dispute(request: CasinoRequest, casino: str, index: int) -> HttpResponse:
    subject = access_subject(request.user, request.casino, index)
    draft = draft_of(request.user, request.casino, index)
    if request.method != "POST":
        unsent = restore_unsent_form(request)
        typed = draft_fields(unsent) if unsent else draft.typed if draft else {}
        form = NewDisputeForm(initial=typed, subject=subject)
        return _render_form(request, subject, form, draft)
    discard_unsent_form(request)
    form = NewDisputeForm(request.POST, request.FILES, subject=subject)
    draft, wrong_files = _save_typed(request, subject)
    is_right = form.is_valid()
    for complaint in wrong_files:
        form.add_error("papers", complaint)
    if request.POST.get("act") == "save":
        messages.success(request, "Your draft is saved. Nothing is logged yet.")
        return redirect(request.path) if not wrong_files else _render_form(request, subject, form, draft)
    if is_right and not wrong_files:
        try:
            return _log_and_redirect(request, subject, form, draft)
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
    return _render_form(request, subject, form, draft)


def _log_and_redirect(
    request: CasinoRequest, subject: DisputedEntry, form: NewDisputeForm, draft: DisputeDraft
) -> HttpResponse:
    known = form.cleaned_data
    dispute = carry_out(
        request,
        form,
        lambda: log_dispute(
            subject=subject,
            wagers=known.get("wagers", ()),
            grounds=known["grounds"],
            category=known.get("category", ""),
            statement=known["statement"],
            present=known["present"],
            patron=form.patron_details(),
            files=[StoredFile(**one) for one in draft.files],
            actor=request.user,
            now=timezone.now(),
        ),
    )
    discard_draft(casino=request.casino, index=subject.entry.index, actor=request.user)
    messages.success(request, f"Dispute {dispute.reference} is logged. Next: {dispute.current_rung.who} decides.")
    return redirect(dispute.get_absolute_url())


def _save_typed(request: CasinoRequest, subject: DisputedEntry) -> tuple[DisputeDraft, list[str]]:
    """Saves all input and each valid file; also returns the errors of the other files."""
    stored, complaints = store_uploads(request.FILES.getlist("papers"))
    draft = save_draft(
        subject=subject, typed=draft_fields(request.POST), files=stored, actor=request.user, now=timezone.now()
    )
    if len(draft.files) > MAX_FILES:
        complaints.append(f"There are more than {MAX_FILES} files. Log the dispute with these and attach others later.")
        draft.files = draft.files[:MAX_FILES]
        draft.save(update_fields=["files"])
    return draft, complaints


def store_uploads(uploads: Sequence[UploadedFile[Any]]) -> tuple[list[StoredFile], list[str]]:
    stored: list[StoredFile] = []
    complaints: list[str] = []
    for upload in uploads:
        try:
            stored.append(store_upload(upload))
        except UnsupportedFile as refusal:
            complaints.append(refusal.full_message)
    return stored, complaints


def draft_fields(posted: QueryDict) -> dict[str, Any]:
    known = set(NewDisputeForm.base_fields) - UNSAVED_FIELDS
    return {
        name: posted.getlist(name) if name in MULTI_VALUE_FIELDS else posted[name] for name in posted if name in known
    }


def _render_form(
    request: CasinoRequest, subject: DisputedEntry, form: NewDisputeForm, draft: DisputeDraft | None
) -> HttpResponse:
    chosen = form["wagers"].value() or [] if "wagers" in form.fields else []
    context = {
        "casino": request.casino,
        "subject": subject,
        "form": form,
        "draft": draft,
        "reckoned": [(each, each.wager_id in chosen) for each in form.assessments],
        "others": disputes_about(request.user, request.casino, subject.entry.index),
        "own_procedure": own_procedure_of(request.casino) if subject.ladder.is_silent else None,
        "save_to": casino_url("disputes:draft", request.casino, index=subject.entry.index),
        "discard": casino_url("disputes:discard", request.casino, index=subject.entry.index),
    }
    return render(request, "disputes/new.html", context, status=422 if form.is_bound and form.errors else 200)


@operators_only
@require_POST
def autosave_draft(request: CasinoRequest, casino: str, index: int) -> HttpResponse:
    """For the page's autosave script: the input so far, without files."""
    subject = access_subject(request.user, request.casino, index)
    draft = save_draft(
        subject=subject, typed=draft_fields(request.POST), files=(), actor=request.user, now=timezone.now()
    )
    return JsonResponse({"saved_at": draft.saved_at.isoformat()})


@operators_only
@allow_get_post
def confirm_discard(request: CasinoRequest, casino: str, index: int) -> HttpResponse:
    access_subject(request.user, request.casino, index)
    act = ConfirmPage(
        "Throw the draft away",
        ["All that you typed about it is deleted, and its papers have to be added again. Nothing was logged."],
        "Throw it away",
        casino_url("disputes:new-dispute", request.casino, index=index),
        "Log a dispute",
        "The draft is thrown away. Nothing was logged.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: discard_draft(casino=request.casino, index=index, actor=request.user),
        redirect_to=casino_url("disputes:disputes", request.casino),
    )
