"""OpenAPI description of what witnesses post."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse

from compliance.core.web.errors import Refusal, TooMany, TransactionConflict, Unavailable, WrongMethod
from compliance.core.web.http.load_shedding import Busy
from compliance.transparency.witness_registry.errors import BodyTooLong, NoWitnessSigned, UnknownCheckpoint
from rounds.intake.api.openapi import LOG_PARAMETER, LOG_TAG, problem_responses
from rounds.ledger import LogReadOnly
from rounds.transparency_log import tree

MAX_BODY_BYTES = 64 * 1024
SIZE = {"type": "integer", "minimum": 0, "maximum": tree.MAX_SIZE}
ERRORS: dict[int, tuple[type[Refusal], ...]] = {
    403: (NoWitnessSigned,),
    405: (WrongMethod,),
    413: (BodyTooLong,),
    429: (TooMany,),
    503: (Unavailable, TransactionConflict, Busy),
}


def _post_operation(
    name: str,
    summary: str,
    description: str,
    parameters: list[OpenApiParameter],
    example: dict[str, Any],
    errors: dict[int, tuple[type[Refusal], ...]],
) -> dict[str, Any]:
    types = {"log": {"type": "string"}}
    properties = {each: types.get(each, {"type": "integer", "minimum": 0}) for each in example}
    schema = {"type": "object", "required": list(example), "properties": properties, "additionalProperties": False}
    return {
        "operation_id": name,
        "summary": summary,
        "description": f"{description} The signature authenticates the request; the same one again changes nothing.",
        "tags": [LOG_TAG],
        "auth": [],
        "parameters": [LOG_PARAMETER, *parameters],
        "request": {"text/plain": {"type": "string", "maxLength": MAX_BODY_BYTES}},
        "responses": {
            (200, "application/json"): OpenApiResponse(schema, description="Stored, now or before."),
            **problem_responses(errors),
        },
        "examples": [OpenApiExample("Example", value=example, response_only=True, status_codes=["200"])],
    }


COSIGNATURES = _post_operation(
    "cosign_checkpoint",
    "Cosign a checkpoint",
    "Cosignature lines of registered witnesses on the checkpoint of that size, as C2SP writes them. `taken` is how "
    "many of the lines were by registered witnesses.",
    [
        OpenApiParameter(
            "size",
            SIZE,
            OpenApiParameter.PATH,
            description="The size of a checkpoint that the log signed.",
        )
    ],
    {"log": "harbour", "size": 4712, "taken": 1},
    {404: (UnknownCheckpoint,), **ERRORS},
)
DISAGREEMENTS = _post_operation(
    "state_disagreement",
    "State that a log contradicts what a witness has",
    "A registered witness's signed statement about two checkpoints. It becomes the entry `entry` of the log, and the "
    "inspector and the casino's compliance officer are told.",
    [],
    {"log": "harbour", "entry": 4713},
    {**ERRORS, 503: (*ERRORS[503], LogReadOnly)},
)
