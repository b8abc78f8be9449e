"""Errors of the trial pages and services."""

from compliance.core.web.errors import Refusal, Unprocessable


class NotAllowedToTry(Refusal):
    code = "may-not-try"
    status = 403
    title = "This is not yours to do"
    detail = "Only an authority officer of the casino tries rules over what was played."
    remedy = "Ask an authority officer."


class NothingToTry(Unprocessable):
    code = "nothing-to-try"
    title = "There is nothing to try"
    remedy = "Choose something else."


class TooManyTrials(Refusal):
    code = "enough-waits"
    status = 409
    title = "Enough trials wait already"
    remedy = "Wait until one is done, or cancel one."
