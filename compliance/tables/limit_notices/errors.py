"""Refusals of the limit services. Each names the clause, if there is one, and the earliest possible time."""

from compliance.core.web.errors import Refusal


class NoticeRefusal(Refusal):
    """`field` is the form field that the message belongs to."""

    code = "notice-refused"
    status = 409
    title = "The limits were not changed"
    field = ""

    def __init__(self, detail: str = "", *, field: str = "") -> None:
        super().__init__(detail)
        self.field = field or self.field


class BadLimits(NoticeRefusal):
    code = "notice-bad-limits"
    status = 422


class NothingChanges(NoticeRefusal):
    code = "notice-nothing-changes"
    status = 422
    detail = "These are the limits in force already."


class TimeIsPast(NoticeRefusal):
    code = "notice-time-past"
    status = 422
    field = "effective_at"


class TooSoon(NoticeRefusal):
    code = "notice-too-soon"
    status = 422
    field = "effective_at"


class TimeAlreadyUsed(NoticeRefusal):
    code = "notice-instant-taken"
    field = "effective_at"


class RaiseAlreadyPending(NoticeRefusal):
    code = "notice-raise-waiting"


class NoticeNotPending(NoticeRefusal):
    code = "notice-not-waiting"
    detail = "This notice is in force, withdrawn or lapsed already."


class NotInRules(NoticeRefusal):
    code = "notice-not-known-here"
    status = 422


class PlayerHasLimits(NoticeRefusal):
    code = "notice-player-has-limits"
    detail = "This player has limits of their own already. End them first."


class PlayerLimitEnded(NoticeRefusal):
    code = "notice-player-limit-ended"
    detail = "These limits ended already."
