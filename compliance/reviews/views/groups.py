"""Findings with one cause, decided together with one reason. Each decision is still an entry of its own."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import posted
from compliance.reviews.forms import DecisionForm
from compliance.reviews.outcomes import WAY, WAYS
from compliance.reviews.selectors import GROUPINGS, Group, decidable, group_reviews, groups_of
from compliance.reviews.services import decide_together
from compliance.reviews.views.places import address_of, finding_address, reviewers
from compliance.web.components import Column, Table
from compliance.web.errors import NotFound, Refusal
from compliance.web.templatetags.kit import local, money
from rounds.rulebook.calculator.words import bet_words


@reviewers
@never_cache
@require_safe
def groups(request: CasinoRequest, casino: str) -> HttpResponse:
    """All groups of one kind; with a code and a value in the address, the findings of one group."""
    by = _grouping(request)
    code, value = request.GET.get("code", ""), request.GET.get("value", "")
    context = {
        "casino": request.casino,
        "by": by,
        "groupings": [(name, words, f"?{urlencode({'by': name})}") for name, words in GROUPINGS.items()],
    }
    if code and value:
        return _one(request, by, value, code, context)
    context["table"] = Table(
        caption=f"Waiting findings with something in common: {GROUPINGS[by].lower()}",
        columns=(
            Column("Code", "code", is_row_heading=True, link=lambda row: _query(by, row)),
            Column(GROUPINGS[by], lambda row: _words(by, row.value)),
            Column("Findings", lambda row: f"{row.number:,}", is_figure=True, sort="number"),
            Column("Serious", lambda row: f"{row.serious:,}", is_figure=True, sort="serious"),
            Column("Difference", lambda row: money(row.difference_cents), is_figure=True, sort="difference_cents"),
            Column("First due", lambda row: local(row.first_due_at, request.casino), sort="first_due_at"),
        ),
        rows=groups_of(request.casino, by),
        query=request.GET,
        is_caption_hidden=True,
        empty="No two waiting findings have this in common.",
    )
    return render(request, "reviews/groups.html", context)


def _grouping(request: CasinoRequest) -> str:
    by = request.GET.get("by", "")
    return by if by in GROUPINGS else next(iter(GROUPINGS))


def _query(by: str, group: Group) -> str:
    return "?" + urlencode({"by": by, "code": group.code, "value": group.value})


def _words(by: str, value: str) -> str:
    return bet_words(value) if by == "bet" else value


def _one(request: CasinoRequest, by: str, value: str, code: str, context: dict[str, object]) -> HttpResponse:
    now = timezone.now()
    group = group_reviews(request.casino, by, value, code)
    number = decidable(group, request.user, now).count()
    query = urlencode({"by": by, "code": code, "value": value})
    context |= {
        "code": code,
        "words": _words(by, value),
        "grouping": GROUPINGS[by],
        "number": number,
        "ways": [
            (way, f"{address_of('decide-together', request.casino, outcome=way.outcome.value)}?{query}") for way in WAYS
        ],
        "table": Table(
            caption="Findings of this group",
            columns=(
                Column(
                    "Finding", lambda row: f"{row.finding.entry_index:,}", is_row_heading=True, link=finding_address
                ),
                Column("What was found", "finding.sentence"),
                Column("Table", "table", sort="table"),
                Column("When", lambda row: local(row.finding.at, request.casino), sort="finding__at"),
            ),
            rows=group.prefetch_related("finding", "casino"),
            query=request.GET,
            empty="Nothing of this group waits any more.",
        ),
    }
    return render(request, "reviews/group.html", context)


@reviewers
@never_cache
@asks_first
def decide(request: CasinoRequest, casino: str, outcome: str) -> HttpResponse:
    by, way = _grouping(request), WAY.get(outcome)
    code, value = request.GET.get("code", ""), request.GET.get("value", "")
    group = group_reviews(request.casino, by, value, code)
    now = timezone.now()
    number = decidable(group, request.user, now).count()
    if way is None or (number == 0 and request.method != "POST"):
        raise NotFound
    is_serious = group.filter(severity="serious").exists()
    form = DecisionForm(
        posted(request), way=way, casino=request.casino, request=request, seen=number, is_signed=is_serious
    )
    if request.method == "POST" and form.is_valid():
        try:
            made = decide_together(
                casino=request.casino, group=group, decided=form.decided(), expected=form.cleaned_data["seen"],
                actor=request.user, now=now,
            )  # fmt: skip
        except Refusal as refusal:
            form.add_error(None, refusal.words)
            again = request.POST.copy()
            again["seen"] = str(number)
            form.data = again
        else:
            messages.success(request, f"{len(made):,} findings: {way.outcome.label.lower()}.")
            return redirect(address_of("queue", request.casino))
    back = f"{address_of('groups', request.casino)}?{urlencode({'by': by, 'code': code, 'value': value})}"
    context = {
        "casino": request.casino, "code": code, "words": _words(by, value), "grouping": GROUPINGS[by], "way": way,
        "number": number, "form": form, "back": back,
    }  # fmt: skip
    return render(request, "reviews/decide-together.html", context)
