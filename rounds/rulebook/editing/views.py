"""The pages on which a rule pack is edited. One address takes the text: as a page, and while somebody types."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.web.errors import Refusal, TooMany
from compliance.web.moments import moment_text
from compliance.web.throttle import count_request
from rounds.engine.packs import parse_toml
from rounds.engine.schema import Refusal as EngineRefusal
from rounds.rulebook.editing import shown
from rounds.rulebook.editing.aside import NotExamined, aside
from rounds.rulebook.editing.examining import Question
from rounds.rulebook.editing.faults import faults_of
from rounds.rulebook.editing.forms import BeginForm, ValuesForm
from rounds.rulebook.editing.places import Places
from rounds.rulebook.editing.starts import (
    LARGEST_TEXT_BYTES,
    OWN_FILE,
    Start,
    start_choices,
    start_from,
    start_of_file,
)
from rounds.rulebook.editing.values import clauses_in, parts_of, rewrite, values_in
from rounds.rulebook.errors import ChangedElsewhere, TextTooLarge
from rounds.rulebook.models import PackEdit
from rounds.rulebook.selectors import draft_of, edit_of
from rounds.rulebook.services import begin_edit, bring_back, give_up_edit, go_back, keep_text, put_aside, take_over
from rounds.rulebook.services.editing import content_of
from rounds.rulebook.views.proposing import proposers, step_of

# Twice a second, for as long as anybody can type without a pause.
MOST_CHECKS_A_MINUTE = 120


@proposers
@never_cache
@asks_first
def begin(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    draft, edit = draft_of(request.user, request.casino), edit_of(request.user, request.casino)
    form = BeginForm(
        posted(request), request.FILES or None, choices=start_choices(request.casino, draft, now),
        initial={"start": request.GET.get("from", "")},
    )  # fmt: skip
    if request.method == "POST" and form.is_valid():
        chosen, upload = form.cleaned_data["start"], form.cleaned_data["pack_file"]
        try:
            start = start_of_file(upload) if chosen == OWN_FILE else start_from(chosen, request.casino, draft)
            begin_edit(casino=request.casino, actor=request.user, start=start, now=now)
        except Refusal as refusal:
            form.add_error("pack_file" if chosen == OWN_FILE else "start", refusal.words)
        else:
            return redirect(step_of(request, "propose-edit"))
    context = {"casino": request.casino, "form": form, "edit": edit, "back": step_of(request, "propose")}
    return render(request, "rulebook/edit-begin.html", context)


@proposers
@never_cache
@asks_first
def edit(request: CasinoRequest, casino: str) -> HttpResponse:
    typed = posted(request)
    found = edit_of(request.user, request.casino)
    if found is None and request.method == "POST" and request.POST.get("text"):
        found = _begun_from_what_was_typed(request)
    if found is None:
        return redirect(step_of(request, "propose-edit-begin"))
    if request.method == "POST":
        return ACTS.get(request.POST.get("act", ""), check)(request, found)
    text = found.text if typed is None else typed.get("text", found.text)
    return page(request, found, text, is_kept=text == found.text)


@proposers
@never_cache
@asks_first
def values(request: CasinoRequest, casino: str) -> HttpResponse:
    """Odds, clauses, limits and readings by form fields, which change just that much of the text."""
    found = edit_of(request.user, request.casino)
    if found is None:
        return redirect(step_of(request, "propose-edit-begin"))
    typed = posted(request)
    context: dict[str, Any] = {"casino": request.casino, "edit": found}
    try:
        table = parse_toml(bytes(found.content))
    except EngineRefusal as refusal:
        [fault] = faults_of(refusal.problems, Places(found.text))
        return render(request, "rulebook/edit-values.html", context | {"fault": fault})
    parts = parts_of(table)
    part = request.GET.get("part", "") if request.GET.get("part") in parts else next(iter(parts))
    form = ValuesForm(typed, values=values_in(table, part), clauses=clauses_in(table))
    if request.method == "POST" and form.is_valid():
        changes = form.changes()
        number = request.POST.get("number", "")
        try:
            keep_text(
                edit=found, text=rewrite(found.text, changes), window="", number=read_number(number), now=timezone.now()
            )
        except Refusal as refusal:
            form.add_error(None, f"{refusal.detail} The fields have what you typed.")
        else:
            messages.success(request, f"{len(changes)} value{'' if len(changes) == 1 else 's'} changed in the text.")
            return redirect(step_of(request, "propose-edit"))
    context |= {"form": form, "parts": parts, "part": part, "title": parts[part], "number": found.number}
    return render(request, "rulebook/edit-values.html", context)


@proposers
@never_cache
@asks_first
def give_up(request: CasinoRequest, casino: str) -> HttpResponse:
    """Asked on a page of its own: unlike what is replaced, a text that is given up is not put aside."""
    found = edit_of(request.user, request.casino)
    if found is None:
        return redirect(step_of(request, "propose-edit-begin"))
    beside = ", and so is the one put aside" if found.put_aside else ""
    act = Act(
        "Give this text up",
        [f"The text begun from {found.began_from}, last kept {moment_text(found.kept_at, request.casino)}, is deleted"
         f"{beside}. Nothing brings it back. The rest of your proposal stays as it is."],
        "Give it up",
        step_of(request, "propose-edit"),
        "Edit the rules",
        "The edited text is gone. The rest of your proposal is as it was.",
        is_danger=True,
    )  # fmt: skip
    return act_page(
        request, act, forms.Form(posted(request)), lambda: give_up_edit(edit=found), then=step_of(request, "propose")
    )


def read_number(typed: str) -> int:
    return int(typed) if typed.isdecimal() and typed.isascii() and len(typed) < 9 else 0


def window_named(typed: QueryDict) -> str:
    """As it is kept: a name of our own making, unless somebody made one up."""
    return "".join(filter(str.isprintable, typed.get("window", "")))[:32]


def _begun_from_what_was_typed(request: CasinoRequest) -> PackEdit | None:
    """The draft was given up in another window; what is typed in this one is not lost by it."""
    start = Start("a text that you typed", request.POST["text"].replace("\r\n", "\n"))
    try:
        return begin_edit(casino=request.casino, actor=request.user, start=start, now=timezone.now())
    except TextTooLarge:
        return None


def check(request: CasinoRequest, found: PackEdit) -> HttpResponse:
    """Keeps what was typed, then says all there is to say about it."""
    return _keep_then(request, found, lambda kept: page(request, kept, kept.text))


def overwrite(request: CasinoRequest, found: PackEdit) -> HttpResponse:
    def back(kept: PackEdit) -> HttpResponse:
        messages.success(request, "What was here is kept. The other text is put aside, and can be brought back.")
        return redirect(step_of(request, "propose-edit"))

    return _keep_then(request, found, back, is_over_the_other=True)


def take_other(request: CasinoRequest, found: PackEdit) -> HttpResponse:
    text = request.POST.get("text", "").replace("\r\n", "\n")
    try:
        put_aside(edit=found, text=text)
    except TextTooLarge as refusal:
        return page(request, found, text, is_kept=False, refusal=refusal)
    messages.success(
        request, "This is the text of the other window. What you typed is put aside, and can be brought back."
    )
    return redirect(step_of(request, "propose-edit"))


def finish(request: CasinoRequest, found: PackEdit) -> HttpResponse:
    """On with the proposal, if the text can be used, and was worked out aside: whatever is slow never gets further."""

    def take(kept: PackEdit) -> HttpResponse:
        results = _examined(request, kept, kept.text)
        if "examined" not in results or results["examined"].faults:
            return page(request, kept, kept.text, is_refused="examined" in results, results=results)
        take_over(edit=kept, casino=request.casino, actor=request.user, now=timezone.now())
        messages.success(request, "Your proposal has the rules as you edited them.")
        return redirect(step_of(request, "propose"))

    return _keep_then(request, found, take)


def go_back_to_start(request: CasinoRequest, found: PackEdit) -> HttpResponse:
    def back(kept: PackEdit) -> HttpResponse:
        go_back(edit=kept, now=timezone.now())
        messages.success(request, f"The text is {kept.began_from} again. What you had is put aside.")
        return redirect(step_of(request, "propose-edit"))

    return _keep_then(request, found, back)


def bring_back_text(request: CasinoRequest, found: PackEdit) -> HttpResponse:
    def back(kept: PackEdit) -> HttpResponse:
        bring_back(edit=kept, now=timezone.now())
        messages.success(request, "The text that was put aside is here again. The other is put aside instead.")
        return redirect(step_of(request, "propose-edit"))

    return _keep_then(request, found, back)


def ask_to_give_up(request: CasinoRequest, found: PackEdit) -> HttpResponse:
    """Whoever thinks better of it finds all that was typed."""
    return _keep_then(request, found, lambda kept: redirect(step_of(request, "propose-edit-give-up")))


ACTS: dict[str, Callable[[CasinoRequest, PackEdit], HttpResponse]] = {
    "overwrite": overwrite,
    "take-other": take_other,
    "finish": finish,
    "go-back": go_back_to_start,
    "bring-back": bring_back_text,
    "give-up": ask_to_give_up,
}


def _keep_then(
    request: CasinoRequest,
    found: PackEdit,
    then: Callable[[PackEdit], HttpResponse],
    *,
    is_over_the_other: bool = False,
) -> HttpResponse:
    """What was typed is kept before anything else is done with it; what cannot be kept is shown, not lost."""
    typed: QueryDict = request.POST
    text, number = typed.get("text", found.text).replace("\r\n", "\n"), typed.get("number", "")
    try:
        kept = keep_text(
            edit=found, text=text, number=read_number(number),
            window=window_named(typed), now=timezone.now(), is_over_the_other=is_over_the_other,
        )  # fmt: skip
        return then(kept)
    except ChangedElsewhere as refusal:
        return page(request, refusal.edit, text, is_kept=False, is_elsewhere=True)
    except TextTooLarge as refusal:
        return page(request, found, text, is_kept=False, refusal=refusal)


def page(
    request: CasinoRequest,
    found: PackEdit,
    text: str,
    *,
    is_kept: bool = True,
    is_elsewhere: bool = False,
    is_refused: bool = False,
    refusal: Refusal | None = None,
    results: dict[str, Any] | None = None,
) -> HttpResponse:
    """The whole page, or for a window that has it already just what stands beside the text."""
    typed = request.POST
    if results is None:
        results = {} if refusal else _examined(request, found, text, found.text if is_elsewhere else None)
    context = {
        "casino": request.casino,
        "edit": found,
        "text": text,
        "is_kept": is_kept,
        "is_elsewhere": is_elsewhere,
        "is_refused": is_refused,
        "refusal": refusal,
        # A window that was told of another's text goes on from what it had.
        "number": typed.get("number", "") if is_elsewhere else found.number,
        "window": window_named(typed) or token_hex(8),
        "most_characters": LARGEST_TEXT_BYTES,
        **results,
    }
    if request.headers.get("HX-Request") == "true":
        return render(request, "rulebook/edit-results.html", context)
    return render(request, "rulebook/edit.html", context | {"lines": list(enumerate(text.split("\n"), start=1))})


def _examined(request: CasinoRequest, found: PackEdit, text: str, other: str | None = None) -> dict[str, Any]:
    try:
        count_request(str(request.user.pk), timezone.now(), what="packs examined", most=MOST_CHECKS_A_MINUTE)
        content_of(text)
        readings = found.draft.readings or found.began_readings
        examined = aside.examine(Question(text, found.began_as, readings, found.began_readings, other))
    except TooMany as refusal:
        return {"not_examined": f"{refusal.detail} The text was not checked. {refusal.remedy}"}
    except TextTooLarge as refusal:
        return {"not_examined": refusal.detail}
    except NotExamined as error:
        return {"not_examined": error.words}
    return {"examined": examined, **shown.beside(examined)}
