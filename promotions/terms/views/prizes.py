"""Prizes of a draft: the list, and the pages of one prize."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.confirm_page import allow_get_post, bound_data
from promotions.shared.duties import require_duties
from promotions.terms.content.completeness import find_missing, unanswered_questions
from promotions.terms.content.prize_rules import PRIZE_TYPES, needs_scrutineer
from promotions.terms.content.terms import PRIZES, Prize
from promotions.terms.content.text import prize_text
from promotions.terms.forms.prizes import PrizeForm, PrizeTypeForm
from promotions.terms.models import Draft
from promotions.terms.selectors import access_draft, prescribed_items_at
from promotions.terms.services import save_prizes
from promotions.terms.services.registers import save_attachment
from promotions.terms.views.common import writers


@writers
@require_safe
def prizes(request: CasinoRequest, casino: str, draft: int) -> HttpResponse:
    found = access_draft(request.user, request.casino, draft)
    now = timezone.now()
    duties, prescribed = require_duties(request.casino, now).duties, prescribed_items_at(request.casino, now)
    context = {
        "casino": request.casino,
        "draft": found,
        "prizes": [(place, prize_text(prize)) for place, prize in enumerate(found.terms.prizes, 1)],
        "missing": [
            *(lack for lack in find_missing(found.terms, duties) if lack.item == PRIZES),
            *unanswered_questions(found.terms, duties, prescribed),
        ],
        "needs_scrutineer": needs_scrutineer(found.terms.prizes, duties),
        "scrutineer": duties.scrutineer,
        "choice": duties.cash_choice,
        "has_choice": any(p.is_cash and p.value_cents > duties.cash_choice.over_cents for p in found.terms.prizes),
    }
    return render(request, "terms/prizes.html", context)


@writers
@allow_get_post
def choose_type(request: CasinoRequest, casino: str, draft: int) -> HttpResponse:
    found = access_draft(request.user, request.casino, draft)
    form = PrizeTypeForm(bound_data(request))
    if request.method == "POST" and form.is_valid():
        return redirect(found.address("prize-add", type=form.cleaned_data["type"]))
    return _form_page(request, found, form, "Add a prize", "Continue")


@writers
@allow_get_post
def add_prize(request: CasinoRequest, casino: str, draft: int, type: str) -> HttpResponse:
    found = access_draft(request.user, request.casino, draft)
    if type not in PRIZE_TYPES:
        raise NotFound
    return _edit_page(request, found, type, None)


@writers
@allow_get_post
def edit_prize(request: CasinoRequest, casino: str, draft: int, prize: int) -> HttpResponse:
    found = access_draft(request.user, request.casino, draft)
    return _edit_page(request, found, _find_prize(found, prize).type, prize)


def _find_prize(draft: Draft, place: int) -> Prize:
    if not 1 <= place <= len(draft.terms.prizes):
        raise NotFound
    return draft.terms.prizes[place - 1]


def _edit_page(request: CasinoRequest, draft: Draft, prize_type: str, place: int | None) -> HttpResponse:
    now = timezone.now()
    prizes_before = draft.terms.prizes
    old = prizes_before[place - 1] if place else None
    form = PrizeForm(
        bound_data(request),
        request.FILES or None,
        prize_type=prize_type,
        duties=require_duties(request.casino, now).duties,
        prescribed=prescribed_items_at(request.casino, now),
        others=tuple(other for at, other in enumerate(prizes_before, 1) if at != place),
        is_past=draft.terms.has_begun(now),
        prize=old,
    )
    if request.method == "POST" and form.is_valid():
        upload = form.cleaned_data.get("plans_file")
        plans = save_attachment(casino=request.casino, upload=upload, actor=request.user, now=now) if upload else ""
        made = form.to_prize(plans)
        changed = tuple(made if at == place else other for at, other in enumerate(prizes_before, 1))
        save_prizes(draft=draft, prizes=changed if place else (*prizes_before, made), actor=request.user, now=now)
        return redirect(draft.address("draft-prizes"))
    title = f"Change “{old.name}”" if old else f"Add a prize: {PRIZE_TYPES[prize_type].lower()}"
    return _form_page(request, draft, form, title, "Save the prize")


def _form_page(
    request: CasinoRequest, draft: Draft, form: PrizeForm | PrizeTypeForm, title: str, submit: str
) -> HttpResponse:
    context = {
        "casino": request.casino,
        "draft": draft,
        "form": form,
        "title": title,
        "submit": submit,
        "back": draft.address("draft-prizes"),
    }
    return render(request, "terms/prize.html", context)


@writers
@require_POST
def remove_prize(request: CasinoRequest, casino: str, draft: int, prize: int) -> HttpResponse:
    found = access_draft(request.user, request.casino, draft)
    gone = _find_prize(found, prize)
    left = tuple(other for other in found.terms.prizes if other.name != gone.name)
    save_prizes(draft=found, prizes=left, actor=request.user, now=timezone.now())
    return redirect(found.address("draft-prizes"))
