"""Questions to the operator, their answers, and the decisions an operator may see. Never with an inspector's note."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.audit.selectors import MAY_READ_SOME, access_finding
from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.corrections.list_marks import CorrectionMarks
from compliance.core.corrections.selectors import record_lines
from compliance.core.web.access import require_roles
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.components import Column, DataTable, Tag, Timeline, TimelineEntry
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.inspection.reviews.models import Decision
from compliance.inspection.reviews.selectors import (
    MAY_ANSWER,
    MAY_REVIEW,
    access_question,
    act_indexes,
    answers_of,
    comments_on,
    may_comment,
    visible_decisions_on,
    waiting_questions,
)
from compliance.inspection.reviews.services import answer_question
from compliance.inspection.reviews.states import ReviewState
from compliance.inspection.reviews.views.common import answer_tag, answerers_only, comment_entries, question_text
from compliance.inspection.reviews.views.forms import QuestionAnswerForm

finding_readers_only = require_roles(*MAY_READ_SOME)


@answerers_only
@require_safe
def casino_list(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_ANSWER,
        lambda casino: casino_url("reviews:asked", casino),
        title="Questions",
        caption="Casinos for which you answer",
    )


@answerers_only
@require_safe
def question_list(request: CasinoRequest, casino: str) -> ListResponse:
    now = timezone.now()
    waiting = DataTable(
        caption="Questions that wait for an answer",
        columns=(
            Column("Finding", "finding.code", is_row_heading=True, link=lambda row: row.answer_href),
            Column("Question", "question"),
            Column("Due", "due_at", sort="due_at"),
            Column("State", lambda row: Tag("Late", "danger") if row.due_at <= now else Tag("Waiting", "info")),
        ),
        rows=waiting_questions(request.casino),
        sort="due_at",
        is_caption_hidden=True,
        empty="Nothing was asked that you have not answered.",
    )
    marks = CorrectionMarks(request.casino)
    answered = DataTable(
        caption="Questions that were answered",
        columns=(
            Column(
                "Finding",
                "decision.finding.code",
                is_row_heading=True,
                link=lambda row: row.decision.finding.get_absolute_url(),
            ),
            Column("Question", "decision.question"),
            Column("Answer", "text"),
            Column("Answered", "answered_at", sort="answered_at"),
            Column("By", "answered_by_name"),
            marks.column,
        ),
        rows=answers_of(request.casino),
        prepare=marks.read,
        sort="-answered_at",
        name="answered",
        is_caption_hidden=True,
        empty="None yet.",
    )
    context = {"waiting": waiting, "answered": answered}
    return list_response(request, "reviews/questions.html", context, lists=("waiting", "answered"))


@answerers_only
@allow_get_post
def answer(request: CasinoRequest, casino: str, question: int) -> HttpResponse:
    decision = access_question(request.user, request.casino, question)
    if decision.get_answer() is not None or decision.finding.review.state != ReviewState.ASKED:
        raise NotFound("This question was answered, or the inspector decided without an answer.")
    form = QuestionAnswerForm(bound_data(request))
    act = ConfirmPage(
        f"Answer about {decision.finding.code}",
        (
            decision.finding.local_sentence,
            f"The inspectorate asks: {decision.question}",
            f"Due {decision.due_at.astimezone(request.casino.zone):%d %b %Y, %H:%M}." if decision.due_at else "",
        ),
        "Send the answer",
        casino_url("reviews:asked", request.casino),
        "Questions",
        "Your answer is recorded.",
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: answer_question(
            decision=decision, text=form.cleaned_data["text"], actor=request.user, now=timezone.now()
        ),
    )


@finding_readers_only
@require_safe
def finding_decisions(request: CasinoRequest, casino: str, finding: int) -> HttpResponse:
    """Decisions on a finding: a fragment of its page, and a page of its own without scripts."""
    review, decisions = visible_decisions_on(request.user, request.casino, finding)
    found, now = access_finding(request.user, request.casino, finding), timezone.now()
    happened = [*(_decision_event(one, request.casino) for one in decisions), *comment_entries(comments_on(found))]
    context = {
        "casino": request.casino,
        "review": review,
        "answer": answer_tag(review, now) if review else None,
        "finding_index": finding,
        "decisions": Timeline(
            sorted(happened, key=lambda entry: entry.at), request.casino, "What was decided and commented"
        ),
        "corrections": record_lines(request.user, request.casino, act_indexes(found)),
        "may_comment": may_comment(request.user, request.casino, found.code),
        "may_review": request.user.has_role(*MAY_REVIEW, casino=request.casino),
    }
    template = "reviews/progress-fragment.html" if request.htmx else "reviews/progress.html"
    return render(request, template, context)


def _decision_event(one: Decision, casino: Casino) -> TimelineEntry:
    asked = question_text(one, casino)
    answer = one.get_answer()
    answered = f" Answered: {answer.text}" if answer else ""
    return TimelineEntry(
        "Decided", one.decided_at, one.decided_by_name, f"{one.reason_label}.{asked}{answered}", one.tag
    )
