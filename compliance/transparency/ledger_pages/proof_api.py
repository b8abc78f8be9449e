"""Public API for proofs. They consist of hashes only and reveal nothing about the entries."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from compliance.core.web.access import public
from compliance.core.web.http.api_view import SessionlessView
from compliance.core.web.http.client_address import client_address
from compliance.core.web.http.rate_limit import enforce_rate_limit
from compliance.transparency.ledger_pages.errors import InvalidNumber, NotSignedYet, UnknownPublicLog
from compliance.transparency.ledger_pages.openapi import CONSISTENCY_PROOF, INCLUSION_PROOF
from rounds.ledger import proofs, signing, storage
from rounds.transparency_log import errors, formats
from rounds.transparency_log.errors import LedgerError


class InclusionProofView(SessionlessView):
    """Proof that an entry is among the first `size` entries; by default the size of the newest checkpoint."""

    http_method_names = ["get", "head"]  # noqa: RUF012

    @extend_schema(**INCLUSION_PROOF)
    def get(self, request: Request, log: str) -> JsonResponse:
        plain = request._request
        enforce_rate_limit(client_address(plain), timezone.now())
        signed = _newest_signed_size(log)
        size = _parse_number(plain, "size", signed) if "size" in plain.GET else signed
        index = _parse_number(plain, "index", size - 1)
        stored = storage.get_log(log)
        try:
            proof = storage.inclusion_proof(stored, index, size)
            root = storage.root_at(stored, size)
        except LedgerError as error:
            raise InvalidNumber(error.sentence) from error
        return _proof_response(log, {"index": index, "size": size, "root": formats.encode_base64(root)}, proof)


class ConsistencyProofView(SessionlessView):
    """Proof that the log of `to` entries extends the log of `from` entries."""

    http_method_names = ["get", "head"]  # noqa: RUF012

    @extend_schema(**CONSISTENCY_PROOF)
    def get(self, request: Request, log: str) -> JsonResponse:
        plain = request._request
        enforce_rate_limit(client_address(plain), timezone.now())
        signed = _newest_signed_size(log)
        second = _parse_number(plain, "to", signed) if "to" in plain.GET else signed
        first = _parse_number(plain, "from", signed)
        try:
            proof = storage.consistency_proof(storage.get_log(log), first, second)
        except LedgerError as error:
            raise InvalidNumber(error.sentence) from error
        return _proof_response(log, {"from": first, "to": second}, proof)


inclusion_proof_view = public(InclusionProofView.as_view())
consistency_proof_view = public(ConsistencyProofView.as_view())


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
