"""Refusals of the review services. Forms show the detail and keep the input."""

from compliance.core.web.errors import Refusal, Unprocessable


class ReviewRefusal(Refusal):
    code = "review-refused"
    status = 409
    title = "Nothing was decided"


class HeldByAnother(ReviewRefusal):
    code = "finding-held"
    detail = "Somebody else is reviewing this finding."
    remedy = "Take another one, or wait until they put it back."


class DecidedMeanwhile(ReviewRefusal):
    code = "decided-meanwhile"
    detail = "This finding was decided while your page was open."
    remedy = "What you typed is still here. Read the new decision first, then decide again if you still want to."


class AnswerDueTooLate(ReviewRefusal):
    code = "answer-due-too-late"
    status = 422
    remedy = "Check the year, or ask again later."


class FindingLapsed(ReviewRefusal):
    code = "finding-lapsed"
    detail = "The audit took this finding back, so there is nothing left to decide."
    remedy = "Its page says why."


class NothingWaits(ReviewRefusal):
    code = "nothing-waits"
    status = 404
    title = "Nothing waits for review"
    detail = "Every finding is decided, held by somebody else, or waits for the operator."
    remedy = "Open the list to see them all."


class NothingToConfirm(ReviewRefusal):
    code = "nothing-to-confirm"
    detail = "This decision does not wait for a second reviewer any more."
    remedy = "Load the page again."


class AnsweredAlready(ReviewRefusal):
    code = "answered-already"
    detail = "This question was answered before, or the inspector decided without an answer."
    remedy = "Load the page again. If you have more to say, write to the inspectorate."


class TooManyTogether(Unprocessable):
    code = "too-many-together"
    title = "Too many findings for one decision"
    remedy = "Narrow the group, by table for instance, and decide in parts."


class GroupChanged(ReviewRefusal):
    code = "group-changed"
    detail = "The group is not the one you saw: findings were added, decided or taken by somebody else meanwhile."
    remedy = (
        "What you typed is still here. Look at the new number, and send it again if it still holds for all of them."
    )
