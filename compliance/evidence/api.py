"""Proofs for anybody who holds a checkpoint: hashes only, which tell nothing of what was recorded."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.accounts.identity import client_address
from compliance.evidence.errors import BadNumber, NotSignedYet, UnknownPublicLog
from compliance.web.access import public
from compliance.web.throttle import count_request
from rounds.ledger.checkpoints import verifier
from rounds.ledger.errors import LedgerError, NoteError
from rounds.ledger.notes import encode_base64, open_checkpoint, parse_decimal
from rounds.ledger.origins import origin_of
from rounds.ledger.proving import newest_checkpoint
from rounds.ledger.stored import UnknownLog, consistency_proof, inclusion_proof, log_named, root_at


@public
@require_safe
def inclusion(request: HttpRequest, log: str) -> JsonResponse:
    """That an entry is among the first `size` entries; without `size`, those of the newest checkpoint."""
    count_request(client_address(request), timezone.now())
    signed = _signed_size(log)
    size = _number(request, "size", signed) if "size" in request.GET else signed
    index = _number(request, "index", size - 1)
    stored = log_named(log)
    try:
        proof = inclusion_proof(stored, index, size)
        root = root_at(stored, size)
    except LedgerError as error:
        raise BadNumber(error.sentence) from error
    return _answer(log, {"index": index, "size": size, "root": encode_base64(root)}, proof)


@public
@require_safe
def consistency(request: HttpRequest, log: str) -> JsonResponse:
    """That the log of `to` entries begins with the log of `from` entries."""
    count_request(client_address(request), timezone.now())
    signed = _signed_size(log)
    second = _number(request, "to", signed) if "to" in request.GET else signed
    first = _number(request, "from", signed)
    try:
        proof = consistency_proof(log_named(log), first, second)
    except LedgerError as error:
        raise BadNumber(error.sentence) from error
    return _answer(log, {"from": first, "to": second}, proof)


def _signed_size(log: str) -> int:
    """Proofs are given within what is signed: against anything else they would prove nothing."""
    try:
        signed = newest_checkpoint(log)
    except UnknownLog as error:
        raise UnknownPublicLog from error
    if signed is None:
        raise NotSignedYet
    return open_checkpoint(signed.note, verifier(log)).head.size


def _number(request: HttpRequest, name: str, most: int) -> int:
    text = request.GET.get(name, "")
    if not text:
        raise BadNumber(f"The address must say {name}=, a number.")
    try:
        number = parse_decimal(text, name)
    except NoteError as error:
        raise BadNumber(error.sentence) from error
    if number > most:
        raise BadNumber(f"The {name} is {number}; the most there can be is {most}, as the log is signed now.")
    return number


def _answer(log: str, facts: dict[str, Any], proof: Sequence[bytes]) -> JsonResponse:
    hashes = [encode_base64(one) for one in proof]
    return JsonResponse({"log": log, "origin": origin_of(log), **facts, "proof": hashes})
