"""Refusals about disputes."""

from compliance.core.web.errors import Conflict, Forbidden, Refusal, Unprocessable


class RoleNotHeld(Forbidden):
    code = "dispute-not-yours"
    detail = "Your role at this casino does not let you do this."
    remedy = "Ask somebody whose role does. Nothing was changed."


class NoSuchRound(Unprocessable):
    code = "dispute-no-round"
    title = "There is no such round here"
    detail = "This casino's ledger has no round or claim at that place."
    remedy = "Choose the round from the list, or search for it by its number."


class NoSuchWager(Unprocessable):
    code = "dispute-no-wager"
    title = "That wager is not in the round"
    detail = "A wager that was chosen is not among the wagers of this round."
    remedy = "Choose from the wagers that the page shows."


class NotAllowedToDecide(Forbidden):
    code = "dispute-rank"
    title = "This decision is not yours to make"
    detail = "The rules give it to somebody of another rank."
    remedy = "Hand it to somebody of that rank. Nothing was decided."


class NotAbsent(Forbidden):
    code = "dispute-not-absent"
    title = "Somebody of that rank is there"
    detail = "You hold the rank that is said to be absent."
    remedy = "Decide in your own rank, without saying that nobody of that rank was there. Nothing was decided."


class DecidedAlready(Conflict):
    code = "dispute-decided-already"
    title = "This step was decided already"
    detail = "Somebody has decided this step. A decision is not made twice, and none is changed."
    remedy = "Read the decision on the dispute's page. A patron who is not satisfied may ask for the next step."


class StepNotAllowedNow(Conflict):
    code = "dispute-not-now"
    title = "The dispute has moved on"
    detail = "This step cannot be taken where the dispute stands now."
    remedy = "Reload the dispute's page: it shows what can be done next."


class StepStillOpen(Conflict):
    code = "dispute-step-open"
    title = "A step is still open"
    detail = "Something in this dispute still waits for somebody."
    remedy = "Finish that step first; the dispute cannot be closed before. Nothing was changed."


class AdviceMissing(Conflict):
    code = "dispute-no-advice"
    title = "The patron has not been advised"
    detail = "The patron is not satisfied, and no advice of their right is recorded."
    remedy = "Advise the patron and record it, then close the dispute."


class NoFurtherStep(Conflict):
    code = "dispute-no-further-step"
    title = "There is no further step"
    detail = "The ladder of these rules has no step after this one."
    remedy = "Record that the patron is not satisfied, and advise them of their right."


class AnsweredAlready(Conflict):
    code = "dispute-answered-already"
    title = "This request was answered already"
    detail = "Somebody has answered this request."
    remedy = "Read the answer on the dispute's page."


class NoDeterminationYet(Refusal):
    code = "dispute-no-outcome"
    status = 409
    title = "There is no outcome yet"
    detail = "The letter tells the patron the outcome, and none is recorded."
    remedy = "Record the outcome first."


class FileGone(Refusal):
    code = "dispute-file-gone"
    status = 410
    title = "The file is no longer there"
    detail = "The dispute names this file, and it is missing from where it was kept, or was changed there."
    remedy = "Tell those who run the service. The ledger still has its digest."
