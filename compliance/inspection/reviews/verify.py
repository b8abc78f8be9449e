"""`verify_ledger`: compares the state of each review with the entries that changed it."""

from collections.abc import Collection, Iterator, Sequence

from django.db.models import Count

from compliance.inspection.reviews.models import Answer, Confirmation, Decision, Reopening, Review
from compliance.inspection.reviews.outcomes import Outcome
from compliance.inspection.reviews.states import ReviewState
from rounds.ledger import LogEntry

StateAndOutcome = tuple[str, str]
ReviewAct = Decision | Confirmation | Answer | Reopening


def state_after(act: ReviewAct, standing: StateAndOutcome) -> StateAndOutcome:
    match act:
        case Decision():
            closed = ReviewState.SECONDING if act.is_to_be_seconded else ReviewState.DECIDED
            return closed if Outcome(act.outcome).closes_finding else ReviewState.ASKED, act.outcome
        case Confirmation():
            return (ReviewState.DECIDED, standing[1]) if act.agrees else (ReviewState.OPEN, "")
        case Answer():
            return ReviewState.ANSWERED, standing[1]
        case _:
            return ReviewState.OPEN, ""


def state_after_all(acts: Sequence[ReviewAct]) -> StateAndOutcome:
    state = (ReviewState.OPEN.value, "")
    for act in acts:
        state = state_after(act, state)
    return state


def acts_on(findings: Collection[int]) -> dict[int, list[ReviewAct]]:
    """The acts on these findings in log order. Withdrawn decisions are left out, with what followed on them."""
    acts: dict[int, list[ReviewAct]] = {finding: [] for finding in findings}
    standing = {decision.pk: decision for decision in Decision.objects.filter(finding__in=findings)}
    for decision in standing.values():
        acts[decision.finding_id].append(decision)
    for model in (Confirmation, Answer, Reopening):
        for act in model.objects.filter(decision__in=standing):
            acts[standing[act.decision_id].finding_id].append(act)
    return {finding: sorted(each, key=lambda act: act.entry_index) for finding, each in acts.items()}


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    """Findings among entries first..last-1, with all later decisions on them."""
    rows = Review.objects.filter(finding__log=log, finding__entry_index__gte=first, finding__entry_index__lt=last)
    reviews = {review.finding_id: review for review in rows.select_related("finding")}
    acts = acts_on(reviews.keys())
    counted = Decision.recorded.filter(finding__in=reviews).order_by().values("finding").annotate(n=Count("pk"))
    decided = {row["finding"]: row["n"] for row in counted}
    for finding, review in reviews.items():
        if not _row_matches(review, acts[finding], decided.get(finding, 0)):
            yield review.finding.entry_index, "its review is kept otherwise than the decisions on it say."


def _row_matches(review: Review, acts: Sequence[ReviewAct], decided_times: int) -> bool:
    finding, state = review.finding, state_after_all(acts)
    if finding.superseded_at is not None and review.state == ReviewState.LAPSED:
        state = (ReviewState.LAPSED, review.outcome)
    copied = (review.code, review.severity, review.table, review.opened_at, review.casino_id)
    return (review.state, review.outcome, review.decided_times) == (*state, decided_times) and copied == (
        finding.code,
        finding.severity,
        finding.table,
        finding.found_at,
        finding.casino_id,
    )
