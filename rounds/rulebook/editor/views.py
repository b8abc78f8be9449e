"""Pages of the rule pack editor. edit_text handles both the full page and htmx autosaves."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import Refusal, TooMany
from compliance.core.web.http.rate_limit import enforce_rate_limit
from compliance.core.web.local_time import format_local
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from rounds.engine import pack
from rounds.rulebook.editor import preview_tables
from rounds.rulebook.editor.analysis import AnalysisRequest
from rounds.rulebook.editor.forms import StartingPointForm, ValuesForm
from rounds.rulebook.editor.services import (
    apply_edit_to_draft,
    begin_edit,
    discard_edit,
    encode_text,
    reset_to_start,
    restore_stashed_text,
    save_text,
    stash_text,
)
from rounds.rulebook.editor.single_values import clause_numbers, list_editable_values, rewrite_values, value_form_titles
from rounds.rulebook.editor.starting_points import (
    OWN_FILE,
    StartingPoint,
    load_starting_point,
    starting_point_choices,
    starting_point_from_file,
)
from rounds.rulebook.editor.text_problems import locate_problems
from rounds.rulebook.editor.toml_positions import TomlPositions
from rounds.rulebook.editor.worker_process import AnalysisFailed, analysis_process
from rounds.rulebook.errors import ChangedInOtherWindow, TextTooLarge
from rounds.rulebook.models import PackEdit
from rounds.rulebook.pages.propose import proposers_only, step_url
from rounds.rulebook.selectors import draft_of, edit_of
from rounds.rulebook.size_limits import MAX_TEXT_BYTES

# The editor analyses the text at most twice a second.
MAX_ANALYSES_PER_MINUTE = 120


@proposers_only
@allow_get_post
def choose_starting_point(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    draft, edit = draft_of(request.user, request.casino), edit_of(request.user, request.casino)
    form = StartingPointForm(
        bound_data(request),
        request.FILES or None,
        choices=starting_point_choices(request.casino, draft, now),
        initial={"start": request.GET.get("from", "")},
    )
    if request.method == "POST" and form.is_valid():
        chosen, upload = form.cleaned_data["start"], form.cleaned_data["pack_file"]
        try:
            start = (
                starting_point_from_file(upload)
                if chosen == OWN_FILE
                else load_starting_point(chosen, request.casino, draft)
            )
            begin_edit(casino=request.casino, actor=request.user, start=start, now=now)
        except Refusal as refusal:
            form.add_error("pack_file" if chosen == OWN_FILE else "start", refusal.full_message)
        else:
            return redirect(step_url(request, "propose-edit"))
    context = {"casino": request.casino, "form": form, "edit": edit, "back": step_url(request, "propose")}
    return render(request, "rulebook/edit-begin.html", context)


@proposers_only
@allow_get_post
def edit_text(request: CasinoRequest, casino: str) -> HttpResponse:
    typed = bound_data(request)
    found = edit_of(request.user, request.casino)
    if found is None and request.method == "POST" and request.POST.get("text"):
        found = _recreate_edit_from_post(request)
    if found is None:
        return redirect(step_url(request, "propose-edit-begin"))
    if request.method == "POST":
        return EDITOR_ACTIONS.get(request.POST.get("act", ""), save_and_check)(request, found)
    text = found.text if typed is None else typed.get("text", found.text)
    return render_editor(request, found, text, is_saved=text == found.text)


@proposers_only
@allow_get_post
def edit_values(request: CasinoRequest, casino: str) -> HttpResponse:
    """Form fields for odds, clauses, limits and readings; each changes only its own value in the text."""
    found = edit_of(request.user, request.casino)
    if found is None:
        return redirect(step_url(request, "propose-edit-begin"))
    typed = bound_data(request)
    context: dict[str, Any] = {"casino": request.casino, "edit": found}
    try:
        table = pack.parse_toml(bytes(found.content))
    except pack.PackRefused as refusal:
        [fault] = locate_problems(refusal.problems, TomlPositions(found.text))
        return render(request, "rulebook/edit-values.html", context | {"fault": fault})
    parts = value_form_titles(table)
    part = request.GET.get("part", "") if request.GET.get("part") in parts else next(iter(parts))
    form = ValuesForm(typed, values=list_editable_values(table, part), clauses=clause_numbers(table))
    if request.method == "POST" and form.is_valid():
        changes = form.changed_values()
        number = request.POST.get("number", "")
        try:
            save_text(
                edit=found,
                text=rewrite_values(found.text, changes),
                window="",
                number=parse_edit_number(number),
                now=timezone.now(),
            )
        except Refusal as refusal:
            form.add_error(None, f"{refusal.detail} The fields have what you typed.")
        else:
            messages.success(request, f"{len(changes)} value{'' if len(changes) == 1 else 's'} changed in the text.")
            return redirect(step_url(request, "propose-edit"))
    context |= {"form": form, "parts": parts, "part": part, "title": parts[part], "number": found.number}
    return render(request, "rulebook/edit-values.html", context)


@proposers_only
@allow_get_post
def confirm_discard(request: CasinoRequest, casino: str) -> HttpResponse:
    """Confirmation page: a discarded text is deleted and, unlike a replaced one, not kept in `put_aside`."""
    found = edit_of(request.user, request.casino)
    if found is None:
        return redirect(step_url(request, "propose-edit-begin"))
    stashed_text = ", and so is the one put aside" if found.put_aside else ""
    act = ConfirmPage(
        "Give this text up",
        [
            f"The text begun from {found.began_from}, last kept {format_local(found.kept_at, request.casino)}, "
            f"is deleted"
            f"{stashed_text}. Nothing brings it back. The rest of your proposal stays as it is."
        ],
        "Give it up",
        step_url(request, "propose-edit"),
        "Edit the rules",
        "The edited text is gone. The rest of your proposal is as it was.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: discard_edit(edit=found),
        redirect_to=step_url(request, "propose"),
    )


def parse_edit_number(typed: str) -> int:
    return int(typed) if typed.isdecimal() and typed.isascii() and len(typed) < 9 else 0


def window_name(typed: QueryDict) -> str:
    """The window name from the form, sanitised and cut to the column's length."""
    return "".join(filter(str.isprintable, typed.get("window", "")))[:32]


def _recreate_edit_from_post(request: CasinoRequest) -> PackEdit | None:
    """Recreates an edit that another window discarded, so that the text typed in this window is not lost."""
    start = StartingPoint("a text that you typed", request.POST["text"].replace("\r\n", "\n"))
    try:
        return begin_edit(casino=request.casino, actor=request.user, start=start, now=timezone.now())
    except TextTooLarge:
        return None


def save_and_check(request: CasinoRequest, found: PackEdit) -> HttpResponse:
    """Saves the text and renders its analysis. Default action, and the one that autosave uses."""
    return _save_text_then(request, found, lambda kept: render_editor(request, kept, kept.text))


def overwrite_other_window(request: CasinoRequest, found: PackEdit) -> HttpResponse:
    def redirect_to_editor(kept: PackEdit) -> HttpResponse:
        messages.success(request, "What was here is kept. The other text is put aside, and can be brought back.")
        return redirect(step_url(request, "propose-edit"))

    return _save_text_then(request, found, redirect_to_editor, is_overwrite=True)


def accept_other_window(request: CasinoRequest, found: PackEdit) -> HttpResponse:
    text = request.POST.get("text", "").replace("\r\n", "\n")
    try:
        stash_text(edit=found, text=text)
    except TextTooLarge as refusal:
        return render_editor(request, found, text, is_saved=False, refusal=refusal)
    messages.success(
        request, "This is the text of the other window. What you typed is put aside, and can be brought back."
    )
    return redirect(step_url(request, "propose-edit"))


def finish_edit(request: CasinoRequest, found: PackEdit) -> HttpResponse:
    """Applies the text to the draft if its analysis completed without problems. A text that times out is refused."""

    def apply_if_valid(kept: PackEdit) -> HttpResponse:
        results = _analysis_context(request, kept, kept.text)
        if "examined" not in results or results["examined"].faults:
            return render_editor(request, kept, kept.text, is_refused="examined" in results, results=results)
        apply_edit_to_draft(edit=kept, casino=request.casino, actor=request.user, now=timezone.now())
        messages.success(request, "Your proposal has the rules as you edited them.")
        return redirect(step_url(request, "propose"))

    return _save_text_then(request, found, apply_if_valid)


def reset_text(request: CasinoRequest, found: PackEdit) -> HttpResponse:
    def reset_and_redirect(kept: PackEdit) -> HttpResponse:
        reset_to_start(edit=kept, now=timezone.now())
        messages.success(request, f"The text is {kept.began_from} again. What you had is put aside.")
        return redirect(step_url(request, "propose-edit"))

    return _save_text_then(request, found, reset_and_redirect)


def restore_text(request: CasinoRequest, found: PackEdit) -> HttpResponse:
    def restore_and_redirect(kept: PackEdit) -> HttpResponse:
        restore_stashed_text(edit=kept, now=timezone.now())
        messages.success(request, "The text that was put aside is here again. The other is put aside instead.")
        return redirect(step_url(request, "propose-edit"))

    return _save_text_then(request, found, restore_and_redirect)


def save_then_confirm_discard(request: CasinoRequest, found: PackEdit) -> HttpResponse:
    """Saves before asking for confirmation, so that cancelling loses nothing."""
    return _save_text_then(request, found, lambda kept: redirect(step_url(request, "propose-edit-give-up")))


EDITOR_ACTIONS: dict[str, Callable[[CasinoRequest, PackEdit], HttpResponse]] = {
    "overwrite": overwrite_other_window,
    "take-other": accept_other_window,
    "finish": finish_edit,
    "go-back": reset_text,
    "bring-back": restore_text,
    "give-up": save_then_confirm_discard,
}


def _save_text_then(
    request: CasinoRequest,
    found: PackEdit,
    then: Callable[[PackEdit], HttpResponse],
    *,
    is_overwrite: bool = False,
) -> HttpResponse:
    """Saves the posted text, then calls `then`. If it cannot be saved, renders the editor with the posted text."""
    typed: QueryDict = request.POST
    text, number = typed.get("text", found.text).replace("\r\n", "\n"), typed.get("number", "")
    try:
        kept = save_text(
            edit=found,
            text=text,
            number=parse_edit_number(number),
            window=window_name(typed),
            now=timezone.now(),
            is_overwrite=is_overwrite,
        )
        return then(kept)
    except ChangedInOtherWindow as refusal:
        return render_editor(request, refusal.edit, text, is_saved=False, is_changed_elsewhere=True)
    except TextTooLarge as refusal:
        return render_editor(request, found, text, is_saved=False, refusal=refusal)


def render_editor(
    request: CasinoRequest,
    found: PackEdit,
    text: str,
    *,
    is_saved: bool = True,
    is_changed_elsewhere: bool = False,
    is_refused: bool = False,
    refusal: Refusal | None = None,
    results: dict[str, Any] | None = None,
) -> HttpResponse:
    """The whole page, or for an htmx request only the analysis next to the text."""
    typed = request.POST
    if results is None:
        results = (
            {} if refusal else _analysis_context(request, found, text, found.text if is_changed_elsewhere else None)
        )
    context = {
        "casino": request.casino,
        "edit": found,
        "text": text,
        "is_kept": is_saved,
        "is_elsewhere": is_changed_elsewhere,
        "is_refused": is_refused,
        "refusal": refusal,
        # After a conflict the window keeps its old number, so its next save conflicts again unless it overwrites.
        "number": typed.get("number", "") if is_changed_elsewhere else found.number,
        "window": window_name(typed) or token_hex(8),
        "most_characters": MAX_TEXT_BYTES,
        **results,
    }
    if request.headers.get("HX-Request") == "true":
        return render(request, "rulebook/edit-results.html", context)
    return render(request, "rulebook/edit.html", context | {"lines": list(enumerate(text.split("\n"), start=1))})


def _analysis_context(request: CasinoRequest, found: PackEdit, text: str, other: str | None = None) -> dict[str, Any]:
    try:
        enforce_rate_limit(str(request.user.pk), timezone.now(), what="packs examined", most=MAX_ANALYSES_PER_MINUTE)
        encode_text(text)
        readings = found.draft.readings or found.began_readings
        examined = analysis_process.analyse(
            AnalysisRequest(text, found.starting_text, readings, found.began_readings, other)
        )
    except TooMany as refusal:
        return {"not_examined": f"{refusal.detail} The text was not checked. {refusal.remedy}"}
    except TextTooLarge as refusal:
        return {"not_examined": refusal.detail}
    except AnalysisFailed as error:
        return {"not_examined": error.message}
    return {"examined": examined, **preview_tables.analysis_context(examined)}
