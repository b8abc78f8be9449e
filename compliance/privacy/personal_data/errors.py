"""Refusals about personal data."""

from compliance.core.web.errors import Refusal


class PersonalRefusal(Refusal):
    code = "personal-refused"
    status = 409
    title = "The record was not changed"


class RoleNotAllowed(PersonalRefusal):
    code = "personal-not-yours"
    status = 403
    detail = "Your role at this casino does not allow that."


class DestroyedAlready(PersonalRefusal):
    code = "personal-destroyed"
    status = 410
    title = "These details were destroyed"
    detail = "The details of this record were destroyed. The record and its digest stay."


class HoldInForce(PersonalRefusal):
    code = "personal-held"
    detail = "The record is held for a reason that is still running."
    remedy = "It can be destroyed when the hold has ended."


class HoldTooShort(PersonalRefusal):
    code = "hold-too-short"
    detail = "A hold keeps a record longer than it is kept already, and ends on a day to come."
    remedy = "Enter a later day."


class SupersededAlready(PersonalRefusal):
    code = "personal-superseded"
    detail = "These details were replaced by newer ones already."
    remedy = "Replace the newer ones."
