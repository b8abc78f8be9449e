"""Findings with a common cause, decided together with one reason. Each decision is still a separate entry."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import NotFound, Refusal
from compliance.core.web.ui.components import Column, DataTable
from compliance.core.web.ui.confirm_page import allow_get_post, bound_data
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.precheck import carry_out
from compliance.inspection.reviews.outcomes import DECISION_OPTIONS, OPTION_BY_OUTCOME
from compliance.inspection.reviews.selectors import GROUPINGS, FindingGroup, decidable_reviews, group_reviews, groups_of
from compliance.inspection.reviews.services import decide_group
from compliance.inspection.reviews.views.common import finding_address, reviewers_only, sentence_column
from compliance.inspection.reviews.views.forms import FindingDecisionForm
from rounds.rulebook.labels import bet_label


@reviewers_only
@require_safe
def groups(request: CasinoRequest, casino: str) -> ListResponse:
    """All groups of one grouping; with code and value in the query string, the findings of one group."""
    by = _requested_grouping(request)
    code, value = request.GET.get("code", ""), request.GET.get("value", "")
    context: dict[str, object] = {
        "by": by,
        "groupings": [(name, words, f"?{urlencode({'by': name})}") for name, words in GROUPINGS.items()],
    }
    if code and value:
        return _group_page(request, by, value, code, context)
    context["table"] = DataTable(
        caption=f"Waiting findings with something in common: {GROUPINGS[by].lower()}",
        columns=(
            Column("Code", "code", is_row_heading=True, link=lambda row: _group_query(by, row)),
            Column(GROUPINGS[by], lambda row: _value_label(by, row.value)),
            Column("Findings", lambda row: f"{row.number:,}", is_figure=True, sort="number"),
            Column("Serious", lambda row: f"{row.serious:,}", is_figure=True, sort="serious"),
            Column("Difference", "difference_cents", is_money=True, sort="difference_cents"),
            Column("First due", "first_due_at", sort="first_due_at"),
        ),
        rows=groups_of(request.casino, by),
        is_caption_hidden=True,
        empty="No two waiting findings have this in common.",
    )
    return list_response(request, "reviews/groups.html", context)


def _requested_grouping(request: CasinoRequest) -> str:
    by = request.GET.get("by", "")
    return by if by in GROUPINGS else next(iter(GROUPINGS))


def _group_query(by: str, group: FindingGroup) -> str:
    return "?" + urlencode({"by": by, "code": group.code, "value": group.value})


def _value_label(by: str, value: str) -> str:
    return bet_label(value) if by == "bet" else value


def _group_page(request: CasinoRequest, by: str, value: str, code: str, context: dict[str, object]) -> ListResponse:
    now = timezone.now()
    group = group_reviews(request.casino, by, value, code)
    number = decidable_reviews(group, request.user, now).count()
    query = urlencode({"by": by, "code": code, "value": value})
    context |= {
        "code": code,
        "words": _value_label(by, value),
        "grouping": GROUPINGS[by],
        "number": number,
        "ways": [
            (way, f"{casino_url('reviews:decide-together', request.casino, outcome=way.outcome.value)}?{query}")
            for way in DECISION_OPTIONS
        ],
        "table": DataTable(
            caption="Findings of this group",
            columns=(
                Column(
                    "Finding", lambda row: f"{row.finding.entry_index:,}", is_row_heading=True, link=finding_address
                ),
                sentence_column(request.casino),
                Column("Table", "table", sort="table"),
                Column("When", "finding.at", sort="finding__at"),
            ),
            rows=group.prefetch_related("finding", "casino"),
            empty="Nothing of this group waits any more.",
        ),
    }
    return list_response(request, "reviews/group.html", context)


@reviewers_only
@allow_get_post
def decide(request: CasinoRequest, casino: str, outcome: str) -> HttpResponse:
    by, way = _requested_grouping(request), OPTION_BY_OUTCOME.get(outcome)
    code, value = request.GET.get("code", ""), request.GET.get("value", "")
    group = group_reviews(request.casino, by, value, code)
    now = timezone.now()
    number = decidable_reviews(group, request.user, now).count()
    if way is None or (number == 0 and request.method != "POST"):
        raise NotFound
    is_serious = group.filter(severity="serious").exists()
    form = FindingDecisionForm(
        bound_data(request), way=way, casino=request.casino, request=request, seen=number, is_signed=is_serious
    )
    if request.method == "POST" and form.is_valid():
        try:
            made = carry_out(
                request,
                form,
                lambda: decide_group(
                    casino=request.casino,
                    group=group,
                    decided=form.decision_input(),
                    expected=form.cleaned_data["seen"],
                    actor=request.user,
                    now=now,
                ),
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
            again = request.POST.copy()
            again["seen"] = str(number)
            form.data = again
        else:
            messages.success(
                request, f"{len(made):,} finding{'' if len(made) == 1 else 's'}: {way.outcome.label.lower()}."
            )
            return redirect(casino_url("reviews:queue", request.casino))
    back = f"{casino_url('reviews:groups', request.casino)}?{urlencode({'by': by, 'code': code, 'value': value})}"
    context = {
        "casino": request.casino, "code": code, "words": _value_label(by, value), "grouping": GROUPINGS[by], "way": way,
        "number": number, "form": form, "back": back,
    }  # fmt: skip
    return render(request, "reviews/decide-together.html", context)
