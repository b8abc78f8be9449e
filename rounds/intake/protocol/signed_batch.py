"""Parses a request into a SignedBatch: headers, size limits, gzip, lines. The signature is not verified here."""

from __future__ import annotations

import binascii
import zlib
from base64 import b64decode
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest

from rounds.intake.errors import BadCompression, BadHeader, BatchTooLarge, EmptyBatch, NotSigned, WrongType
from rounds.intake.protocol.signature import line_digest, signed_text
from rounds.intake.protocol.timestamps import MAX_AHEAD

CONTENT_TYPE = "application/x-ndjson"
KEY, SENT_AT, SIGNATURE = "Fairthrow-Key", "Fairthrow-Sent-At", "Fairthrow-Signature"
MAX_BATCH_LINES = 1000
MAX_BATCH_BYTES = 16 * 1024 * 1024
CHUNK_BYTES = 64 * 1024


@dataclass(frozen=True)
class SignedBatch:
    """A batch as received, unverified: claimed key, claimed sending time, signature and lines."""

    key_id: str
    sent_at_text: str
    sent_at: datetime
    signature: bytes
    lines: list[bytes]
    digests: list[bytes]

    def signed_text(self) -> bytes:
        return signed_text(self.key_id, self.sent_at_text, self.digests)


def parse_signed_batch(request: HttpRequest, now: datetime) -> SignedBatch:
    if request.content_type != CONTENT_TYPE:
        raise WrongType
    key_id, sent_at_text, signature = (_required_header(request, name) for name in (KEY, SENT_AT, SIGNATURE))
    sent_at = _parse_sent_at(sent_at_text, now)
    body = _read_body(request)
    if not body.strip():
        raise EmptyBatch
    lines = body.removesuffix(b"\n").split(b"\n")
    if len(lines) > MAX_BATCH_LINES:
        raise BatchTooLarge(f"The batch has {len(lines):,} lines; the most taken is {MAX_BATCH_LINES:,}.")
    return SignedBatch(
        key_id, sent_at_text, sent_at, _decode_signature(signature), lines, [line_digest(line) for line in lines]
    )


def _required_header(request: HttpRequest, name: str) -> str:
    value = request.headers.get(name, "")
    if not value:
        raise NotSigned(f"The header {name} is missing.")
    if len(value) > 200 or not value.isascii() or not value.isprintable():
        raise BadHeader(f"{name} is not a short text of plain characters.")
    return value


def _parse_sent_at(text: str, now: datetime) -> datetime:
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        instant = None
    if instant is None or instant.utcoffset() is None or len(text) > 40:
        raise BadHeader(f"{SENT_AT} must be a time with its zone, such as 2026-11-16T21:20:00+11:00.")
    try:
        is_far_ahead = instant - now > MAX_AHEAD
    except OverflowError:
        is_far_ahead = True
    if is_far_ahead:
        raise BadHeader(f"{SENT_AT} lies more than a day ahead of us.")
    return instant


def _decode_signature(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except binascii.Error:
        raise NotSigned(f"{SIGNATURE} is not base64.") from None


def _read_body(request: HttpRequest) -> bytes:
    encoding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip"):
        raise WrongType
    body = request.read(MAX_BATCH_BYTES + 1)
    if len(body) > MAX_BATCH_BYTES:
        raise _too_large_error()
    return gunzip(body) if encoding == "gzip" else body


def gunzip(body: bytes) -> bytes:
    """Decompresses in chunks, so that a decompression bomb is refused at the limit."""
    opened, inflater = bytearray(), zlib.decompressobj(wbits=31)
    try:
        while body and not inflater.eof:
            opened += inflater.decompress(body, CHUNK_BYTES)
            body = inflater.unconsumed_tail
            if len(opened) > MAX_BATCH_BYTES:
                raise _too_large_error()
        opened += inflater.flush()
    except zlib.error:
        raise BadCompression from None
    if not inflater.eof or inflater.unused_data:
        raise BadCompression
    if len(opened) > MAX_BATCH_BYTES:
        raise _too_large_error()
    return bytes(opened)


def _too_large_error() -> BatchTooLarge:
    return BatchTooLarge(f"The batch is longer than {MAX_BATCH_BYTES // 2**20} MiB, counted without compression.")
