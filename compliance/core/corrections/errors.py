"""Refusals of withdrawals."""

from compliance.core.web.errors import Conflict, Forbidden


class NotAuthorOrSuperior(Forbidden):
    code = "withdraw-not-yours"
    title = "You cannot withdraw this record"
    detail = "A record is withdrawn by the person who made it, or by a superior of that person at the same casino."
    remedy = "Ask one of them. Nothing was changed."


class WithdrawnAlready(Conflict):
    code = "withdrawn-before"
    title = "This record was withdrawn before"
    detail = "This record was withdrawn before, so it cannot be withdrawn again."
    remedy = "Reload the page: it shows by whom, when and why. If something must be recorded anew, record it."


class WithdrawalStands(Conflict):
    code = "withdrawal-stands"
    title = "A withdrawal cannot be withdrawn"
    detail = "What was withdrawn stays withdrawn, so that every reader of the log sees the same."
    remedy = "If the record was right after all, record it anew."


class StillNeeded(Conflict):
    code = "withdraw-others-first"
    title = "Other records depend on this one"
    detail = "Records that were made later depend on this one."
    remedy = "Withdraw those first. Nothing was changed."
