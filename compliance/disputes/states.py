"""Where a dispute stands, and which step leads from where to where. The database checks the same (migration 0002)."""

from django.db.models import TextChoices

from compliance.disputes import kinds
from compliance.web.components import Kind, Tag


class State(TextChoices):
    WAITING = "waiting", "Waiting for a decision"
    DECIDED = "decided", "Decided, patron to be told"
    TOLD = "told", "Patron told"
    WITH_INSPECTOR = "with-inspector", "With the inspector"
    DETERMINED = "determined", "Determined by the inspector"
    CLOSED = "closed", "Closed"


# Step → the states in which it can be taken → the state it leads to. What is not here leaves the state as it is.
LEADS: dict[str, dict[State, State]] = {
    kinds.DECIDED: {State.WAITING: State.DECIDED},
    kinds.TOLD: {State.DECIDED: State.TOLD},
    kinds.REVIEW: {State.TOLD: State.WAITING},
    kinds.WITHDRAWN: dict.fromkeys((State.WAITING, State.DECIDED, State.TOLD), State.CLOSED),
    kinds.CLOSED: {State.TOLD: State.CLOSED, State.DETERMINED: State.CLOSED},
    # A right does not end because a file was closed: a complaint can come at any time.
    kinds.COMPLAINED: dict.fromkeys((State.WAITING, State.DECIDED, State.TOLD, State.CLOSED), State.WITH_INSPECTOR),
    kinds.DETERMINED: {State.WITH_INSPECTOR: State.DETERMINED},
}
MAY_FOLLOW: dict[State, frozenset[State]] = {
    state: frozenset(to for leads in LEADS.values() for frm, to in leads.items() if frm is state) for state in State
}
UNFINISHED = frozenset(State) - {State.CLOSED}
KINDS: dict[State, Kind] = {
    State.WAITING: "warning",
    State.DECIDED: "info",
    State.TOLD: "info",
    State.WITH_INSPECTOR: "warning",
    State.DETERMINED: "success",
    State.CLOSED: "neutral",
}


def tag_of(state: State) -> Tag:
    return Tag(state.label, KINDS[state])
