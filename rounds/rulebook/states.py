"""Where a rule version stands, and what may follow what. The database checks the same, by triggers and constraints."""

from enum import StrEnum

from compliance.core.web.ui.components import Tag


class State(StrEnum):
    """Proposed, approved and withdrawn are acts of people; time alone brings a version into force and out of it."""

    PROPOSED = "proposed"
    APPROVED = "approved"
    IN_FORCE = "in-force"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"

    @property
    def tag(self) -> Tag:
        return STATE_TAGS[self]


TRANSITIONS: dict[State, frozenset[State]] = {
    State.PROPOSED: frozenset({State.APPROVED, State.WITHDRAWN}),
    State.APPROVED: frozenset({State.IN_FORCE, State.WITHDRAWN}),
    State.IN_FORCE: frozenset({State.SUPERSEDED}),
    State.SUPERSEDED: frozenset(),
    State.WITHDRAWN: frozenset(),
}

STATE_TAGS = {
    State.PROPOSED: Tag("Waiting for approval", "warning"),
    State.APPROVED: Tag("Approved for later", "info"),
    State.IN_FORCE: Tag("In force", "success"),
    State.SUPERSEDED: Tag("Superseded"),
    State.WITHDRAWN: Tag("Withdrawn"),
}
