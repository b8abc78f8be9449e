"""The inspectorates' API in the OpenAPI document: parameters, answers from their own types, examples, refusals."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework.request import Request

from compliance.audit.codes import Severity
from compliance.inspectorate import errors
from compliance.inspectorate.answers import ANSWERS
from compliance.inspectorate.cursors import LARGEST_PAGE, MOST_ENTRIES, PAGE_SIZE
from compliance.reports.errors import ReportGone
from compliance.web.errors import Collided, NotFound, Refusal, TooMany, Unavailable
from compliance.web.shedding import Busy
from rounds.intake.kinds.examples import example_line

PROBLEM = "application/problem+json"
SECURITY = "token"
A_FINDING = {
    "index": 4711, "code": "SETTLE-OVERPAID", "severity": "serious", "sentence": "Small paid $51.00; $50.00 was due.",
    "table": "sb-03", "subject_index": 4702, "wager": "w-1", "at": "2026-11-16T09:41:44.700000Z", "rules": "nsw-sic-bo",
    "rule_version": 1, "clause": "3.1.1.1", "required_cents": 5000, "found_cents": 5100, "evidence": [4702],
    "found_at": "2026-11-16T09:42:30Z", "superseded_at": None, "superseded_reason": None,
}  # fmt: skip
A_ROUND = {
    "index": 4702, "table": "sb-03", "recorded_at": "2026-11-16T09:42:21.600000Z", "leaf_sha256": "5f" * 32,
    "body": example_line("round"), "inclusion_proof": ["0a" * 32, "9c" * 32],
}  # fmt: skip
A_NOTE = "fairthrow.example/harbour\n4712\nmK3…=\n\n— fairthrow.example/harbour Zx4…=\n"
A_RANGE = {
    "index": 4712, "first": 4096, "last": 4711, "generation": 1, "rounds": 231, "wagers": 1874, "findings": 1,
    "result_sha256": "d1" * 32, "audited_at": "2026-11-16T09:42:30Z",
}  # fmt: skip
A_REPORT = {
    "report": 12, "kind": "discrepancies", "title": "Discrepancy report", "asked_at": "2026-11-16T10:00:00Z",
    "made_at": "2026-11-16T10:00:07Z", "pages": 3, "index": 4720, "pages_sha256": "ab" * 32, "file_sha256": "cd" * 32,
    "file_bytes": 48211, "file": "/api/v1/casinos/harbour/reports/12/file",
}  # fmt: skip
A_PAGE = {"has_more": True, "cursor": "djE6NDcxMQ"}
REFUSED: dict[int, tuple[type[Refusal], ...]] = {
    400: (errors.BadParameter,),
    401: (errors.NoToken, errors.ExpiredToken, errors.RevokedToken),
    403: (errors.OutOfScope,),
    404: (NotFound,),
    405: (errors.ReadOnly,),
    429: (TooMany,),
    503: (Unavailable, Collided, Busy),
}


def _asked(name: str, description: str, **more: Any) -> OpenApiParameter:
    return OpenApiParameter(name, more.pop("type", str), OpenApiParameter.QUERY, description=description, **more)


PAGING = [
    _asked("cursor", "Where the last page ended, as its answer says. Without it, from the beginning of the log."),
    _asked("limit", f"How many at most: 1 to {LARGEST_PAGE}; {PAGE_SIZE} where it is not said.", type={
        "type": "integer", "minimum": 1, "maximum": LARGEST_PAGE, "default": PAGE_SIZE,
    }),
]  # fmt: skip
TIMES = [
    _asked("since", "Not before this time, with its zone (RFC 3339).", type={"type": "string", "format": "date-time"}),
    _asked("until", "Before this time, with its zone (RFC 3339).", type={"type": "string", "format": "date-time"}),
]
TABLE = _asked("table", "The slug of a table.")


def _described(refusals: tuple[type[Refusal], ...]) -> OpenApiResponse:
    words = " ".join(f"`{refusal.code}`: {refusal.title}." for refusal in refusals)
    return OpenApiResponse({"$ref": "#/components/schemas/Problem"}, description=words)


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
            (200, "application/json"): OpenApiResponse(
                {"$ref": f"#/components/schemas/{answer}"}, description=summary
            ),
            **{(status, PROBLEM): _described(refusals) for status, refusals in REFUSED.items()},
        },
        "examples": shown,
    }  # fmt: skip


FINDINGS = _operation(
    "list_findings", "Findings of a casino, in the order in which they were found", "FindingsPage",
    [
        *PAGING, *TIMES, TABLE, _asked("code", "Such as SETTLE-OVERPAID."),
        _asked("severity", "How severe.", enum=list(Severity)),
        _asked("state", "Those that stand, unless another is asked for.", enum=["standing", "superseded", "all"]),
    ],
    {"casino": "harbour", "findings": [A_FINDING], **A_PAGE},
)  # fmt: skip
FINDING = _operation("read_finding", "One finding", "FindingSent", [], A_FINDING)
ROUNDS = _operation(
    "list_rounds", "Rounds of a casino as they were recorded, with the proof that each is in the log", "RoundsPage",
    [*PAGING, *TIMES, TABLE],
    {"casino": "harbour", "checkpoint": A_NOTE, "verifier": "fairthrow.example/harbour+0f1e2d3c+Ab…",
     "rounds": [A_ROUND], **A_PAGE},
)  # fmt: skip
ROUND = _operation(
    "read_round", "One round: its exact bytes, its proof, and what was found about it", "OneRound", []
)  # fmt: skip
COVERAGE = _operation(
    "read_coverage", "How far the casino's log was audited, and which ranges by which result", "CoveragePage", PAGING,
    {"casino": "harbour", "audited_up_to": 4712, "last_audited_at": "2026-11-16T09:42:30Z", "rounds": 1902,
     "wagers": 15210, "gaps": [], "ranges": [A_RANGE], **A_PAGE},
)  # fmt: skip
REPORTS = _operation(
    "list_reports", "Reports of a casino that are ready", "ReportsPage", PAGING,
    {"casino": "harbour", "reports": [A_REPORT], **A_PAGE},
)  # fmt: skip
ENTRIES = _operation(
    "list_entries", "Entries of a casino's log in a row, byte for byte, for those who mirror it", "EntriesPage",
    [
        _asked("first", "The index of the first one; 0 where it is not said.", type={"type": "integer", "minimum": 0}),
        _asked("limit", f"How many at most: 1 to {MOST_ENTRIES}. A page of long entries has fewer.", type={
            "type": "integer", "minimum": 1, "maximum": MOST_ENTRIES, "default": MOST_ENTRIES,
        }),
    ],
    {"casino": "harbour", "entries": [{"index": 4702, "leaf": "eyJjb250cm9sbGVy…"}], "has_more": True, "next": 4703},
)  # fmt: skip
PACK = _operation(
    "read_pack", "A rule pack by the digest that the log names it by", "PackSent", [],
    {"sha256": "7e" * 32, "content": "schema = 1\n…"},
)  # fmt: skip
FILE = _operation("download_report", "The file of a report, with its proofs attached", "FindingSent", [])
FILE["responses"] = {
    (200, "application/pdf"): OpenApiResponse({"type": "string", "format": "binary"}, description="The PDF."),
    **{(status, PROBLEM): _described(refusals) for status, refusals in REFUSED.items()},
    (410, PROBLEM): _described((ReportGone,)),
}


@cache
def answer_schemas() -> dict[str, Any]:
    _, components = msgspec.json.schema_components(list(ANSWERS), ref_template="#/components/schemas/{name}")
    return dict(components)


def add_answers(result: dict[str, Any], generator: Any, request: Request | None, public: bool) -> dict[str, Any]:
    """The schemas of the answers, and how a token is sent."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {}).update(answer_schemas())
    components.setdefault("securitySchemes", {})[SECURITY] = {
        "type": "http", "scheme": "bearer", "description": "A token that an inspector made for the system.",
    }  # fmt: skip
    return result
