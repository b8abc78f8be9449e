"""Drafting wizard: a task list with one item a page, and what is still missing."""

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.components import Tag, Task, TaskList
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from promotions.shared.duties import promotion_rules_at, require_duties
from promotions.terms.content.completeness import (
    MissingItem,
    cash_prize_warning,
    find_missing,
    is_answered,
    unanswered_questions,
)
from promotions.terms.content.filing_deadline import latest_filing_time
from promotions.terms.content.labels import section_title
from promotions.terms.content.prize_rules import all_prohibitions, needs_scrutineer
from promotions.terms.content.terms import PRIZES
from promotions.terms.content.text import build_sections
from promotions.terms.forms.actions import NewDraftForm
from promotions.terms.forms.wizard_steps import step_for, wizard_items
from promotions.terms.models import Draft
from promotions.terms.selectors import access_draft, current_versions, prescribed_items_at, version_in_force
from promotions.terms.services import begin_draft, discard_draft, save_answer
from promotions.terms.views.common import writers
from rounds.engine import Promotions

MAX_EARLIER = 20
DONE, TO_DO, WRONG, LATER = (
    Tag("Done", "success"),
    Tag("To do", "info"),
    Tag("Incomplete", "warning"),
    Tag("Not needed"),
)


@writers
@allow_get_post
def new_draft(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    require_duties(request.casino, now)
    earlier = list(current_versions(request.casino, now).order_by("-promotion__number")[:MAX_EARLIER])
    form = NewDraftForm(bound_data(request), earlier=earlier)
    if request.method == "POST" and form.is_valid():
        draft = begin_draft(casino=request.casino, like=form.chosen_version(), actor=request.user, now=now)
        return redirect(draft.address("draft"))
    return render(request, "terms/begin.html", {"casino": request.casino, "form": form})


@writers
@require_safe
def draft(request: CasinoRequest, casino: str, draft: int) -> HttpResponse:
    now = timezone.now()
    found = access_draft(request.user, request.casino, draft)
    duties = require_duties(request.casino, now).duties
    prescribed = prescribed_items_at(request.casino, now)
    lacking = [*find_missing(found.terms, duties), *unanswered_questions(found.terms, duties, prescribed)]
    in_force = version_in_force(found.promotion, now) if found.promotion else None
    starts = found.terms.starts_at
    context = {
        "casino": request.casino,
        "draft": found,
        "tasks": TaskList(_task_items(found, duties, lacking), "Parts of the terms"),
        "missing": [(lack, step_url(found, lack.item)) for lack in lacking],
        "prohibited": all_prohibitions(found.terms.prizes, duties, prescribed),
        "is_amendment": in_force is not None and in_force.starts_at <= now,
        "latest": latest_filing_time(starts, duties.filing) if starts else None,
        "is_late": bool(starts) and starts is not None and latest_filing_time(starts, duties.filing) < now,
        "has_begun": found.terms.has_begun(now),
        "filing": duties.filing,
        "warning": cash_prize_warning(found.terms),
    }
    return render(request, "terms/draft.html", context)


def step_url(draft: Draft, item: str) -> str:
    return draft.address("draft-prizes") if item == PRIZES else draft.address("draft-step", item=item)


def _task_items(draft: Draft, duties: Promotions, lacking: list[MissingItem]) -> list[Task]:
    wrong = {lack.item for lack in lacking}
    tasks = []
    for item, clause in wizard_items(duties):
        if item == "scrutineer" and not needs_scrutineer(draft.terms.prizes, duties):
            named = draft.terms.scrutineer
            hint = f"Clause {clause}: no single prize is worth enough." + (f" The terms name {named}." if named else "")
            tasks.append(Task(section_title(item), LATER, step_url(draft, item) if named else "", hint))
            continue
        state = TO_DO if not is_answered(draft.terms, item) else WRONG if item in wrong else DONE
        tasks.append(Task(section_title(item), state, step_url(draft, item), f"Clause {clause}"))
    return tasks


@writers
@allow_get_post
def step(request: CasinoRequest, casino: str, draft: int, item: str) -> HttpResponse:
    now = timezone.now()
    found = access_draft(request.user, request.casino, draft)
    duties = require_duties(request.casino, now).duties
    clauses = dict(wizard_items(duties))
    if item not in clauses or item == PRIZES:
        raise NotFound
    form = step_for(item)(bound_data(request), terms=found.terms, casino=request.casino, duties=duties)
    if request.method == "POST" and form.is_valid():
        save_answer(draft=found, item=item, answer=form.answer(), actor=request.user, now=now)
        return redirect(found.address("draft"))
    context = {
        "casino": request.casino,
        "title": section_title(item),
        "form": form,
        "clause": clauses[item],
        "draft": found,
        "back": found.address("draft"),
        "lede": form.lede,
    }
    return render(request, "terms/step.html", context)


@writers
@require_safe
def preview(request: CasinoRequest, casino: str, draft: int) -> HttpResponse:
    """The text exactly as patrons will read it."""
    found = access_draft(request.user, request.casino, draft)
    rules = promotion_rules_at(request.casino, timezone.now())
    context = {
        "casino": request.casino,
        "draft": found,
        "terms": found.terms,
        "preview": True,
        "sections": build_sections(found.terms, request.casino),
        "right": rules.duties.dispute if rules else None,
    }
    return render(request, "terms/public.html", context)


@writers
@allow_get_post
def discard(request: CasinoRequest, casino: str, draft: int) -> HttpResponse:
    found = access_draft(request.user, request.casino, draft)
    act = ConfirmPage(
        f"Discard the draft “{found}”",
        ["Everything typed into it is gone. What was filed stays."],
        "Discard it",
        found.address("draft"),
        str(found),
        "The draft is gone. Nothing was filed.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: discard_draft(draft=found, actor=request.user),
        redirect_to=casino_url("promotions:board", request.casino),
    )
