"""Refusals of wager proofs."""

from compliance.core.web.errors import NotFound, Refusal


class NoSuchWager(NotFound):
    code = "no-such-wager"
    title = "There is no such wager"
    detail = "The round has no wager of that name, or its record can no longer be read."
    remedy = "Open the round and choose one of its wagers."


class ProofNotReady(Refusal):
    code = "not-provable-yet"
    status = 409
    title = "This wager cannot be proved yet"
    remedy = "Try again in two minutes."


class ProofDoesNotMatch(Refusal):
    code = "proof-does-not-fit"
    status = 409
    title = "What is stored of this round does not fit"
    detail = "A proof was made from what is stored, and its own check refused it."
    remedy = "Tell those who run the service: the ledger must be verified."


class ProofAlreadyWithdrawn(Refusal):
    code = "withdrawn-already"
    status = 409
    title = "This proof was withdrawn"
    detail = "Somebody withdrew it before you."


class UnknownCode(NotFound):
    code = "unknown-code"
    title = "This code opens nothing"
    detail = "No proof has this code, or the proof was withdrawn."
    remedy = "Compare each letter with the sheet. If it is right, ask the casino or its inspector."
