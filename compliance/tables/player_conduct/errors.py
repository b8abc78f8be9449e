"""Refusals of the conduct service."""

from compliance.core.web.errors import Refusal, Unprocessable


class ConductRefused(Refusal):
    code = "conduct-refused"
    status = 409
    title = "Nothing was recorded"


class RankNotPermitted(ConductRefused):
    code = "conduct-not-the-rank"
    status = 403
    detail = "The rules of this table give that to somebody of another rank."
    remedy = "Ask them to record it."


class TimeInFuture(Unprocessable):
    code = "conduct-in-the-future"
    detail = "That time has not come yet."
    remedy = "Enter when it happened, at the latest now."


class NoPersonNamed(Unprocessable):
    code = "conduct-nobody-named"
    detail = "The record does not say whom it is about."
    remedy = "Say who: a seat, or the player's mark of the day."


class UnknownRound(Unprocessable):
    code = "conduct-unknown-round"
    detail = "That is no round of this table."
    remedy = "Give rounds by the number of their entry or by their own number, separated by commas."


class UnknownWager(Unprocessable):
    code = "conduct-unknown-wager"
    detail = "That wager is in none of these rounds."
    remedy = "Give wagers by their numbers, as the page of the round shows them."


class GroundsNotKnown(Unprocessable):
    code = "conduct-grounds"
    detail = "The rules of this table do not know these grounds."
    remedy = "Choose grounds that they name."


class NoForfeit(Unprocessable):
    code = "conduct-no-forfeit"
    detail = "Wagers can be forfeited only where an outcome is invalidated for fraud."
    remedy = "Leave the forfeited wagers out, or choose fraud as the grounds."


class HasWagered(Unprocessable):
    code = "conduct-has-wagered"
    detail = "That player wagered in the last rounds."
    remedy = "Wait until the rounds that the rules name have passed without a wager."
