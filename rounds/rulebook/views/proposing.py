"""Proposing a version: a task list with one thing a page, kept as a draft until it is sent."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.roles import Role
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.web.access import held_by
from compliance.web.components import SummaryList, SummaryRow, Tag, Task, TaskList
from compliance.web.errors import Refusal
from rounds.engine.packs import Pack
from rounds.rulebook.errors import BadPack
from rounds.rulebook.forms import OWN_FILE, PackForm, ReadingsForm, SourceForm
from rounds.rulebook.models import Draft, PackEdit
from rounds.rulebook.selectors import MAY_PROPOSE, draft_of, edit_of
from rounds.rulebook.services import (
    Upload,
    discard_draft,
    keep_pack,
    keep_readings,
    keep_source,
    propose_version,
    read_upload,
)
from rounds.rulebook.services.proposing import read_pack_file
from rounds.rulebook.views.home import home_of
from rounds.rulepacks import PACK_FOLDER, shipped_packs

proposers = held_by(*MAY_PROPOSE)
TO_DO, DONE, LATER = Tag("To do", "info"), Tag("Done", "success"), Tag("Cannot start yet")
OPTIONAL, UNFINISHED = Tag("Optional"), Tag("Not finished", "warning")


def step_of(request: CasinoRequest, name: str) -> str:
    return reverse(f"rulebook:{name}", kwargs={"casino": request.casino.slug})


def pack_in(draft: Draft | None) -> Pack | None:
    """The pack of the draft, read again: what was kept was good when it was kept."""
    if draft is None or draft.pack_content is None:
        return None
    return read_pack_file(bytes(draft.pack_content), draft.pack_file)


def is_whole(draft: Draft | None) -> bool:
    """Nothing is missing, and no text is still being edited that the proposal would go without."""
    has_every_part = draft and draft.pack_content and draft.source_content and draft.has_chosen_readings
    return bool(has_every_part and draft and not is_being_edited(draft))


def is_being_edited(draft: Draft) -> bool:
    edit = PackEdit.objects.filter(draft=draft).first()
    return edit is not None and not edit.is_taken_over


@proposers
@never_cache
@require_safe
def propose(request: CasinoRequest, casino: str) -> HttpResponse:
    draft = draft_of(request.user, request.casino)
    has_pack, has_source = bool(draft and draft.pack_content), bool(draft and draft.source_content)
    has_readings = bool(draft and draft.has_chosen_readings)
    edit = edit_of(request.user, request.casino)
    is_unfinished = edit is not None and not edit.is_taken_over
    is_ready = is_whole(draft)
    tasks = [
        Task("Choose the rules", DONE if has_pack else TO_DO, step_of(request, "propose-pack")),
        Task(
            "Edit the rules",
            UNFINISHED if is_unfinished else DONE if edit else OPTIONAL,
            step_of(request, "propose-edit"),
            f"Begun from {edit.began_from}." if edit else "Change a version or a pack here, and see what follows.",
        ),
        Task("Upload the source document", DONE if has_source else TO_DO, step_of(request, "propose-source")),
        Task(
            "Choose how ambiguous clauses are read",
            DONE if has_readings else TO_DO if has_pack else LATER,
            step_of(request, "propose-readings") if has_pack else "",
            "" if has_pack else "Choose the rules first.",
        ),
        Task(
            "Check and propose",
            TO_DO if is_ready else LATER,
            step_of(request, "propose-check") if is_ready else "",
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
        "may_try": has_pack and request.user.holds(Role.AUTHORITY_OFFICER, casino=request.casino),
    }
    return render(request, "rulebook/propose.html", context)


def _step(
    request: CasinoRequest, title: str, form: forms.Form, keep: Callable[[], Any], *, field: str = ""
) -> HttpResponse:
    """One page of the proposal: kept when it is right, shown again with every problem when it is not."""
    if request.method == "POST" and form.is_valid():
        try:
            keep()
        except BadPack as refusal:
            for problem in refusal.problems:
                form.add_error(field, problem)
        except Refusal as refusal:
            form.add_error(field or None, refusal.words)
        else:
            return redirect(step_of(request, "propose"))
    context = {"casino": request.casino, "title": title, "form": form, "back": step_of(request, "propose")}
    return render(request, "rulebook/propose-step.html", context)


@proposers
@never_cache
@asks_first
def pack(request: CasinoRequest, casino: str) -> HttpResponse:
    form = PackForm(posted(request), request.FILES or None, packs=list(shipped_packs()))

    def keep() -> None:
        upload = form.cleaned_data["pack_file"]
        chosen = form.cleaned_data["pack"]
        if chosen == OWN_FILE:
            content, name = upload.read(), upload.name
        else:
            name = f"{chosen.partition('@')[0]}.toml"
            content = (PACK_FOLDER / name).read_bytes()
        keep_pack(casino=request.casino, actor=request.user, content=content, file_name=name, now=timezone.now())

    return _step(request, "Choose the rules", form, keep, field="pack_file")


@proposers
@never_cache
@asks_first
def source(request: CasinoRequest, casino: str) -> HttpResponse:
    form = SourceForm(posted(request), request.FILES or None)

    def keep() -> None:
        file = form.cleaned_data["source"]
        upload = read_upload(file.read(), file.name)
        keep_source(casino=request.casino, actor=request.user, upload=upload, now=timezone.now())

    return _step(request, "Upload the source document", form, keep, field="source")


def needs_a_pack(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A step that was opened too early leads back to the list of steps."""

    @wraps(view)
    def checked(request: CasinoRequest, casino: str) -> HttpResponse:
        draft = draft_of(request.user, request.casino)
        if draft is None or draft.pack_content is None:
            return redirect(step_of(request, "propose"))
        return view(request, casino, draft)

    return checked


@proposers
@never_cache
@asks_first
@needs_a_pack
def readings(request: CasinoRequest, casino: str, draft: Draft) -> HttpResponse:
    pack = pack_in(draft)
    assert pack is not None
    form = ReadingsForm(posted(request), pack=pack, chosen=draft.readings)
    return _step(
        request, "Choose how ambiguous clauses are read", form,
        lambda: keep_readings(
            casino=request.casino, actor=request.user, readings=form.cleaned_data, now=timezone.now()
        ),
    )  # fmt: skip


@proposers
@never_cache
@asks_first
@needs_a_pack
def check(request: CasinoRequest, casino: str, draft: Draft) -> HttpResponse:
    """The answers shown back; sending them makes the version."""
    pack = pack_in(draft)
    if not is_whole(draft) or pack is None or draft.source_content is None:
        return redirect(step_of(request, "propose"))
    form = forms.Form(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            version = propose_version(
                casino=request.casino,
                pack_content=bytes(draft.pack_content or b""),
                pack_file=draft.pack_file,
                source=Upload(bytes(draft.source_content), draft.source_file, draft.source_media_type),
                readings=draft.readings,
                actor=request.user,
                now=timezone.now(),
            )
        except Refusal as refusal:
            form.add_error(None, refusal.words)
        else:
            discard_draft(casino=request.casino, actor=request.user)
            messages.success(
                request, f"Proposed, reference {version.reference}. A second person of government decides."
            )
            return redirect(version)
    context = {"casino": request.casino, "form": form, "answers": _answers(request, draft, pack), "pack": pack}
    return render(request, "rulebook/propose-check.html", context)


def _answers(request: CasinoRequest, draft: Draft, pack: Pack) -> SummaryList:
    chosen = step_of(request, "propose-readings")
    return SummaryList(
        [
            SummaryRow("Rules", f"{pack.title} ({pack.name})", step_of(request, "propose-pack")),
            SummaryRow("Source document", draft.source_file, step_of(request, "propose-source")),
            *(SummaryRow(f"Reading {name}", choice, chosen) for name, choice in draft.readings.items()),
        ]
    )


@proposers
@never_cache
@asks_first
def discard(request: CasinoRequest, casino: str) -> HttpResponse:
    act = Act(
        "Discard the draft of your proposal",
        ["The rules, the source document and the readings in it are deleted, with a text that you edit. What was "
         "proposed stays."],
        "Discard it",
        step_of(request, "propose"),
        "Propose a version",
        "The draft is gone. Nothing was proposed.",
        is_danger=True,
    )  # fmt: skip
    return act_page(
        request, act, forms.Form(posted(request)),
        lambda: discard_draft(casino=request.casino, actor=request.user), then=home_of(request.casino),
    )  # fmt: skip
