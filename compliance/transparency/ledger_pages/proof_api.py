"""Public API for proofs. They consist of hashes only and reveal nothing about the entries."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.web.access import public
from compliance.core.web.http.client_address import client_address
from compliance.core.web.http.rate_limit import enforce_rate_limit
from compliance.transparency.ledger_pages.errors import InvalidNumber, NotSignedYet, UnknownPublicLog
from rounds.ledger import proofs, signing, storage
from rounds.transparency_log import errors, formats
from rounds.transparency_log.errors import LedgerError


@public
@require_safe
def inclusion_proof_view(request: HttpRequest, log: str) -> JsonResponse:
    """Proof that an entry is among the first `size` entries; by default the size of the newest checkpoint."""
    enforce_rate_limit(client_address(request), timezone.now())
    signed = _newest_signed_size(log)
    size = _parse_number(request, "size", signed) if "size" in request.GET else signed
    index = _parse_number(request, "index", size - 1)
    stored = storage.get_log(log)
    try:
        proof = storage.inclusion_proof(stored, index, size)
        root = storage.root_at(stored, size)
    except LedgerError as error:
        raise InvalidNumber(error.sentence) from error
    return _proof_response(log, {"index": index, "size": size, "root": formats.encode_base64(root)}, proof)


@public
@require_safe
def consistency_proof_view(request: HttpRequest, log: str) -> JsonResponse:
    """Proof that the log of `to` entries extends the log of `from` entries."""
    enforce_rate_limit(client_address(request), timezone.now())
    signed = _newest_signed_size(log)
    second = _parse_number(request, "to", signed) if "to" in request.GET else signed
    first = _parse_number(request, "from", signed)
    try:
        proof = storage.consistency_proof(storage.get_log(log), first, second)
    except LedgerError as error:
        raise InvalidNumber(error.sentence) from error
    return _proof_response(log, {"from": first, "to": second}, proof)


def _newest_signed_size(log: str) -> int:
    """Proofs are given up to the newest signed size: beyond it they would prove nothing."""
    try:
        signed = proofs.newest_checkpoint(log)
    except storage.UnknownLog as error:
        raise UnknownPublicLog from error
    if signed is None:
        raise NotSignedYet
    return formats.open_checkpoint(signed.note, signing.verifier_key_for(log)).head.size


def _parse_number(request: HttpRequest, name: str, maximum: int) -> int:
    text = request.GET.get(name, "")
    if not text:
        raise InvalidNumber(f"The address must say {name}=, a number.")
    try:
        number = formats.parse_decimal(text, name)
    except errors.NoteError as error:
        raise InvalidNumber(error.sentence) from error
    if number > maximum:
        raise InvalidNumber(f"The {name} is {number}; the most there can be is {maximum}, as the log is signed now.")
    return number


def _proof_response(log: str, facts: dict[str, Any], proof: Sequence[bytes]) -> JsonResponse:
    hashes = [formats.encode_base64(one) for one in proof]
    return JsonResponse({"log": log, "origin": signing.origin_of(log), **facts, "proof": hashes})
