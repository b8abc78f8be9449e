"""State machine of a rule version. The database enforces the same transitions with triggers and constraints."""

from enum import StrEnum

from compliance.core.web.ui.components import Tag


class State(StrEnum):
    """People propose, approve and withdraw. IN_FORCE and SUPERSEDED follow from the time alone and are not stored."""

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
