"""Refusals of the witness pages and API."""

from compliance.core.web.errors import NotFound, Refusal, Unprocessable


class InvalidWitnessKey(Unprocessable):
    code = "bad-witness-key"
    title = "This is not the key of a witness"
    remedy = "Copy the line that `witness key` prints, from its first letter to its last."


class WitnessAlreadyRegistered(Refusal):
    code = "registered-already"
    status = 409
    title = "This witness is registered"
    detail = "A witness with this name or this key is registered here, or was."
    remedy = "A witness that begins anew has a new key under a new name."


class TooManyWitnesses(Refusal):
    code = "too-many-witnesses"
    status = 409
    title = "There are enough witnesses"
    remedy = "End one that is no longer needed."


class WitnessAlreadyEnded(Refusal):
    code = "ended-already"
    status = 409
    title = "This witness has ended"
    detail = "Somebody ended it before you."


class UnknownCheckpoint(NotFound):
    code = "unknown-checkpoint"
    title = "There is no such checkpoint"
    detail = "No log of that name was signed at this size."
    remedy = "Cosign the checkpoint that /logs/…/checkpoint serves."


class NoWitnessSigned(Refusal):
    code = "no-witness-signed"
    status = 403
    title = "No registered witness signed this"
    detail = "No line of it is the signature of a witness that is registered for this log, on what it speaks of."
    remedy = "Have the witness's key registered on the page of the casino's witnesses."


class BodyTooLong(Refusal):
    code = "too-long"
    status = 413
    title = "That is too long"
    detail = "Cosignatures and statements are short texts."
