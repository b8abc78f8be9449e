"""State machine of a rule version. The database enforces the same transitions with triggers and constraints."""

from enum import StrEnum

from compliance.core.web.ui.components import Tag


class RuleVersionState(StrEnum):
    """People propose, approve and withdraw. IN_FORCE and SUPERSEDED follow from the time alone and are not stored."""

    PROPOSED = "proposed"
    APPROVED = "approved"
    IN_FORCE = "in-force"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"

    @property
    def tag(self) -> Tag:
        return STATE_TAGS[self]


TRANSITIONS: dict[RuleVersionState, frozenset[RuleVersionState]] = {
    RuleVersionState.PROPOSED: frozenset({RuleVersionState.APPROVED, RuleVersionState.WITHDRAWN}),
    RuleVersionState.APPROVED: frozenset({RuleVersionState.IN_FORCE, RuleVersionState.WITHDRAWN}),
    RuleVersionState.IN_FORCE: frozenset({RuleVersionState.SUPERSEDED}),
    RuleVersionState.SUPERSEDED: frozenset(),
    RuleVersionState.WITHDRAWN: frozenset(),
}

STATE_TAGS = {
    RuleVersionState.PROPOSED: Tag("Waiting for approval", "warning"),
    RuleVersionState.APPROVED: Tag("Approved for later", "info"),
    RuleVersionState.IN_FORCE: Tag("In force", "success"),
    RuleVersionState.SUPERSEDED: Tag("Superseded"),
    RuleVersionState.WITHDRAWN: Tag("Withdrawn"),
}
