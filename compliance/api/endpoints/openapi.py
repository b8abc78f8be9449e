"""The API in the OpenAPI document: parameters, response schemas from their types, examples, errors."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework.request import Request

from compliance.api import errors
from compliance.api.endpoints.query_parameters import LARGEST_PAGE, MAX_ENTRIES_LIMIT, PAGE_SIZE
from compliance.api.endpoints.responses import RESPONSE_TYPES
from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.catalogue.play_codes import SETTLE_OVERPAID
from compliance.core.web.errors import NotFound, Refusal, TooMany, TransactionConflict, Unavailable
from compliance.core.web.http.load_shedding import Busy
from compliance.reports.errors import ReportGone
from rounds.intake.api.openapi import PROBLEM, describe_refusals, problem_responses
from rounds.intake.protocol.examples import example_line

SECURITY = "token"
EXAMPLE_FINDING = {
    "index": 4711, "code": SETTLE_OVERPAID.name, "severity": SETTLE_OVERPAID.severity.value,
    "sentence": "Small paid $51.00; $50.00 was due.", "table": "sb-03", "tables": ["sb-03"], "subject_index": 4702,
    "wager": "w-1", "wagers": None, "at": "2026-11-16T09:41:44.700000Z", "rules": "nsw-sic-bo",
    "rule_version": 1, "clause": "3.1.1.1", "required_cents": 5000, "found_cents": 5100, "evidence": [4702],
    "found_at": "2026-11-16T09:42:30Z", "superseded_at": None, "superseded_reason": None,
}  # fmt: skip
EXAMPLE_CASE = {
    "subject_index": 4702, "wager": "w-1", "table": "sb-03", "at": "2026-11-16T09:41:44.700000Z",
    "required_cents": 0, "found_cents": 2000,
}  # fmt: skip
EXAMPLE_ROUND = {
    "index": 4702,
    "table": "sb-03",
    "recorded_at": "2026-11-16T09:42:21.600000Z",
    "leaf_sha256": "5f" * 32,
    "body": example_line("round"),
    "inclusion_proof": ["0a" * 32, "9c" * 32],
}
EXAMPLE_NOTE = "fairthrow.example/harbour\n4712\nmK3…=\n\n— fairthrow.example/harbour Zx4…=\n"
EXAMPLE_RANGE = {
    "index": 4712, "first": 4096, "last": 4711, "generation": 1, "rounds": 231, "wagers": 1874, "findings": 1,
    "result_sha256": "d1" * 32, "audited_at": "2026-11-16T09:42:30Z",
}  # fmt: skip
EXAMPLE_REPORT = {
    "report": 12, "kind": "discrepancies", "title": "Discrepancy report", "asked_at": "2026-11-16T10:00:00Z",
    "made_at": "2026-11-16T10:00:07Z", "pages": 3, "index": 4720, "pages_sha256": "ab" * 32, "file_sha256": "cd" * 32,
    "file_bytes": 48211, "file": "/api/v1/casinos/harbour/reports/12/file",
}  # fmt: skip
EXAMPLE_PAGE = {"has_more": True, "cursor": "djE6NDcxMQ"}
REFUSALS_BY_STATUS: dict[int, tuple[type[Refusal], ...]] = {
    400: (errors.BadParameter,),
    401: (errors.NoToken, errors.ExpiredToken, errors.RevokedToken),
    403: (errors.OutOfScope,),
    404: (NotFound,),
    405: (errors.ReadOnly,),
    429: (TooMany,),
    503: (Unavailable, TransactionConflict, Busy),
}


def _query_parameter(name: str, description: str, **more: Any) -> OpenApiParameter:
    return OpenApiParameter(name, more.pop("type", str), OpenApiParameter.QUERY, description=description, **more)


PAGING = [
    _query_parameter(
        "cursor", "Where the last page ended, as its answer says. Without it, from the beginning of the log."
    ),
    _query_parameter(
        "limit",
        f"How many at most: 1 to {LARGEST_PAGE}; {PAGE_SIZE} where it is not said.",
        type={
            "type": "integer",
            "minimum": 1,
            "maximum": LARGEST_PAGE,
            "default": PAGE_SIZE,
        },
    ),
]
TIMES = [
    _query_parameter(
        "since", "Not before this time, with its zone (RFC 3339).", type={"type": "string", "format": "date-time"}
    ),
    _query_parameter(
        "until", "Before this time, with its zone (RFC 3339).", type={"type": "string", "format": "date-time"}
    ),
]
TABLE = _query_parameter("table", "The slug of a table.")


def _operation(
    name: str, summary: str, answer: str, parameters: list[OpenApiParameter], example: dict[str, Any] | None = None
) -> dict[str, Any]:
    shown = [OpenApiExample("Example", value=example, response_only=True, status_codes=["200"])] if example else []
    return {
        "operation_id": name,
        "summary": summary,
        "description": f"{summary}. Read with a token that an inspector made; see the help page on other systems.",
        "tags": ["inspectorates"],
        "auth": [{SECURITY: []}],
        "parameters": parameters,
        "responses": {
            (200, "application/json"): OpenApiResponse({"$ref": f"#/components/schemas/{answer}"}, description=summary),
            **problem_responses(REFUSALS_BY_STATUS),
        },
        "examples": shown,
    }


FINDINGS = _operation(
    "list_findings",
    "Findings of a casino, in the order in which they were found",
    "FindingsPage",
    [
        *PAGING,
        *TIMES,
        TABLE,
        _query_parameter("code", "Such as SETTLE-OVERPAID."),
        _query_parameter("severity", "How severe.", enum=list(Severity)),
        _query_parameter(
            "state", "Those that stand, unless another is asked for.", enum=["standing", "superseded", "all"]
        ),
    ],
    {"casino": "harbour", "findings": [EXAMPLE_FINDING], **EXAMPLE_PAGE},
)
FINDING = _operation("read_finding", "One finding", "FindingSent", [], EXAMPLE_FINDING)
CASES = _operation(
    "list_finding_cases",
    "Wagers behind a finding about a reading",
    "CasesPage",
    PAGING,
    {"casino": "harbour", "cases": [EXAMPLE_CASE], **EXAMPLE_PAGE},
)
ROUNDS = _operation(
    "list_rounds",
    "Rounds of a casino as they were recorded, with the proof that each is in the log",
    "RoundsPage",
    [*PAGING, *TIMES, TABLE],
    {
        "casino": "harbour",
        "checkpoint": EXAMPLE_NOTE,
        "verifier": "fairthrow.example/harbour+0f1e2d3c+Ab…",
        "rounds": [EXAMPLE_ROUND],
        **EXAMPLE_PAGE,
    },
)
ROUND = _operation("read_round", "One round: its exact bytes, its proof, and what was found about it", "OneRound", [])
COVERAGE = _operation(
    "read_coverage",
    "How far the casino's log was audited, and which ranges by which result",
    "CoveragePage",
    PAGING,
    {
        "casino": "harbour",
        "audited_up_to": 4712,
        "last_audited_at": "2026-11-16T09:42:30Z",
        "rounds": 1902,
        "wagers": 15210,
        "gaps": [],
        "ranges": [EXAMPLE_RANGE],
        **EXAMPLE_PAGE,
    },
)
REPORTS = _operation(
    "list_reports",
    "Reports of a casino that are ready",
    "ReportsPage",
    PAGING,
    {"casino": "harbour", "reports": [EXAMPLE_REPORT], **EXAMPLE_PAGE},
)
ENTRIES = _operation(
    "list_entries",
    "Entries of a casino's log in a row, byte for byte, for those who mirror it",
    "EntriesPage",
    [
        _query_parameter(
            "first", "The index of the first one; 0 where it is not said.", type={"type": "integer", "minimum": 0}
        ),
        _query_parameter(
            "limit",
            f"How many at most: 1 to {MAX_ENTRIES_LIMIT}. A page of long entries has fewer.",
            type={
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_ENTRIES_LIMIT,
                "default": MAX_ENTRIES_LIMIT,
            },
        ),
    ],
    {"casino": "harbour", "entries": [{"index": 4702, "leaf": "eyJjb250cm9sbGVy…"}], "has_more": True, "next": 4703},
)
PACK = _operation(
    "read_pack",
    "A rule pack by the digest that the log names it by",
    "PackSent",
    [],
    {"sha256": "7e" * 32, "content": "schema = 1\n…"},
)
FILE = _operation("download_report", "The file of a report, with its proofs attached", "FindingSent", [])
FILE["responses"] = {
    (200, "application/pdf"): OpenApiResponse({"type": "string", "format": "binary"}, description="The PDF."),
    **problem_responses(REFUSALS_BY_STATUS),
    (410, PROBLEM): describe_refusals((ReportGone,)),
}


@cache
def response_schemas() -> dict[str, Any]:
    _, components = msgspec.json.schema_components(list(RESPONSE_TYPES), ref_template="#/components/schemas/{name}")
    return dict(components)


def add_response_schemas(
    result: dict[str, Any], generator: Any, request: Request | None, public: bool
) -> dict[str, Any]:
    """Post-processing hook: adds the response schemas and the token's security scheme."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {}).update(response_schemas())
    components.setdefault("securitySchemes", {})[SECURITY] = {
        "type": "http",
        "scheme": "bearer",
        "description": "A token that an inspector made for the system.",
    }
    return result
