"""Refusals of the sign services."""

from compliance.core.web.errors import Refusal


class SignRefusal(Refusal):
    code = "sign-refused"
    status = 409
    title = "The sign was not changed"


class RoleRequired(SignRefusal):
    code = "sign-not-for-you"
    status = 403
    detail = "None of the roles you hold at this casino allows this."
    remedy = "Ask a supervisor of the casino."


class SignUpAlready(SignRefusal):
    code = "sign-up-already"
    detail = "This sign is up already, and its clock is running."


class SignNotUp(SignRefusal):
    code = "sign-not-up"
    detail = "This sign is not up."


class SignEnded(SignRefusal):
    code = "sign-over"
    detail = "This sign is no longer wanted: what it announced has happened or was withdrawn."
    remedy = "Take it down. Announce again what is still to come."


class TimeNotPossible(SignRefusal):
    code = "sign-time-not-possible"
    status = 422


class DisplayEndedAlready(SignRefusal):
    code = "display-ended-already"
    detail = "This display was ended already."
