"""Refusals of the closure services. Each names the clause, if there is one, and the earliest possible time."""

from compliance.core.web.errors import Refusal


class ClosureRefusal(Refusal):
    """`field` is the form field that the message belongs to."""

    code = "closure-refused"
    status = 409
    title = "The table was not closed"
    field = ""


class ClosedAlready(ClosureRefusal):
    code = "closure-closed-already"
    remedy = "Open it again first, if it is open."


class AnnouncedAlready(ClosureRefusal):
    code = "closure-announced-already"


class ClosingTimePast(ClosureRefusal):
    code = "closure-time-past"
    status = 422
    field = "closes_at"


class ClosingTooSoon(ClosureRefusal):
    code = "closure-too-soon"
    status = 422
    field = "closes_at"


class ClosingNotDue(ClosureRefusal):
    code = "closure-not-yet"
    remedy = "In an emergency, close it as one: that is recorded as what it is."


class StreaksStillRunning(ClosureRefusal):
    code = "closure-held-by-streaks"


class TransitionNotAllowed(ClosureRefusal):
    code = "closure-no-such-step"
    detail = "This closing was carried out, withdrawn or ended already."


class NotClosed(ClosureRefusal):
    code = "closure-not-closed"
    title = "The table was not opened"
    detail = "This table is not closed."
