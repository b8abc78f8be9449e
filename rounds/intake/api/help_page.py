"""Content of the help page for integrators, generated from the schemas, limits and refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, time
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings

from compliance.core.accounts.roles import Role
from rounds.engine import BET_CODES
from rounds.floor.facts.gaming_days import gaming_day_of
from rounds.floor.permissions import MAY_REGISTER, MAY_STATE_FACTS
from rounds.intake.api.openapi import ANSWERS
from rounds.intake.api.views import LIMIT_WINDOW_SECONDS
from rounds.intake.models.feed import HEARTBEAT_SECONDS, SILENT_AFTER
from rounds.intake.protocol.envelope import LINE_KINDS, LINE_TYPES, line_schemas
from rounds.intake.protocol.errors import LINE_ERRORS
from rounds.intake.protocol.examples import example_line
from rounds.intake.protocol.signed_batch import MAX_BATCH_BYTES, MAX_BATCH_LINES
from rounds.intake.services.import_rounds import COLUMNS, OPTIONAL_COLUMNS

SNIPPET = "docs/send_a_line.py"
Schema = Mapping[str, Any]

PLAYER_OR_SEAT = dict.fromkeys(("player", "seat"), "one of player and seat")
# Members that are needed or forbidden depending on others, by struct. The schema cannot express it; `check()` of the
# struct refuses lines that break it.
CONDITIONS = {
    "Round": {
        "dice": "unless there are cards or no_result",
        "cards": "unless there are dice or no_result",
        "no_result": "where there are neither dice nor cards",
    },
    "Wager": {
        "returned": "unless the verdict is open; an open wager must not have it",
        **dict.fromkeys(("player", "seat", "terminal"), "one of player, seat and terminal"),
    },
    "Change": {"stake": "where the wager was raised or lowered", "bet": "where the wager was moved"},
    "ChipsIssued": PLAYER_OR_SEAT,
    "ChipsRedeemed": PLAYER_OR_SEAT,
    "VoucherExchanged": PLAYER_OR_SEAT,
}
VERDICT_MEANINGS = {
    "win": "The wager won. `returned` is everything handed over: the winnings, and the stake where it is returned.",
    "lose": "The wager lost. `returned` is 0, or the part of the stake above the maximum that was handed back.",
    "void": "The wager or its round did not count. `returned` is the stake that was handed back.",
    "open": "A Super Streak wager whose streak is still running. It has no `returned` yet. Send it again with the same "
    "id, and its final verdict, in the round that ends the streak. Any other wager that is reported open is a finding.",
    "refused": "The wager was not accepted. `returned` is the whole stake; `refusal` says when and why. A wager that "
    "the rules did not allow to be refused is owed what any other is.",
    "forfeited": "The stake was kept because of fraud; `returned` is 0. The round has `no_result` with the reason "
    "`invalidated` and the grounds `fraud`.",
}


@dataclass(frozen=True)
class SchemaField:
    name: str
    type: str
    is_required: bool
    part: str = ""
    condition: str = ""


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
        "verdicts": VERDICT_MEANINGS,
        "line_errors": LINE_ERRORS,
        "gaming_day": _gaming_day_example(),
        "maximums": _rule_sets_with_maximum(),
        "adders": [role.label for role in Role if role in MAY_STATE_FACTS],
        "registrars": [role.label for role in Role if role in MAY_REGISTER],
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
def _gaming_day_example() -> Mapping[str, Any]:
    """A night round and its gaming day, as the service computes it."""
    at, cut_over = datetime(2026, 11, 17, 2, 30, tzinfo=ZoneInfo("Australia/Sydney")), time(6)
    return {
        "on": at.date(),
        "at": at.time(),
        "cut_over": cut_over,
        "day": gaming_day_of(at, cut_over, ZoneInfo("Australia/Sydney")),
    }


@cache
def _rule_sets_with_maximum() -> list[tuple[str, str]]:
    """(Title, clause) of the rule sets that settle wagers up to the maximum."""
    # Imported here because loading the packs takes a second, which would slow down the start of the service.
    from rounds.rulepacks import shipped_packs

    rules = ((pack.title, pack.law.settlement.over_maximum) for pack in shipped_packs())
    return [(title, rule.clause) for title, rule in rules if rule is not None]


@cache
def _line_kinds() -> list[SchemaPart]:
    schemas = line_schemas()
    return [
        SchemaPart(
            kind.name,
            kind.meaning,
            list(_schema_fields(kind.body.__name__, schemas[kind.body.__name__])),
            json.dumps(example_line(kind.name), indent=1),
        )
        for kind in LINE_KINDS
    ]


@cache
def _shared_objects() -> list[SchemaPart]:
    bodies = {kind.body.__name__ for kind in LINE_KINDS} | {line.__name__ for line in LINE_TYPES.values()}
    shared = {name: schema for name, schema in line_schemas().items() if name not in bodies}
    return [
        SchemaPart(name, " ".join(schema.get("description", "").split()), list(_schema_fields(name, schema)))
        for name, schema in sorted(shared.items())
    ]


def _schema_fields(struct: str, schema: Schema) -> Iterator[SchemaField]:
    required, conditions = schema.get("required", ()), CONDITIONS.get(struct, {})
    for name, of in schema["properties"].items():
        inner = of
        while isinstance(inner.get("items"), Mapping):
            inner = inner["items"]
        refs = [one["$ref"] for one in [inner, *inner.get("anyOf", ())] if "$ref" in one]
        part = refs[0].rpartition("/")[2] if refs else ""
        yield SchemaField(name, type_label(of), name in required, part, conditions.get(name, ""))


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
