"""`verify_ledger`: compares the state of each review with the entries that changed it."""

from collections.abc import Iterator, Sequence

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


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    """Findings among entries first..last-1, with all later decisions on them."""
    rows = Review.objects.filter(finding__log=log, finding__entry_index__gte=first, finding__entry_index__lt=last)
    reviews = {review.finding_id: review for review in rows.select_related("finding")}
    acts: dict[int, list[ReviewAct]] = {finding: [] for finding in reviews}
    for decision in Decision.objects.filter(finding__in=reviews):
        acts[decision.finding_id].append(decision)
    for model in (Confirmation, Answer, Reopening):
        for act in model.objects.filter(decision__finding__in=reviews).select_related("decision"):
            acts[act.decision.finding_id].append(act)
    for finding, review in reviews.items():
        if not _row_matches(review, sorted(acts[finding], key=lambda act: act.entry_index)):
            yield review.finding.entry_index, "its review is kept otherwise than the decisions on it say."


def _row_matches(review: Review, acts: Sequence[ReviewAct]) -> bool:
    finding, state = review.finding, (ReviewState.OPEN.value, "")
    for act in acts:
        state = state_after(act, state)
    if finding.superseded_at is not None and review.state == ReviewState.LAPSED:
        state = (ReviewState.LAPSED, review.outcome)
    decisions = sum(isinstance(act, Decision) for act in acts)
    copied = (review.code, review.severity, review.table, review.opened_at, review.casino_id)
    return (review.state, review.outcome, review.decided_times) == (*state, decisions) and copied == (
        finding.code,
        finding.severity,
        finding.table,
        finding.found_at,
        finding.casino_id,
    )
