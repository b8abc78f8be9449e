"""Drafting terms: a task list with one thing a page, and what is still missing beside it."""

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.web.components import Tag, Task, TaskList
from compliance.web.errors import NotFound
from promotions.duties import require_duties
from promotions.terms.completeness import Missing, is_answered, missing, superior_law
from promotions.terms.content import PRIZES
from promotions.terms.filing_clock import latest_moment
from promotions.terms.forms import BeginForm
from promotions.terms.models import Draft
from promotions.terms.prizes import every_prohibition, needs_scrutineer
from promotions.terms.selectors import access_draft, prescribed_at, terms_now, version_in_force
from promotions.terms.services import begin_draft, discard_draft, keep_answer
from promotions.terms.steps import items_of, step_for
from promotions.terms.views.common import address_of, writers
from promotions.terms.wording import sections
from promotions.terms.words import title_of
from rounds.engine.promotion_duties import Promotions

EARLIER_SHOWN = 20
DONE, TO_DO, WRONG, LATER = (
    Tag("Done", "success"),
    Tag("To do", "info"),
    Tag("Incomplete", "warning"),
    Tag("Not needed"),
)


@writers
@never_cache
@asks_first
def begin(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    require_duties(request.casino, now)
    earlier = list(terms_now(request.casino, now).order_by("-promotion__number")[:EARLIER_SHOWN])
    form = BeginForm(posted(request), earlier=earlier)
    if request.method == "POST" and form.is_valid():
        draft = begin_draft(casino=request.casino, like=form.chosen(), actor=request.user, now=now)
        return redirect(draft.address("draft"))
    return render(request, "terms/begin.html", {"casino": request.casino, "form": form})


@writers
@never_cache
@require_safe
def draft(request: CasinoRequest, casino: str, draft: int) -> HttpResponse:
    now = timezone.now()
    found = access_draft(request.user, request.casino, draft)
    duties = require_duties(request.casino, now).duties
    lacking = missing(found.terms, duties)
    standing = version_in_force(found.promotion, now) if found.promotion else None
    starts = found.terms.starts_at
    context = {
        "casino": request.casino,
        "draft": found,
        "tasks": TaskList(_tasks(found, duties, lacking), "Parts of the terms"),
        "missing": [(lack, page_of(found, lack.item)) for lack in lacking],
        "prohibited": every_prohibition(found.terms.prizes, duties, prescribed_at(request.casino, now)),
        "is_amendment": standing is not None and standing.starts_at <= now,
        "latest": latest_moment(starts, duties.filing) if starts else None,
        "is_late": bool(starts) and starts is not None and latest_moment(starts, duties.filing) < now,
        "has_begun": found.terms.has_begun(now),
        "filing": duties.filing,
        "warning": superior_law(found.terms),
    }
    return render(request, "terms/draft.html", context)


def page_of(draft: Draft, item: str) -> str:
    return draft.address("draft-prizes") if item == PRIZES else draft.address("draft-step", item=item)


def _tasks(draft: Draft, duties: Promotions, lacking: list[Missing]) -> list[Task]:
    wrong = {lack.item for lack in lacking}
    tasks = []
    for item, clause in items_of(duties):
        if item == "scrutineer" and not needs_scrutineer(draft.terms.prizes, duties):
            tasks.append(Task(title_of(item), LATER, "", f"Clause {clause}: no single prize is worth enough."))
            continue
        state = TO_DO if not is_answered(draft.terms, item) else WRONG if item in wrong else DONE
        tasks.append(Task(title_of(item), state, page_of(draft, item), f"Clause {clause}"))
    return tasks


@writers
@never_cache
@asks_first
def step(request: CasinoRequest, casino: str, draft: int, item: str) -> HttpResponse:
    now = timezone.now()
    found = access_draft(request.user, request.casino, draft)
    duties = require_duties(request.casino, now).duties
    clauses = dict(items_of(duties))
    if item not in clauses or item == PRIZES:
        raise NotFound
    form = step_for(item)(posted(request), terms=found.terms, casino=request.casino, duties=duties)
    if request.method == "POST" and form.is_valid():
        keep_answer(draft=found, item=item, answer=form.answer(), actor=request.user, now=now)
        return redirect(found.address("draft"))
    context = {
        "casino": request.casino, "title": title_of(item), "form": form, "clause": clauses[item], "draft": found,
        "back": found.address("draft"), "lede": form.lede,
    }  # fmt: skip
    return render(request, "terms/step.html", context)


@writers
@never_cache
@require_safe
def preview(request: CasinoRequest, casino: str, draft: int) -> HttpResponse:
    """The very text that patrons will read."""
    found = access_draft(request.user, request.casino, draft)
    context = {"casino": request.casino, "draft": found, "terms": found.terms, "preview": True}
    return render(request, "terms/public.html", context | {"sections": sections(found.terms, request.casino)})


@writers
@never_cache
@asks_first
def discard(request: CasinoRequest, casino: str, draft: int) -> HttpResponse:
    found = access_draft(request.user, request.casino, draft)
    act = Act(
        f"Discard the draft “{found}”",
        ["Everything typed into it is gone. What was filed stays."],
        "Discard it",
        found.address("draft"),
        str(found),
        "The draft is gone. Nothing was filed.",
        is_danger=True,
    )
    return act_page(
        request, act, forms.Form(posted(request)), lambda: discard_draft(draft=found, actor=request.user),
        then=address_of("promotions:board", request.casino),
    )  # fmt: skip
