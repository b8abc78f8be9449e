"""States of a dispute and the transitions of each step. A database trigger enforces the same (migration 0002)."""

from django.db.models import TextChoices

from compliance.core.web.ui.components import Tag, TagKind
from compliance.disputes import entry_kinds


class DisputeState(TextChoices):
    WAITING = "waiting", "Waiting for a decision"
    DECIDED = "decided", "Decided, patron to be told"
    TOLD = "told", "Patron told"
    WITH_INSPECTOR = "with-inspector", "With the inspector"
    DETERMINED = "determined", "Determined by the inspector"
    CLOSED = "closed", "Closed"


# Step → state before → state after. Steps not listed leave the state unchanged.
TRANSITIONS: dict[str, dict[DisputeState, DisputeState]] = {
    entry_kinds.DECIDED: {DisputeState.WAITING: DisputeState.DECIDED},
    entry_kinds.TOLD: {DisputeState.DECIDED: DisputeState.TOLD},
    entry_kinds.REVIEW: {DisputeState.TOLD: DisputeState.WAITING},
    entry_kinds.WITHDRAWN: dict.fromkeys(
        (DisputeState.WAITING, DisputeState.DECIDED, DisputeState.TOLD), DisputeState.CLOSED
    ),
    entry_kinds.CLOSED: {DisputeState.TOLD: DisputeState.CLOSED, DisputeState.DETERMINED: DisputeState.CLOSED},
    # The right to complain does not end when a dispute is closed: a complaint can come at any time.
    entry_kinds.COMPLAINED: dict.fromkeys(
        (DisputeState.WAITING, DisputeState.DECIDED, DisputeState.TOLD, DisputeState.CLOSED),
        DisputeState.WITH_INSPECTOR,
    ),
    entry_kinds.DETERMINED: {DisputeState.WITH_INSPECTOR: DisputeState.DETERMINED},
}
NEXT_STATES: dict[DisputeState, frozenset[DisputeState]] = {
    # Backward too, when a step is withdrawn.
    state: frozenset(
        to for leads in TRANSITIONS.values() for pair in leads.items() for frm, to in (pair, pair[::-1]) if frm is state
    )
    for state in DisputeState
}
OPEN_STATES = frozenset(DisputeState) - {DisputeState.CLOSED}
STATE_TAG_KINDS: dict[DisputeState, TagKind] = {
    DisputeState.WAITING: "warning",
    DisputeState.DECIDED: "info",
    DisputeState.TOLD: "info",
    DisputeState.WITH_INSPECTOR: "warning",
    DisputeState.DETERMINED: "success",
    DisputeState.CLOSED: "neutral",
}


def state_tag(state: DisputeState) -> Tag:
    return Tag(state.label, STATE_TAG_KINDS[state])
