"""Errors of the signal pages and services."""

from compliance.core.web.errors import Refusal


class NotAllowedToAcknowledge(Refusal):
    code = "fairness-not-yours"
    status = 403
    title = "Nothing was recorded"
    detail = "Signals are looked at by inspectors and by supervisors of that casino."
    remedy = "Ask one of them."
