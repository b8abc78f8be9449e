"""Refusals of the controller API, of the quarantine pages and of rounds from paper."""

from collections.abc import Sequence
from typing import Any

from compliance.core.web.errors import BadRequest, Conflict, Forbidden, Refusal, TooMany, Unprocessable


class NotSigned(Refusal):
    code = "bad-signature"
    status = 401
    title = "The signature does not belong to this batch"
    detail = "The batch was not recorded: its signature is missing, or it is not one of this key over these bytes."
    remedy = "Sign the root of the lines, the key id and the sending time exactly as the help for integrators says."

    def __init__(self, detail: str = "", **particulars: Any) -> None:
        super().__init__(detail, **particulars)
        self.headers.setdefault("WWW-Authenticate", "Fairthrow-Signature")


class UnknownKey(NotSigned):
    code = "unknown-key"
    title = "This key is not known"
    detail = "No controller has an approved key with this id."
    remedy = "Check the key id on the controller's page. A new key counts once a second person has approved it."


class RevokedKey(NotSigned):
    code = "revoked-key"
    title = "This key no longer counts"
    detail = "The key was revoked. Nothing was recorded; keep the lines and sign them with the new key."
    remedy = "Propose a new key on the controller's page and have it approved."


class WrongType(Refusal):
    code = "wrong-content-type"
    status = 415
    title = "We do not read this kind of content"
    detail = "A batch is application/x-ndjson: one JSON object a line; gzip is the only compression taken."
    remedy = "Set Content-Type and Content-Encoding and send the batch again."


class EmptyBatch(BadRequest):
    code = "empty-batch"
    title = "There is nothing in this batch"
    detail = "The request has no lines. A chunked request must have been given a Content-Length by its proxy."
    remedy = "Send at least one line."


class BadCompression(BadRequest):
    code = "bad-compression"
    title = "The compressed batch cannot be opened"
    detail = "The body is not one whole gzip stream."
    remedy = "Compress the batch again and send it."


class BadHeader(BadRequest):
    code = "bad-header"
    title = "A header of the batch cannot be read"
    detail = "One of the headers that say who sends, when and with which signature is missing or not in its form."
    remedy = "The help for integrators shows each header with an example."


class BatchTooLarge(Refusal):
    code = "batch-too-large"
    status = 413
    title = "The batch is too large"
    detail = "It has more lines or bytes than are taken at once."
    remedy = "Send fewer lines at a time."


class ForeignTable(Forbidden):
    code = "foreign-table"
    title = "The controller may not speak for this table"
    detail = "The controller was not given this table, or no longer has it."
    remedy = "Take these lines out and send the others; they are kept in quarantine. See the controller's page."


class SequenceConflict(Conflict):
    code = "sequence-conflict"
    title = "A sequence was used before, for other bytes"
    detail = "Nothing of this batch was recorded. The earlier line stands; what came now is kept in quarantine."
    remedy = "Take the lines named here out and send the others. To correct a line, send a correction."


class MalformedLines(Unprocessable):
    code = "malformed-lines"
    title = "Some lines cannot be read"
    detail = "Nothing of this batch was recorded. The lines named here are kept in quarantine."
    remedy = "Set these lines aside and send the others; their sequences count as quarantined, not as missing."


class TooManyBatches(TooMany):
    code = "too-many-batches"
    title = "Too many batches"
    detail = "This controller sends more batches than we take in so short a time."
    remedy = "Wait for as long as Retry-After says, and put more lines into a batch."


class BadQuery(BadRequest):
    code = "bad-query"
    title = "The address asks for something we do not know"
    detail = "The only parameter is wait, and its only value is checkpoint."
    remedy = "Correct the address and send the batch again."


class NoCheckpoint(Refusal):
    """No checkpoint can be signed. Has no Retry-After header: people must repair the log or its key first."""

    code = "no-checkpoint"
    status = 503
    title = "The lines cannot be proved"
    detail = (
        "The lines are recorded, but no checkpoint can be given for them: the log no longer fits what was signed "
        "before, or its key cannot be read."
    )
    remedy = (
        "Keep the lines and tell the service's administrators. The same lines sent without wait=checkpoint are "
        "answered with receipts, which can be proved once the log is mended."
    )


class AlreadyResolved(Conflict):
    code = "dealt-with-already"
    title = "Somebody dealt with this line already"
    detail = "Your note was not saved: another person marked the line meanwhile."
    remedy = "Open the line again to read what they did."


def add_line_problems(refusal: Refusal, problems: Sequence[dict[str, Any]]) -> Refusal:
    """Adds one problem per line to the refusal's problem document (RFC 9457)."""
    refusal.members = {"problems": list(problems)}
    return refusal


class PaperRoundAlreadyDecided(Conflict):
    code = "paper-round-decided"
    title = "Somebody decided this round already"
    detail = "Nothing was changed: the round was confirmed or refused meanwhile."
    remedy = "Open the round again to see what was decided."
