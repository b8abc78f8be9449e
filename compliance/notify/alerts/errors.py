"""Refusals about alerts."""

from compliance.core.web.errors import Refusal, Unprocessable


class AlertRefused(Refusal):
    code = "alert-refused"
    status = 409
    title = "Nothing was changed"


class AcknowledgedAlready(AlertRefused):
    code = "alert-acknowledged"
    title = "This alert was acknowledged already"
    detail = "Somebody acknowledged it before you."
    remedy = "Nothing more is to be done."


class NotAddressed(AlertRefused):
    code = "alert-not-yours"
    status = 403
    title = "This alert is not addressed to you"
    detail = "Only those who have to be told can say that they were."
    remedy = "It stays in the inbox until one of them acknowledges it."


class BadLadder(Unprocessable):
    code = "alert-bad-ladder"
    title = "This ladder cannot be climbed"
    detail = "Each step comes later than the one before and tells at least one role."
    remedy = "Put the minutes in order and choose roles for each step."


class EscalationTooLate(Unprocessable):
    code = "alert-ladder-too-patient"
    title = "This ladder waits too long"
    detail = "Where somebody must be told at once, the first step comes within 15 minutes."
    remedy = "Choose 15 minutes or fewer for the first step."
