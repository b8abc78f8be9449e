"""What inspectors asked of the operator, the answers, and what became of a finding: never with an inspector's note."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.choosing import choose_casino
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.audit.selectors import MAY_READ
from compliance.reviews.forms import AnswerForm
from compliance.reviews.models import Decision
from compliance.reviews.selectors import (
    MAY_ANSWER,
    MAY_REVIEW,
    access_question,
    outcomes_on,
    questions_of,
    waiting_questions,
)
from compliance.reviews.services import answer_question
from compliance.reviews.states import State
from compliance.reviews.views.places import address_of, answerers
from compliance.web.access import held_by
from compliance.web.components import Column, Table, Tag, Timeline, TimelineEntry
from compliance.web.errors import NotFound
from compliance.web.templatetags.kit import local

readers = held_by(*MAY_READ)


@answerers
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, MAY_ANSWER, lambda casino: address_of("asked", casino),
        title="Questions", caption="Casinos for which you answer",
    )  # fmt: skip


@answerers
@never_cache
@require_safe
def asked(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    waiting = Table(
        caption="Questions that wait for an answer",
        columns=(
            Column("Finding", "finding.code", is_row_heading=True, link=lambda row: row.answer_href),
            Column("Question", "question"),
            Column("Due", lambda row: local(row.due_at, request.casino), sort="due_at"),
            Column("State", lambda row: Tag("Late", "danger") if row.due_at <= now else Tag("Waiting", "info")),
        ),
        rows=waiting_questions(request.casino),
        query=request.GET,
        sort="due_at",
        is_caption_hidden=True,
        empty="Nothing was asked that you have not answered.",
    )
    answered = Table(
        caption="Questions that were answered",
        columns=(
            Column("Finding", "finding.code", is_row_heading=True, link=lambda row: row.finding.get_absolute_url()),
            Column("Question", "question"),
            Column("Answer", "answer.text"),
            Column("Answered", lambda row: local(row.answer.answered_at, request.casino), sort="answer__answered_at"),
            Column("By", "answer.answered_by_name"),
        ),
        rows=questions_of(request.casino).exclude(answer=None),
        query=request.GET,
        sort="-answer__answered_at",
        name="answered",
        is_caption_hidden=True,
        empty="None yet.",
    )
    context = {"casino": request.casino, "waiting": waiting, "answered": answered}
    return render(request, "reviews/questions.html", context)


@answerers
@never_cache
@asks_first
def answer(request: CasinoRequest, casino: str, question: int) -> HttpResponse:
    decision = access_question(request.user, request.casino, question)
    if hasattr(decision, "answer") or decision.finding.review.state != State.ASKED:
        raise NotFound("This question was answered, or the inspector decided without an answer.")
    form = AnswerForm(posted(request))
    act = Act(
        f"Answer about {decision.finding.code}",
        (
            decision.finding.sentence,
            f"The inspectorate asks: {decision.question}",
            f"Due {decision.due_at.astimezone(request.casino.zone):%d %b %Y, %H:%M}." if decision.due_at else "",
        ),
        "Send the answer", address_of("asked", request.casino), "Questions", "Your answer is recorded.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: answer_question(
            decision=decision, text=form.cleaned_data["text"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip


@readers
@never_cache
@require_safe
def standing(request: CasinoRequest, casino: str, finding: int) -> HttpResponse:
    """What was decided about a finding: a part of its page, and a page of its own without scripts."""
    review, decisions = outcomes_on(request.user, request.casino, finding)
    context = {
        "casino": request.casino,
        "review": review,
        "finding_index": finding,
        "decisions": Timeline([_told(one) for one in decisions], request.casino, "What was decided"),
        "may_review": request.user.holds(*MAY_REVIEW, casino=request.casino),
    }
    template = "reviews/standing-part.html" if request.htmx else "reviews/standing.html"
    return render(request, template, context)


def _told(one: Decision) -> TimelineEntry:
    asked = f" Asked: {one.question}" if one.question else ""
    answered = f" Answered: {one.answer.text}" if hasattr(one, "answer") else ""
    return TimelineEntry(
        "Decided", one.decided_at, one.decided_by_name, f"{one.reason_words}.{asked}{answered}", one.tag
    )
