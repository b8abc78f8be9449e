"""OpenAPI description of the public proofs."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse

from compliance.core.web.errors import Refusal, TooMany, TransactionConflict, Unavailable, WrongMethod
from compliance.core.web.http.load_shedding import Busy
from compliance.transparency.ledger_pages.errors import InvalidNumber, NotSignedYet, UnknownPublicLog
from rounds.intake.api.openapi import LOG_PARAMETER, LOG_TAG, problem_responses
from rounds.ledger.signing import LedgerKeyMissing
from rounds.transparency_log import tree

HASH = {"type": "string", "format": "byte", "description": "32 bytes in base64."}
NUMBER = {"type": "integer", "minimum": 0, "maximum": tree.MAX_SIZE}
EXAMPLE_HASH = "CgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo="
ERRORS: dict[int, tuple[type[Refusal], ...]] = {
    404: (UnknownPublicLog, NotSignedYet),
    405: (WrongMethod,),
    422: (InvalidNumber,),
    429: (TooMany,),
    503: (Unavailable, TransactionConflict, Busy, LedgerKeyMissing),
}


def _size_parameter(name: str, description: str, *, is_required: bool = False) -> OpenApiParameter:
    return OpenApiParameter(
        name,
        NUMBER,
        OpenApiParameter.QUERY,
        required=is_required,
        description=description,
    )


def _proof_operation(
    name: str, summary: str, description: str, parameters: list[OpenApiParameter], example: dict[str, Any]
) -> dict[str, Any]:
    """`example` is the response without the members that all proofs have."""
    answer = {"log": "harbour", "origin": "fairthrow.example/harbour", **example, "proof": [EXAMPLE_HASH]}
    types = {"log": {"type": "string"}, "origin": {"type": "string"}, "root": HASH}
    properties = {each: types.get(each, NUMBER) for each in answer} | {"proof": {"type": "array", "items": HASH}}
    schema = {"type": "object", "required": list(answer), "properties": properties, "additionalProperties": False}
    return {
        "operation_id": name,
        "summary": summary,
        "description": f"{description} Proofs are RFC 6962 and consist of hashes; they reveal nothing about entries. "
        "The newest checkpoint is at `/logs/{log}/checkpoint`, the key that signs it at `/logs/{log}/key`, both as "
        "C2SP writes them.",
        "tags": [LOG_TAG],
        "auth": [],
        "parameters": [LOG_PARAMETER, *parameters],
        "responses": {
            (200, "application/json"): OpenApiResponse(schema, description="The proof, its hashes in order."),
            **problem_responses(ERRORS),
        },
        "examples": [OpenApiExample("Example", value=answer, response_only=True, status_codes=["200"])],
    }


INCLUSION_PROOF = _proof_operation(
    "prove_inclusion",
    "Proof that an entry is in a log",
    "Proves that the entry `index` is among the first `size` entries of the log.",
    [
        _size_parameter("index", "The index of the entry, from 0; smaller than the size.", is_required=True),
        _size_parameter("size", "A size up to that of the newest checkpoint, which it is where this is not said."),
    ],
    {"index": 4702, "size": 4712, "root": EXAMPLE_HASH},
)
CONSISTENCY_PROOF = _proof_operation(
    "prove_consistency",
    "Proof that a log only grew",
    "Proves that the log of `to` entries begins with the entries that it had at the size `from`.",
    [
        _size_parameter("from", "The earlier size, 1 or more.", is_required=True),
        _size_parameter(
            "to", "The later size, up to that of the newest checkpoint, which it is where this is not said."
        ),
    ],
    {"from": 4096, "to": 4712},
)
