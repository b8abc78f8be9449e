"""Refusals of the services for samples and checklists. Forms show the detail and keep the input."""

from compliance.core.web.errors import Refusal, Unprocessable


class ChecklistRefusal(Refusal):
    code = "checklist-refused"
    status = 409
    title = "Nothing was recorded"


class SignedAlready(ChecklistRefusal):
    code = "checklist-signed"
    detail = "This checklist was signed off, so nothing in it can change any more."
    remedy = "Begin a new one that supersedes it."


class ClausesUnanswered(ChecklistRefusal):
    code = "clauses-unanswered"
    remedy = "Answer them first: the list can show only those."


class AnsweredMeanwhile(ChecklistRefusal):
    code = "answered-meanwhile"
    remedy = "What you typed is still here. Read the other answer first, then send yours if you still want to."


class SupersededAlready(ChecklistRefusal):
    code = "checklist-superseded"
    detail = "A checklist that supersedes this one was begun before."
    remedy = "Go on with that one."


class NotSignedYet(ChecklistRefusal):
    code = "checklist-not-signed"
    detail = "Only a checklist that is signed off can be superseded; this one can still be changed."
    remedy = "Open it and change the answers."


class PeriodNotOver(Unprocessable):
    code = "period-not-over"
    title = "Nothing was recorded"
    detail = "The time of the sample ends in the future, and only rounds that were played can be drawn."
    remedy = "Let it end now or earlier."


class NothingToDraw(Unprocessable):
    code = "nothing-to-draw"
    title = "There is nothing to draw from"
    detail = "No audited round was played at these tables in this time."
    remedy = "Choose a longer time or more tables, or wait until the audit has come that far."


class BadWeights(Unprocessable):
    code = "bad-weights"
    title = "These weights cannot be used"
    detail = "A factor adds one to nine tickets."
    remedy = "Leave out a factor that adds none."


class DrawnAlready(ChecklistRefusal):
    code = "sample-drawn"
    detail = "This sample was drawn before."
    remedy = "Load the page again."


class DrawStopped(ChecklistRefusal):
    code = "draw-failed"
    title = "The sample could not be drawn"
    remedy = "The seed is recorded. Try again; it draws the same rounds whenever it is drawn."


class CheckedMeanwhile(ChecklistRefusal):
    code = "round-checked-meanwhile"
    detail = "Somebody looked at this round while your page was open."
    remedy = "What you typed is still here. Read what they found, then send yours if you still want to."
