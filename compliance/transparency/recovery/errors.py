"""Refusals of the recovery pages."""

from compliance.core.web.errors import Conflict, Forbidden, Unprocessable


class EpochAlreadyBegun(Conflict):
    code = "epoch-begun"
    title = "This log is no longer read-only"
    detail = "Somebody else said what was lost, and the log goes on. What you typed was not recorded."
    remedy = "Read what they recorded on the page of the log."


class NotAllowedToBeginEpoch(Forbidden):
    code = "not-yours-to-say"
    title = "Somebody else has to say what was lost"
    detail = "An inspector or an authority officer of this casino says what was lost, and nobody who runs it."
    remedy = "Ask one of them to open this page."


class SecondFactorRequired(Forbidden):
    code = "second-factor-needed"
    title = "This needs a second factor"
    detail = "Only a person who signs in with a second factor can say what was lost."
    remedy = "Set one up on the page of your account, or ask a colleague who has one."


class CheckpointOfOtherLog(Unprocessable):
    code = "not-its-checkpoint"
    title = "This is no checkpoint of this log"
    remedy = "Copy the whole checkpoint, from its first line to the last signature, as it was kept."


class OriginNotWritten(Conflict):
    code = "cannot-name-epoch"
    title = "The new epoch cannot be written down"
    detail = "The file beside the kept checkpoint that names the epoch cannot be read or written."
    remedy = "See that the folder of the ledger's key is there and can be written to, then send this again."
