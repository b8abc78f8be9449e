"""State machine of a review. A database trigger enforces the same transitions (migration 0002)."""

from django.db.models import TextChoices

from compliance.core.web.ui.components import Tag, TagKind


class ReviewState(TextChoices):
    OPEN = "open", "Open"
    ASKED = "asked", "Operator asked"
    ANSWERED = "answered", "Answered"
    SECONDING = "seconding", "Waits for a second reviewer"
    DECIDED = "decided", "Decided"
    LAPSED = "lapsed", "Lapsed"

    @property
    def tag(self) -> Tag:
        return Tag(self.label, _TAG_KINDS[self])


_TAG_KINDS: dict[ReviewState, TagKind] = {
    ReviewState.OPEN: "warning",
    ReviewState.ASKED: "info",
    ReviewState.ANSWERED: "warning",
    ReviewState.SECONDING: "info",
    ReviewState.DECIDED: "success",
    ReviewState.LAPSED: "neutral",
}

_DECISION = {ReviewState.ASKED, ReviewState.SECONDING, ReviewState.DECIDED}
# When a decision is withdrawn, back to the state before it.
_WITHDRAWAL = {ReviewState.OPEN, ReviewState.ANSWERED}
# LAPSED: the audit superseded the finding. DECIDED can be decided again by a further decision.
TRANSITIONS: dict[ReviewState, frozenset[ReviewState]] = {
    ReviewState.OPEN: frozenset({*_DECISION, ReviewState.LAPSED}),
    ReviewState.ASKED: frozenset({*_DECISION, *_WITHDRAWAL, ReviewState.LAPSED}),
    ReviewState.ANSWERED: frozenset({*_DECISION, ReviewState.OPEN, ReviewState.LAPSED}),
    ReviewState.SECONDING: frozenset({*_DECISION, *_WITHDRAWAL, ReviewState.LAPSED}),
    ReviewState.DECIDED: frozenset({*_DECISION, *_WITHDRAWAL, ReviewState.LAPSED}),
    ReviewState.LAPSED: frozenset(),
}
# States from which "Review the next finding" chooses.
WAITING = (ReviewState.OPEN, ReviewState.ANSWERED)
# States that the queue lists: also what waits for the operator.
IN_QUEUE = (*WAITING, ReviewState.ASKED)
