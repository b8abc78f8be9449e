"""The prizes of a draft: the list, and the pages of one prize."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import posted
from compliance.web.errors import NotFound
from promotions.duties import require_duties
from promotions.terms.completeness import missing
from promotions.terms.content import PRIZES, Prize
from promotions.terms.models import Draft
from promotions.terms.prize_forms import PrizeForm, PrizeTypeForm
from promotions.terms.prizes import TYPES, needs_scrutineer
from promotions.terms.selectors import access_draft, prescribed_at
from promotions.terms.services import keep_prizes
from promotions.terms.services.listing import keep_attachment
from promotions.terms.views.common import writers
from promotions.terms.wording import prize_text


@writers
@never_cache
@require_safe
def prizes(request: CasinoRequest, casino: str, draft: int) -> HttpResponse:
    found = access_draft(request.user, request.casino, draft)
    duties = require_duties(request.casino, timezone.now()).duties
    context = {
        "casino": request.casino,
        "draft": found,
        "prizes": [(place, prize_text(prize)) for place, prize in enumerate(found.terms.prizes, 1)],
        "missing": [lack for lack in missing(found.terms, duties) if lack.item == PRIZES],
        "needs_scrutineer": needs_scrutineer(found.terms.prizes, duties),
        "scrutineer": duties.scrutineer,
        "choice": duties.cash_choice,
        "has_choice": any(p.is_cash and p.value_cents > duties.cash_choice.over_cents for p in found.terms.prizes),
    }
    return render(request, "terms/prizes.html", context)


@writers
@never_cache
@asks_first
def choose_type(request: CasinoRequest, casino: str, draft: int) -> HttpResponse:
    found = access_draft(request.user, request.casino, draft)
    form = PrizeTypeForm(posted(request))
    if request.method == "POST" and form.is_valid():
        return redirect(found.address("prize-add", type=form.cleaned_data["type"]))
    return _page(request, found, form, "Add a prize", "Continue")


@writers
@never_cache
@asks_first
def add(request: CasinoRequest, casino: str, draft: int, type: str) -> HttpResponse:
    found = access_draft(request.user, request.casino, draft)
    if type not in TYPES:
        raise NotFound
    return _edit(request, found, type, None)


@writers
@never_cache
@asks_first
def prize(request: CasinoRequest, casino: str, draft: int, prize: int) -> HttpResponse:
    found = access_draft(request.user, request.casino, draft)
    return _edit(request, found, _prize_of(found, prize).type, prize)


def _prize_of(draft: Draft, place: int) -> Prize:
    if not 1 <= place <= len(draft.terms.prizes):
        raise NotFound
    return draft.terms.prizes[place - 1]


def _edit(request: CasinoRequest, draft: Draft, prize_type: str, place: int | None) -> HttpResponse:
    now = timezone.now()
    there = draft.terms.prizes
    old = there[place - 1] if place else None
    form = PrizeForm(
        posted(request), request.FILES or None, prize_type=prize_type,
        duties=require_duties(request.casino, now).duties, prescribed=prescribed_at(request.casino, now),
        others=tuple(other for at, other in enumerate(there, 1) if at != place),
        is_past=draft.terms.has_begun(now), prize=old,
    )  # fmt: skip
    if request.method == "POST" and form.is_valid():
        upload = form.cleaned_data.get("plans_file")
        plans = keep_attachment(casino=request.casino, upload=upload, actor=request.user, now=now) if upload else ""
        made = form.made(plans)
        kept = tuple(made if at == place else other for at, other in enumerate(there, 1))
        keep_prizes(draft=draft, prizes=kept if place else (*there, made), actor=request.user, now=now)
        return redirect(draft.address("draft-prizes"))
    title = f"Change “{old.name}”" if old else f"Add a prize: {TYPES[prize_type].lower()}"
    return _page(request, draft, form, title, "Save the prize")


def _page(
    request: CasinoRequest, draft: Draft, form: PrizeForm | PrizeTypeForm, title: str, submit: str
) -> HttpResponse:
    context = {
        "casino": request.casino, "draft": draft, "form": form, "title": title, "submit": submit,
        "back": draft.address("draft-prizes"),
    }  # fmt: skip
    return render(request, "terms/prize.html", context)


@writers
@require_POST
def remove(request: CasinoRequest, casino: str, draft: int, prize: int) -> HttpResponse:
    found = access_draft(request.user, request.casino, draft)
    gone = _prize_of(found, prize)
    left = tuple(other for other in found.terms.prizes if other.name != gone.name)
    keep_prizes(draft=found, prizes=left, actor=request.user, now=timezone.now())
    return redirect(found.address("draft-prizes"))
