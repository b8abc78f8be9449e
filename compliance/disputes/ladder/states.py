"""States of a dispute and the transitions of each step. A database trigger enforces the same (migration 0002)."""

from django.db.models import TextChoices

from compliance.core.web.ui.components import Tag, TagKind
from compliance.disputes import entry_kinds


class State(TextChoices):
    WAITING = "waiting", "Waiting for a decision"
    DECIDED = "decided", "Decided, patron to be told"
    TOLD = "told", "Patron told"
    WITH_INSPECTOR = "with-inspector", "With the inspector"
    DETERMINED = "determined", "Determined by the inspector"
    CLOSED = "closed", "Closed"


# Step → state before → state after. Steps not listed leave the state unchanged.
TRANSITIONS: dict[str, dict[State, State]] = {
    entry_kinds.DECIDED: {State.WAITING: State.DECIDED},
    entry_kinds.TOLD: {State.DECIDED: State.TOLD},
    entry_kinds.REVIEW: {State.TOLD: State.WAITING},
    entry_kinds.WITHDRAWN: dict.fromkeys((State.WAITING, State.DECIDED, State.TOLD), State.CLOSED),
    entry_kinds.CLOSED: {State.TOLD: State.CLOSED, State.DETERMINED: State.CLOSED},
    # The right to complain does not end when a dispute is closed: a complaint can come at any time.
    entry_kinds.COMPLAINED: dict.fromkeys(
        (State.WAITING, State.DECIDED, State.TOLD, State.CLOSED), State.WITH_INSPECTOR
    ),
    entry_kinds.DETERMINED: {State.WITH_INSPECTOR: State.DETERMINED},
}
NEXT_STATES: dict[State, frozenset[State]] = {
    state: frozenset(to for leads in TRANSITIONS.values() for frm, to in leads.items() if frm is state)
    for state in State
}
OPEN_STATES = frozenset(State) - {State.CLOSED}
STATE_TAG_KINDS: dict[State, TagKind] = {
    State.WAITING: "warning",
    State.DECIDED: "info",
    State.TOLD: "info",
    State.WITH_INSPECTOR: "warning",
    State.DETERMINED: "success",
    State.CLOSED: "neutral",
}


def state_tag(state: State) -> Tag:
    return Tag(state.label, STATE_TAG_KINDS[state])
