"""State machine of a review. A database trigger enforces the same transitions (migration 0002)."""

from django.db.models import TextChoices

from compliance.core.web.ui.components import Tag, TagKind


class State(TextChoices):
    OPEN = "open", "Open"
    ASKED = "asked", "Operator asked"
    ANSWERED = "answered", "Answered"
    SECONDING = "seconding", "Waits for a second reviewer"
    DECIDED = "decided", "Decided"
    LAPSED = "lapsed", "Lapsed"

    @property
    def tag(self) -> Tag:
        return Tag(self.label, _TAG_KINDS[self])


_TAG_KINDS: dict[State, TagKind] = {
    State.OPEN: "warning",
    State.ASKED: "info",
    State.ANSWERED: "warning",
    State.SECONDING: "info",
    State.DECIDED: "success",
    State.LAPSED: "neutral",
}

_DECISION = {State.ASKED, State.SECONDING, State.DECIDED}
# LAPSED: the audit superseded the finding. DECIDED can be decided again by a further decision.
TRANSITIONS: dict[State, frozenset[State]] = {
    State.OPEN: frozenset({*_DECISION, State.LAPSED}),
    State.ASKED: frozenset({*_DECISION, State.ANSWERED, State.LAPSED}),
    State.ANSWERED: frozenset({*_DECISION, State.LAPSED}),
    State.SECONDING: frozenset({*_DECISION, State.OPEN, State.LAPSED}),
    State.DECIDED: frozenset({*_DECISION, State.OPEN, State.LAPSED}),
    State.LAPSED: frozenset(),
}
# States from which "Review the next finding" chooses.
WAITING = (State.OPEN, State.ANSWERED)
