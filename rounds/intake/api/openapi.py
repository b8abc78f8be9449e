"""OpenAPI description of the controller API: the operation, and the schemas of lines, receipts and problems."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework.request import Request

from compliance.core.web.errors import Refusal, TransactionConflict, Unavailable, WrongMethod
from compliance.core.web.http.load_shedding import Busy
from rounds.intake import errors
from rounds.intake.protocol.envelope import LINE_TYPES, line_schemas
from rounds.intake.protocol.examples import example_line
from rounds.intake.protocol.signed_batch import CONTENT_TYPE, KEY, MAX_BATCH_BYTES, MAX_BATCH_LINES, SENT_AT, SIGNATURE
from rounds.ledger import LogReadOnly

PROBLEM = "application/problem+json"
LOG_TAG = "logs"
LOG_PARAMETER = OpenApiParameter(
    "log", str, OpenApiParameter.PATH, description="The name of a log: the casino's slug. `/logs/` lists them."
)
TEXT = {"type": "string"}
HEX = {"type": "string", "pattern": "^[0-9a-f]{64}$"}

DESCRIPTION = f"""
One JSON object a line, up to {MAX_BATCH_LINES:,} lines and {MAX_BATCH_BYTES // 2**20} MiB; all of them are \
recorded or none.

The signature is Ed25519, in base64, over four lines of text, each ended by a newline: `fairthrow-batch-v1`; the key
id; the value of `{SENT_AT}`; the RFC 6962 root of the lines in hex (the leaves are the lines without their newlines).

The same table, sequence and bytes again give the same receipt again, for ever.
"""

RECEIPT = {
    "type": "object",
    "description": "A heart-beat is not kept, so its receipt has no index and no leaf hash.",
    "required": ["line", "kind", "table", "sequence"],
    "properties": {
        "line": {"type": "integer", "minimum": 1, "description": "The line's place in the batch."},
        "kind": {**TEXT, "description": "The entry's kind in the ledger."},
        "table": TEXT,
        "sequence": {"type": "integer"},
        "index": {"type": "integer", "minimum": 0},
        "recorded_at": {"type": "string", "format": "date-time"},
        "leaf_sha256": HEX,
        "inclusion_proof": {"type": "array", "items": HEX, "description": "With ?wait=checkpoint."},
    },
    "additionalProperties": False,
}
RECEIPTS = {
    "type": "object",
    "required": ["log", "controller", "schema", "received_at", "receipts"],
    "properties": {
        "log": TEXT,
        "controller": TEXT,
        "schema": {"type": "integer"},
        "received_at": {"type": "string", "format": "date-time"},
        "receipts": {"type": "array", "items": {"$ref": "#/components/schemas/Receipt"}},
        "checkpoint": {**TEXT, "description": "A C2SP checkpoint that covers the entries. With ?wait=checkpoint."},
        "verifier": {**TEXT, "description": "The log's public key as C2SP writes it. Trust the one you were given."},
    },
    "additionalProperties": False,
}
LINE_PROBLEM = {
    "type": "object",
    "required": ["line", "table", "sequence", "code", "field", "detail"],
    "properties": {
        "line": {"type": "integer", "minimum": 1},
        "table": {"type": ["string", "null"]},
        "sequence": {"type": ["integer", "null"]},
        "code": TEXT,
        "field": {**TEXT, "description": "A JSON Pointer into the line."},
        "detail": TEXT,
    },
    "additionalProperties": False,
}
PROBLEM_DOCUMENT = {
    "type": "object",
    "description": "RFC 9457. `problems` has one problem a line, where lines are what is wrong.",
    "required": ["type", "title", "status", "detail", "code", "remedy", "request_id"],
    "properties": {
        **dict.fromkeys(("type", "title", "detail", "code", "remedy", "request_id"), TEXT),
        "status": {"type": "integer"},
        "problems": {"type": "array", "items": {"$ref": "#/components/schemas/LineProblem"}},
    },
}
SCHEMAS = {"Receipt": RECEIPT, "Receipts": RECEIPTS, "LineProblem": LINE_PROBLEM, "Problem": PROBLEM_DOCUMENT}

ANSWERS: dict[int, tuple[type[Refusal], ...]] = {
    400: (errors.EmptyBatch, errors.BadCompression, errors.BadHeader, errors.BadQuery),
    401: (errors.NotSigned, errors.UnknownKey, errors.RevokedKey),
    403: (errors.ForeignTable,),
    405: (WrongMethod,),
    409: (errors.SequenceConflict,),
    413: (errors.BatchTooLarge,),
    415: (errors.WrongType,),
    422: (errors.MalformedLines,),
    429: (errors.TooManyBatches,),
    503: (Unavailable, TransactionConflict, Busy, LogReadOnly, errors.NoCheckpoint),
}


def describe_refusals(refusals: tuple[type[Refusal], ...]) -> OpenApiResponse:
    words = " ".join(f"`{refusal.code}`: {refusal.title}." for refusal in refusals)
    return OpenApiResponse({"$ref": "#/components/schemas/Problem"}, description=words)


def problem_responses(refusals_by_status: Mapping[int, tuple[type[Refusal], ...]]) -> dict[Any, OpenApiResponse]:
    return {(status, PROBLEM): describe_refusals(refusals) for status, refusals in refusals_by_status.items()}


def _header_parameter(name: str, description: str) -> OpenApiParameter:
    return OpenApiParameter(name, str, OpenApiParameter.HEADER, required=True, description=description)


ENTRIES: dict[str, Any] = {
    "operation_id": "send_entries",
    "summary": "Send a signed batch of lines",
    "description": DESCRIPTION.strip(),
    "tags": ["controllers"],
    "auth": [],
    "parameters": [
        _header_parameter(KEY, "The id of the key that signed, as the controller's page shows it."),
        _header_parameter(SENT_AT, "When the batch was sent, by the controller's clock, with its zone (RFC 3339)."),
        _header_parameter(SIGNATURE, "The Ed25519 signature in base64."),
        OpenApiParameter(
            "wait",
            str,
            OpenApiParameter.QUERY,
            enum=["checkpoint"],
            description="Sign the log now, at most once a second, and return proofs and checkpoint.",
        ),
    ],
    "request": {
        CONTENT_TYPE: {
            "type": "array",
            "items": {"$ref": "#/components/schemas/Line"},
            "minItems": 1,
            "maxItems": MAX_BATCH_LINES,
            "description": "One item a line, without commas or brackets around them.",
        }
    },
    "responses": {
        (200, "application/json"): OpenApiResponse(
            {"$ref": "#/components/schemas/Receipts"}, description="Recorded, now or before: one receipt a line."
        ),
        **problem_responses(ANSWERS),
    },
    "examples": [
        OpenApiExample(kind, value=[example_line(kind)], media_type=CONTENT_TYPE, request_only=True)
        for kind in LINE_TYPES
    ],
}


def add_kinds(result: dict[str, Any], generator: Any, request: Request | None, public: bool) -> dict[str, Any]:
    """drf-spectacular postprocessing hook: adds the schemas of lines, receipts and problems, which no view declares."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas.update(SCHEMAS)
    schemas.update(json.loads(json.dumps(line_schemas())))
    schemas["Line"] = {
        "description": "One line of a batch.",
        "oneOf": [{"$ref": f"#/components/schemas/{one.__name__}"} for one in LINE_TYPES.values()],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {kind: f"#/components/schemas/{one.__name__}" for kind, one in LINE_TYPES.items()},
        },
    }
    return result
