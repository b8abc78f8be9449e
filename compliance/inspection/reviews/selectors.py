"""Permissions and queries for reviews. Single objects are fetched through access_review and access_question; what an
operator may see never includes inspectors' notes.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Min, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.models import Finding, FindingQuerySet
from compliance.audit.selectors import MAY_READ_SOME, access_finding, readable_codes
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from compliance.core.accounts.separation import people_of_entry
from compliance.core.corrections.selectors import recorded_indexes
from compliance.core.web.errors import NotFound
from compliance.inspection.reviews.models import (
    Answer,
    Comment,
    Confirmation,
    Decision,
    Reopening,
    Review,
    ReviewQuerySet,
)
from compliance.inspection.reviews.outcomes import Outcome
from compliance.inspection.reviews.states import WAITING, ReviewState
from rounds.floor.facts.gaming_days import shift_at
from rounds.ledger import read_entries_at

MAY_REVIEW = GOVERNMENT_ROLES
MAY_ANSWER = frozenset({Role.COMPLIANCE_OFFICER})
MAY_SET_POLICY = frozenset({Role.AUTHORITY_OFFICER})
# The operator's staff, each on the findings that they may read.
MAY_COMMENT = MAY_READ_SOME - GOVERNMENT_ROLES
# Outcomes by which an inspector dismissed a finding.
DISMISSED = (Outcome.NOT_UPHELD, Outcome.EXPLAINED)
# Filter value in addition to the states: asked, and not answered in time.
UNANSWERED = "unanswered"


def require_reviewer(actor: User, casino: Casino) -> None:
    if not actor.has_role(*MAY_REVIEW, casino=casino):
        raise NotFound


def require_answerer(actor: User, casino: Casino) -> None:
    if not actor.has_role(*MAY_ANSWER, casino=casino):
        raise NotFound


def require_policy_setter(actor: User, casino: Casino) -> None:
    if not actor.has_role(*MAY_SET_POLICY, casino=casino):
        raise NotFound


def may_comment(user: User, casino: Casino, code: str) -> bool:
    codes = readable_codes(user, casino)
    return user.has_role(*MAY_COMMENT, casino=casino) and (codes is None or code in codes)


def require_commenter(actor: User, finding: Finding) -> None:
    if not may_comment(actor, finding.casino, finding.code):
        raise NotFound


def access_review(user: User, casino: Casino, entry_index: int) -> Review:
    """The review of a finding, for reviewers of the casino. Absent and forbidden raise the same error."""
    require_reviewer(user, casino)
    rows = Review.objects.select_related(
        "casino",
        "claimed_by",
        "finding",
        "finding__casino",
        "finding__version",
        "finding__version__casino",
        "finding__version__approved_by",
        "finding__superseded_by",
    )
    review = rows.filter(casino=casino, finding__entry_index=entry_index).first()
    if review is None:
        raise NotFound
    return review


def access_question(user: User, casino: Casino, entry_index: int) -> Decision:
    """A question to the operator, for those who answer and those who asked."""
    if not user.has_role(*MAY_ANSWER, *MAY_REVIEW, casino=casino):
        raise NotFound
    question = questions_of(casino).filter(entry_index=entry_index).first()
    if question is None:
        raise NotFound
    return question


def questions_of(casino: Casino) -> QuerySet[Decision]:
    """Without the notes, because the result is shown to operators."""
    questions = Decision.objects.filter(log=casino.slug, outcome=Outcome.NEEDS_INFORMATION)
    return questions.select_related("finding", "finding__review").prefetch_related("answers").defer("note", "note_salt")


def answers_of(casino: Casino) -> QuerySet[Answer]:
    """Answers to questions, withdrawn ones too. Without the notes, because the result is shown to operators."""
    answers = Answer.recorded.filter(log=casino.slug).select_related("decision__finding")
    return answers.defer("decision__note", "decision__note_salt")


def waiting_questions(casino: Casino) -> QuerySet[Decision]:
    """Questions not answered yet, and not decided without an answer."""
    asked = questions_of(casino).filter(finding__review__state=ReviewState.ASKED)
    return asked.filter(finding__review__decided_times=F("number"))


def decisions_on(finding: Finding) -> list[Decision]:
    """Oldest first, with confirmation and answer. Includes notes, so for reviewers only."""
    return list(
        finding.decisions.select_related("reopening").prefetch_related("confirmations", "answers").order_by("number")
    )


def act_indexes(finding: Finding) -> list[int]:
    """The entries of people's acts on a finding, withdrawn ones too."""
    return recorded_indexes(
        Decision.recorded.filter(finding=finding),
        Confirmation.recorded.filter(decision__finding=finding),
        Answer.recorded.filter(decision__finding=finding),
        Comment.recorded.filter(finding=finding),
    )


def comments_on(finding: Finding) -> list[Comment]:
    return list(finding.comments.order_by("entry_index"))


def visible_decisions_on(user: User, casino: Casino, entry_index: int) -> tuple[Review | None, list[Decision]]:
    """What an operator may see of a finding's review: state and decisions, without notes."""
    access_finding(user, casino, entry_index)
    found = Review.objects.filter(casino=casino, finding__entry_index=entry_index)
    review = found.select_related("finding", "casino").first()
    if review is None:
        return None, []
    decisions = review.finding.decisions.prefetch_related("answers").defer("note", "note_salt").order_by("number")
    return review, list(decisions)


def reviews_of(casino: Casino, chosen: Mapping[str, object], now: datetime) -> ReviewQuerySet:
    """Reviews of a list by the chosen filters; by default those that wait for a reviewer or for the operator."""
    # Prefetched, not joined: PostgreSQL would join a hundred thousand findings before sorting and limiting to fifty.
    reviews = Review.objects.filter(casino=casino).prefetch_related("casino", "finding", "claimed_by")
    state = chosen.get("state") or "waiting"
    if state == "waiting":
        reviews = reviews.in_queue()
    elif state == UNANSWERED:
        reviews = reviews.unanswered(now)
    elif state != "all":
        reviews = reviews.filter(state=state)
    for field in ("code", "severity", "table", "outcome", "bet", "dealer", "controller"):
        if chosen.get(field):
            reviews = reviews.filter(**{field: chosen[field]})
    if chosen.get("late"):
        reviews = reviews.filter(due_at__lt=now)
    return reviews


@dataclass(frozen=True)
class ReviewCounts:
    """Counts of a casino's reviews, in one query."""

    by_state: Mapping[str, int]
    serious: int
    late: int
    unanswered: int

    @property
    def waiting(self) -> int:
        return sum(self.by_state.get(state, 0) for state in WAITING)

    def list_size(self, chosen: Mapping[str, object]) -> int | None:
        """Length of `reviews_of` if only a state is chosen; None if it must be counted."""
        if any(value for name, value in chosen.items() if name != "state"):
            return None
        sums = {
            "waiting": self.waiting + self.by_state.get(ReviewState.ASKED, 0),
            UNANSWERED: self.unanswered,
            "all": sum(self.by_state.values()),
        }
        return {**self.by_state, **sums}.get(str(chosen.get("state") or "waiting"), 0)


def count_reviews(casino: Casino, now: datetime) -> ReviewCounts:
    """Waiting reviews are counted by index-only scans, without reading the rows of a long queue."""
    reviews = Review.objects.filter(casino=casino).order_by()
    rows = reviews.values("state", "severity").annotate(
        number=Count("*"),
        late=_count_subquery(reviews.waiting().filter(due_at__lt=now)),
        unanswered=_count_subquery(reviews.unanswered(now)),
    )
    by_state: Counter[str] = Counter()
    serious = late = unanswered = 0
    for row in rows:
        by_state[row["state"]] += row["number"]
        serious += row["number"] if row["state"] in WAITING and row["severity"] == Severity.SERIOUS else 0
        late, unanswered = row["late"], row["unanswered"]
    return ReviewCounts(by_state, serious, late, unanswered)


def _count_subquery(reviews: ReviewQuerySet) -> Coalesce:
    """Count of one casino's reviews, as a subquery."""
    return Coalesce(Subquery(reviews.values("casino").annotate(number=Count("*")).values("number")), 0)


# Groupings of findings: column and label.
GROUPINGS: Mapping[str, str] = {
    "bet": "Box that was paid",
    "table": "Table",
    "dealer": "Dealer position",
    "controller": "Controller",
}


@dataclass(frozen=True)
class FindingGroup:
    """Waiting findings of one code with a common cause."""

    code: str
    value: str
    number: int
    serious: int
    difference_cents: int
    first_due_at: datetime


def groups_of(casino: Casino, by: str) -> list[FindingGroup]:
    """Largest first, with at least two findings each. One query."""
    rows = (
        Review.objects.filter(casino=casino)
        .waiting()
        .exclude(**{by: ""})
        .order_by()
        .values("code", by)
        .annotate(
            number=Count("pk"),
            serious=Count("pk", filter=Q(severity="serious")),
            difference=Sum(F("finding__found_cents") - F("finding__required_cents")),
            first_due=Min("due_at"),
        )
        .filter(number__gt=1)
        .order_by("-number", "code", by)
    )
    return [
        FindingGroup(row["code"], row[by], row["number"], row["serious"], row["difference"] or 0, row["first_due"])
        for row in rows
    ]


def group_reviews(casino: Casino, by: str, value: str, code: str) -> ReviewQuerySet:
    return Review.objects.filter(casino=casino, code=code, **{by: value}).waiting()


def decidable_reviews(group: ReviewQuerySet, user: User, now: datetime) -> ReviewQuerySet:
    """Reviews of a group that nobody else has claimed, without risks that this person accepted until now."""
    free = Q(claim_ends_at=None) | Q(claim_ends_at__lte=now) | Q(claimed_by=user)
    return group.filter(free).not_accepted_by(user)


def deciders_of(finding: int) -> set[int]:
    """Everybody who has decided the finding, given by primary key: none of them reviews it."""
    return set(Decision.objects.filter(finding=finding).values_list("decided_by_id", flat=True))


def people_who_recorded(findings: Sequence[Finding]) -> set[int]:
    """Who recorded what these findings of one casino are about. They may have been staff of the operator then."""
    entries = read_entries_at(findings[0].log, sorted({each.subject_index for each in findings})) if findings else []
    return {person for entry in entries if entry.controller is None for person in people_of_entry(entry.content())}


def accepted_the_expired_risk(review: Review) -> int | None:
    """Who accepted the risk because of whose expiry the finding is open again; another person decides it then."""
    reopened = Reopening.objects.filter(decision__finding=review.finding_id, decision__number=review.decided_times)
    return reopened.values_list("decision__decided_by_id", flat=True).first()


def findings_on_same_entry(finding: Finding) -> list[Finding]:
    """Other findings on the same entry that have not been superseded."""
    same = Finding.objects.current().filter(log=finding.log, subject_index=finding.subject_index)
    return list(same.exclude(pk=finding.pk).select_related("review__casino").order_by("pk")[:50])


def findings_of_same_shift(finding: Finding) -> tuple[str, FindingQuerySet] | None:
    """The shift of the finding, and its other findings that are not superseded. None if the casino has no shifts."""
    shift = shift_at(finding.casino, finding.at)
    if shift is None:
        return None
    same = Finding.objects.current().filter(casino=finding.casino, at__gte=shift.began_at, at__lt=shift.ends_at)
    return shift.name, same.exclude(pk=finding.pk).select_related("casino").order_by("-at", "-pk")


def reviews_of_same_dealer(review: Review) -> ReviewQuerySet:
    """Other findings on rounds of the same dealer position; none if the table does not report it."""
    if not review.dealer:
        return Review.objects.none()
    same = Review.objects.filter(casino=review.casino_id, dealer=review.dealer).exclude(state=ReviewState.LAPSED)
    return same.exclude(pk=review.pk).select_related("casino", "finding")
