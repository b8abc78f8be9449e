"""Content of the help page for integrators, generated from the schemas, limits and refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from rounds.engine import BET_CODES
from rounds.intake.api.openapi import ANSWERS
from rounds.intake.api.views import LIMIT_WINDOW_SECONDS
from rounds.intake.models.feed import HEARTBEAT_SECONDS, SILENT_AFTER
from rounds.intake.protocol.envelope import LINE_KINDS, LINE_TYPES, line_schemas
from rounds.intake.protocol.examples import example_line
from rounds.intake.protocol.signed_batch import MAX_BATCH_BYTES, MAX_BATCH_LINES
from rounds.intake.services.import_rounds import COLUMNS, OPTIONAL_COLUMNS

SNIPPET = "docs/send_a_line.py"
Schema = Mapping[str, Any]


@dataclass(frozen=True)
class SchemaField:
    name: str
    type: str
    is_required: bool
    part: str = ""


@dataclass(frozen=True)
class SchemaPart:
    """The body of a kind, or an object that bodies share, with its members."""

    name: str
    meaning: str
    fields: list[SchemaField]
    example: str = ""


def page_context() -> Mapping[str, Any]:
    return {
        "kinds": _line_kinds(),
        "parts": _shared_objects(),
        "answers": [(status, refusal) for status, refusals in ANSWERS.items() for refusal in refusals],
        "bets": BET_CODES,
        "columns": COLUMNS,
        "more_columns": OPTIONAL_COLUMNS,
        "most_lines": MAX_BATCH_LINES,
        "most_mebibytes": MAX_BATCH_BYTES // 2**20,
        "most_batches": settings.CONTROLLER_BATCH_LIMIT,
        "window_seconds": LIMIT_WINDOW_SECONDS,
        "heartbeat_seconds": HEARTBEAT_SECONDS,
        "silent_seconds": int(SILENT_AFTER.total_seconds()),
        "snippet": _example_script(),
    }


@cache
def _example_script() -> str:
    """The example script verbatim, not rendered as a template."""
    return (Path(settings.BASE_DIR) / "templates" / SNIPPET).read_text()


@cache
def _line_kinds() -> list[SchemaPart]:
    schemas = line_schemas()
    return [
        SchemaPart(
            kind.name,
            kind.meaning,
            list(_schema_fields(schemas[kind.body.__name__])),
            json.dumps(example_line(kind.name), indent=1),
        )
        for kind in LINE_KINDS
    ]


@cache
def _shared_objects() -> list[SchemaPart]:
    bodies = {kind.body.__name__ for kind in LINE_KINDS} | {line.__name__ for line in LINE_TYPES.values()}
    shared = {name: schema for name, schema in line_schemas().items() if name not in bodies}
    return [
        SchemaPart(name, " ".join(schema.get("description", "").split()), list(_schema_fields(schema)))
        for name, schema in sorted(shared.items())
    ]


def _schema_fields(schema: Schema) -> Iterator[SchemaField]:
    required = schema.get("required", ())
    for name, of in schema["properties"].items():
        inner = of
        while isinstance(inner.get("items"), Mapping):
            inner = inner["items"]
        refs = [one["$ref"] for one in [inner, *inner.get("anyOf", ())] if "$ref" in one]
        yield SchemaField(name, type_label(of), name in required, refs[0].rpartition("/")[2] if refs else "")


def type_label(schema: Schema) -> str:
    """The type of a JSON Schema as text."""
    if "anyOf" in schema:
        return " or ".join(type_label(one) for one in schema["anyOf"] if one.get("type") != "null")
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "enum" in schema:
        return "a bet code" if len(schema["enum"]) == len(BET_CODES) else ", ".join(map(str, schema["enum"]))
    if "prefixItems" in schema:
        return "three faces, each from 1 to 6"
    if schema.get("type") == "array":
        return f"list of {type_label(schema['items'])}"
    if schema.get("type") == "object":
        return f"for each bet code: {type_label(schema['additionalProperties'])}"
    return _scalar_type_label(schema)


def _scalar_type_label(schema: Schema) -> str:
    if schema.get("format") == "date-time":
        return "time with zone"
    if schema.get("format") == "date":
        return "date"
    if schema.get("type") == "boolean":
        return "true or false"
    if schema.get("type") == "integer":
        unit = " of cents" if schema.get("description") == "Cents." else ""
        most = f", at most {schema['maximum']:,}" if "maximum" in schema else ""
        return f"whole number{unit}, {schema['minimum']:,} or more{most}"
    return str(schema.get("description", "text")).rstrip(".")
