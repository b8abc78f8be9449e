"""Pages of a proposal: a task list with one page per step, saved as a draft until the proposal is sent."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import User
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.accounts.roles import Role
from compliance.core.web.access import require_roles
from compliance.core.web.errors import Refusal
from compliance.core.web.ui.components import SummaryList, SummaryRow, Tag, Task, TaskList
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.precheck import carry_out
from rounds.engine import Pack
from rounds.rulebook.errors import BadPack
from rounds.rulebook.models import Draft, PackEdit, RuleVersion
from rounds.rulebook.pages.forms import OWN_FILE, PackForm, ReadingsForm, SourceForm
from rounds.rulebook.pages.home import rulebook_url
from rounds.rulebook.permissions import MAY_PROPOSE
from rounds.rulebook.selectors import draft_of, edit_of
from rounds.rulebook.versions.drafts import discard_draft, save_draft_pack, save_draft_readings, save_draft_source
from rounds.rulebook.versions.propose import SourceUpload, propose_version, read_source_upload, validate_pack_file
from rounds.rulepacks import PACK_FOLDER, shipped_packs

proposers_only = require_roles(*MAY_PROPOSE)
TO_DO, DONE, LATER = Tag("To do", "info"), Tag("Done", "success"), Tag("Cannot start yet")
OPTIONAL, UNFINISHED = Tag("Optional"), Tag("Not finished", "warning")


def step_url(request: CasinoRequest, name: str) -> str:
    return casino_url(f"rulebook:{name}", request.casino)


def load_draft_pack(draft: Draft | None) -> Pack | None:
    """The pack of the draft, parsed and validated again."""
    if draft is None or draft.pack_content is None:
        return None
    return validate_pack_file(bytes(draft.pack_content), draft.pack_file)


def is_draft_complete(draft: Draft | None) -> bool:
    """Every step is done, and no edited text is still waiting to be applied to the draft."""
    has_every_part = draft and draft.pack_content and draft.source_content and draft.has_chosen_readings
    return bool(has_every_part and draft and not has_open_edit(draft))


def has_open_edit(draft: Draft) -> bool:
    edit = PackEdit.objects.filter(draft=draft).first()
    return edit is not None and not edit.is_applied_to_draft


@proposers_only
@require_safe
def proposal_task_list(request: CasinoRequest, casino: str) -> HttpResponse:
    draft = draft_of(request.user, request.casino)
    has_pack, has_source = bool(draft and draft.pack_content), bool(draft and draft.source_content)
    has_readings = bool(draft and draft.has_chosen_readings)
    edit = edit_of(request.user, request.casino)
    is_unfinished = edit is not None and not edit.is_applied_to_draft
    is_ready = is_draft_complete(draft)
    tasks = [
        Task("Choose the rules", DONE if has_pack else TO_DO, step_url(request, "propose-pack")),
        Task(
            "Edit the rules",
            UNFINISHED if is_unfinished else DONE if edit else OPTIONAL,
            step_url(request, "propose-edit"),
            f"Begun from {edit.began_from}." if edit else "Change a version or a pack here, and see what follows.",
        ),
        Task("Upload the source document", DONE if has_source else TO_DO, step_url(request, "propose-source")),
        Task(
            "Choose how ambiguous clauses are read",
            DONE if has_readings else TO_DO if has_pack else LATER,
            step_url(request, "propose-readings") if has_pack else "",
            "" if has_pack else "Choose the rules first.",
        ),
        Task(
            "Check and propose",
            TO_DO if is_ready else LATER,
            step_url(request, "propose-check") if is_ready else "",
            ""
            if is_ready
            else "Finish editing first, or give the edit up."
            if is_unfinished
            else "The steps above come first.",
        ),
    ]
    context = {
        "casino": request.casino,
        "tasks": TaskList(tasks, "Steps of the proposal"),
        "draft": draft,
        "may_try": has_pack and request.user.has_role(Role.AUTHORITY_OFFICER, casino=request.casino),
    }
    return render(request, "rulebook/propose.html", context)


def _render_step(
    request: CasinoRequest, title: str, form: forms.Form, save: Callable[[], Any], *, field: str = ""
) -> HttpResponse:
    """One step of the proposal: saved and redirected if valid, otherwise shown again with every problem."""
    if request.method == "POST" and form.is_valid():
        try:
            save()
        except BadPack as refusal:
            for problem in refusal.problems:
                form.add_error(field, problem)
        except Refusal as refusal:
            form.add_error(field or None, refusal.full_message)
        else:
            return redirect(step_url(request, "propose"))
    context = {"casino": request.casino, "title": title, "form": form, "back": step_url(request, "propose")}
    return render(request, "rulebook/propose-step.html", context)


@proposers_only
@allow_get_post
def choose_pack(request: CasinoRequest, casino: str) -> HttpResponse:
    form = PackForm(bound_data(request), request.FILES or None, packs=list(shipped_packs()))

    def save_chosen_pack() -> None:
        upload = form.cleaned_data["pack_file"]
        chosen = form.cleaned_data["pack"]
        if chosen == OWN_FILE:
            content, name = upload.read(), upload.name
        else:
            name = f"{chosen.partition('@')[0]}.toml"
            content = (PACK_FOLDER / name).read_bytes()
        save_draft_pack(casino=request.casino, actor=request.user, content=content, file_name=name, now=timezone.now())

    return _render_step(request, "Choose the rules", form, save_chosen_pack, field="pack_file")


@proposers_only
@allow_get_post
def upload_source(request: CasinoRequest, casino: str) -> HttpResponse:
    form = SourceForm(bound_data(request), request.FILES or None)

    def save_uploaded_source() -> None:
        file = form.cleaned_data["source"]
        upload = read_source_upload(file.read(), file.name)
        save_draft_source(casino=request.casino, actor=request.user, upload=upload, now=timezone.now())

    return _render_step(request, "Upload the source document", form, save_uploaded_source, field="source")


def require_draft_pack(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator: redirects to the task list unless the draft has a pack; passes the draft to the view."""

    @wraps(view)
    def check_draft_then_view(request: CasinoRequest, casino: str) -> HttpResponse:
        draft = draft_of(request.user, request.casino)
        if draft is None or draft.pack_content is None:
            return redirect(step_url(request, "propose"))
        return view(request, casino, draft)

    return check_draft_then_view


@proposers_only
@allow_get_post
@require_draft_pack
def choose_readings(request: CasinoRequest, casino: str, draft: Draft) -> HttpResponse:
    pack = load_draft_pack(draft)
    assert pack is not None
    form = ReadingsForm(bound_data(request), pack=pack, chosen=draft.readings)
    return _render_step(
        request,
        "Choose how ambiguous clauses are read",
        form,
        lambda: save_draft_readings(
            casino=request.casino, actor=request.user, readings=form.cleaned_data, now=timezone.now()
        ),
    )


@proposers_only
@allow_get_post
@require_draft_pack
def review_and_send(request: CasinoRequest, casino: str, draft: Draft) -> HttpResponse:
    """Shows all answers for review; sending them creates the version."""
    pack = load_draft_pack(draft)
    if not is_draft_complete(draft) or pack is None or draft.source_content is None:
        return redirect(step_url(request, "propose"))
    form = forms.Form(bound_data(request))
    if request.method == "POST" and form.is_valid():
        try:
            version = carry_out(
                request, form, partial(_propose_draft, request.user, draft, bytes(draft.source_content))
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            discard_draft(casino=request.casino, actor=request.user)
            messages.success(
                request, f"Proposed, reference {version.reference}. A second person of government decides."
            )
            return redirect(version)
    context = {"casino": request.casino, "form": form, "answers": _answers_summary(request, draft, pack), "pack": pack}
    return render(request, "rulebook/propose-check.html", context)


def _propose_draft(actor: User, draft: Draft, source: bytes) -> RuleVersion:
    return propose_version(
        casino=draft.casino,
        pack_content=bytes(draft.pack_content or b""),
        pack_file=draft.pack_file,
        source=SourceUpload(source, draft.source_file, draft.source_media_type),
        readings=draft.readings,
        actor=actor,
        now=timezone.now(),
    )


def _answers_summary(request: CasinoRequest, draft: Draft, pack: Pack) -> SummaryList:
    chosen = step_url(request, "propose-readings")
    return SummaryList(
        [
            SummaryRow("Rules", f"{pack.title} ({pack.name})", step_url(request, "propose-pack")),
            SummaryRow("Source document", draft.source_file, step_url(request, "propose-source")),
            *(SummaryRow(f"Reading {name}", choice, chosen) for name, choice in draft.readings.items()),
        ]
    )


@proposers_only
@allow_get_post
def discard_proposal(request: CasinoRequest, casino: str) -> HttpResponse:
    act = ConfirmPage(
        "Discard the draft of your proposal",
        [
            "The rules, the source document and the readings in it are deleted, with a text that you edit. What was "
            "proposed stays."
        ],
        "Discard it",
        step_url(request, "propose"),
        "Propose a version",
        "The draft is gone. Nothing was proposed.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: discard_draft(casino=request.casino, actor=request.user),
        redirect_to=rulebook_url(request.casino),
    )
