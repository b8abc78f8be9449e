"""`POST /api/v1/entries`: takes a signed batch, returns receipts. The signature is the only authentication."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime

import msgspec
import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from compliance.core.web.access import public
from compliance.core.web.errors import Refusal
from compliance.core.web.http.api_view import SessionlessView
from compliance.core.web.http.client_address import client_address
from compliance.core.web.http.rate_limit import seconds_to_wait
from rounds.floor.models import ControllerKey
from rounds.floor.selectors import ControllerIdentity, identify_controller
from rounds.intake.api.openapi import ENTRIES
from rounds.intake.errors import BadQuery, NoCheckpoint, NotSigned, RevokedKey, TooManyBatches, UnknownKey
from rounds.intake.protocol.parse import claimed_tables
from rounds.intake.protocol.signature import is_signature_valid
from rounds.intake.protocol.signed_batch import SignedBatch, parse_signed_batch
from rounds.intake.services.batches import LineReceipt, receive_batch
from rounds.intake.services.rejected_signatures import record_refused_signature, record_unknown_key
from rounds.intake.services.wake_consumers import wake_consumers
from rounds.ledger import encode_timestamp, signing
from rounds.ledger import proofs as ledger_proofs
from rounds.transparency_log import formats
from rounds.transparency_log.errors import LedgerError

logger = structlog.get_logger(__name__)

# The limit is settings.CONTROLLER_BATCH_LIMIT. Rejected batches are counted by client address, with the same limit.
LIMIT_WINDOW_SECONDS = 10


class Receipts(msgspec.Struct, frozen=True, omit_defaults=True):
    """Response body: what is needed to recompute each leaf hash and, with wait=checkpoint, to prove its inclusion."""

    log: str
    controller: str
    schema: int
    received_at: str
    receipts: Sequence[LineReceipt]
    checkpoint: str | None = None
    verifier: str | None = None


class EntriesView(SessionlessView):
    @extend_schema(**ENTRIES)
    def post(self, request: Request) -> HttpResponse:
        plain: HttpRequest = request._request
        waits = _waits_for_checkpoint(plain)
        now = timezone.now()
        batch = parse_signed_batch(plain, now)
        key = _authenticate_batch(batch, plain, now)
        _limit_batches(f"controller:{key.controller_id}", now)
        receipts = receive_batch(batch=batch, key=key, now=now)
        wake_consumers()
        return _receipts_response(key, receipts, now, waits)


entries = public(EntriesView.as_view())


def _limit_batches(who: str, now: datetime) -> None:
    if wait := seconds_to_wait(f"intake:{who}", now, settings.CONTROLLER_BATCH_LIMIT, LIMIT_WINDOW_SECONDS):
        raise TooManyBatches(headers={"Retry-After": str(wait)})


def _waits_for_checkpoint(request: HttpRequest) -> bool:
    if set(request.GET) - {"wait"} or request.GET.getlist("wait") not in ([], ["checkpoint"]):
        raise BadQuery
    return "wait" in request.GET


def _authenticate_batch(batch: SignedBatch, request: HttpRequest, now: datetime) -> ControllerIdentity:
    """The controller whose active key signed the batch. Every rejection is recorded; many are recorded as a count."""
    key = identify_controller(batch.key_id, now)
    if key is not None and is_signature_valid(key.public_key, batch.signature, batch.signed_text()):
        return key
    # By client address, not by key id: otherwise anyone who knows a key id could exhaust that controller's limit.
    _limit_batches(f"refused:{client_address(request)}", now)
    known = ControllerKey.objects.filter(key_id=batch.key_id).first()
    if known is None:
        record_unknown_key(key_id=batch.key_id, tables=claimed_tables(batch.lines), now=now)
        raise UnknownKey
    refusal: Refusal = NotSigned() if key is not None else RevokedKey() if known.revoked_at else UnknownKey()
    record_refused_signature(key=known, why=refusal.code, now=now)
    raise refusal


def _receipts_response(
    key: ControllerIdentity, receipts: list[LineReceipt], now: datetime, waits: bool
) -> HttpResponse:
    indexes = [receipt.index for receipt in receipts if receipt.index is not None]
    proved = _prove_receipts(key.casino, indexes) if waits and indexes else None
    body = Receipts(
        log=key.casino,
        controller=key.controller,
        schema=formats.SCHEMA_VERSION,
        received_at=encode_timestamp(now),
        receipts=_with_proofs(receipts, proved) if proved else receipts,
        checkpoint=proved.checkpoint.decode() if proved else None,
        verifier=str(signing.verifier_key_for(key.casino)) if proved else None,
    )
    response = HttpResponse(msgspec.json.encode(body), content_type="application/json")
    response["Cache-Control"] = "no-store"
    return response


def _prove_receipts(log: str, indexes: Sequence[int]) -> ledger_proofs.EntryProofs:
    """Proofs and checkpoint for committed lines. If the log cannot be signed, raises NoCheckpoint, which says that the
    lines are recorded."""
    try:
        return ledger_proofs.prove_entries(log, indexes, timezone.now, time.sleep)
    except LedgerError as error:
        logger.error("log_not_signed", log=log, code=error.code, error=error.sentence)
        raise NoCheckpoint from error


def _with_proofs(receipts: list[LineReceipt], proved: ledger_proofs.EntryProofs) -> list[LineReceipt]:
    proofs = iter(proved.hashes)
    return [
        receipt
        if receipt.index is None
        else msgspec.structs.replace(receipt, inclusion_proof=[one.hex() for one in next(proofs)])
        for receipt in receipts
    ]
