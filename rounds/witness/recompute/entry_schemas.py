"""Schemas of the entries that are read here: the members that affect amounts, and their types.

The service writes them like this. An entry that does not match is reported, and the log counts as not reproduced.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct

from rounds.witness.recompute.decisions import (
    DISPUTE_PAID,
    INTERRUPTED_LINE,
    INVALIDATION,
    PLAYER_LIMIT,
    PLAYER_LIMIT_ENDED,
    REFUSAL,
    STAKES_RETURNED,
    VOID_SET,
    WAGERS_VOIDED,
    WARNING,
)

APPROVED, TABLE_FACTS = "rule-version-approved", "table-facts"
Instant = Annotated[datetime, Meta(tz=True)]
Names = list[str] | None


class UnreadableEntry(NamedTuple):
    """An entry that affects amounts and does not match its schema."""

    place: int
    kind: str
    words: str


class RuleVersionBody(Struct):
    rules: str
    number: int


class ApprovalBody(RuleVersionBody):
    pack_sha256: str
    readings: dict[str, str]
    effective_at: Instant


class FindingBody(Struct):
    code: str
    check: str
    subject: int
    wager: str | None
    required_cents: int | None


class SupersededFindingBody(Struct):
    finding: int


class AuditCoverageBody(Struct):
    first: int
    last: int


class CorrectionBody(Struct):
    corrects: int


class LineCorrectionBody(Struct):
    body: CorrectionBody


class BoxLimits(Struct):
    min: int | None = None
    max: int | None = None


class Limits(Struct):
    min: int
    max: int
    multiples: bool = False
    payable_unit: int | None = None
    by_bet: dict[str, BoxLimits] = {}


class DisplayedLimits(Struct):
    limits: Limits


class LimitsLine(Struct):
    at: Instant
    body: DisplayedLimits


class Odds(Struct):
    odds: dict[str, str | list[str]]


class OddsLine(Struct):
    at: Instant
    body: Odds


class TableFact(Struct):
    table: str | None
    terminal: str | None
    name: str
    value: dict[str, Any]
    effective_at: Instant


class DeterminationBody(Struct):
    rounds: list[Any]
    at: Instant
    wagers: Names = None
    forfeited: Names = None


class ReturnedStake(Struct):
    round: int
    wager: str
    cents: int


class StakesReturnedBody(Struct):
    rounds: list[Any]
    returned: list[ReturnedStake]


class DisputePaymentBody(CorrectionBody):
    way: str
    amount_cents: int
    wager: str | None = ""


class WarningBody(Struct):
    gaming_day: str
    player: str | None
    seat: int | None
    at: Instant


class PlayerLimitBody(Struct):
    player: str | None
    seat: int | None
    min: int
    max: int


class PlayerLimitEndedBody(Struct):
    player_limit: int


class RefusalBody(Struct):
    grounds: str
    at: Instant
    wagers: Names


class Interruption(Struct):
    round: str | None = None
    outcome_established: bool | None = None


class InterruptionLine(Struct):
    at: Instant
    body: Interruption


class TableRulesFact(Struct):
    rules: str


class PayTableFact(Struct):
    pay_table: str


class WagersOfferedFact(Struct):
    wagers: list[str]


class SmallestChipFact(Struct):
    cents: int


class LayoutFact(Struct):
    layout: str


SCHEMA_BY_KIND: Mapping[str, type[Struct]] = {
    APPROVED: ApprovalBody,
    TABLE_FACTS: TableFact,
    "rule-version-withdrawn": RuleVersionBody,
    "limits-changed": LimitsLine,
    "posted-odds-shown": OddsLine,
    "finding": FindingBody,
    "finding-superseded": SupersededFindingBody,
    "audit-coverage": AuditCoverageBody,
    "correction": CorrectionBody,
    "controller-correction": LineCorrectionBody,
    **dict.fromkeys((VOID_SET, INVALIDATION, WAGERS_VOIDED), DeterminationBody),
    STAKES_RETURNED: StakesReturnedBody,
    DISPUTE_PAID: DisputePaymentBody,
    WARNING: WarningBody,
    REFUSAL: RefusalBody,
    PLAYER_LIMIT: PlayerLimitBody,
    PLAYER_LIMIT_ENDED: PlayerLimitEndedBody,
    INTERRUPTED_LINE: InterruptionLine,
}
# Schema of a table's dated fact, by its name. Other facts are not checked.
SCHEMA_BY_FACT: Mapping[str, type[Struct]] = {
    "rules": TableRulesFact,
    "pay-table": PayTableFact,
    "wagers-offered": WagersOfferedFact,
    "posted-odds": Odds,
    "limits": Limits,
    "smallest-chip": SmallestChipFact,
    "layout": LayoutFact,
}


def decode_body(kind: str, body: bytes) -> dict[str, Any]:
    """Decode a body. Raises msgspec's error unless it has everything that is read from its kind."""
    content: dict[str, Any] = msgspec.json.decode(body)
    msgspec.convert(content, SCHEMA_BY_KIND[kind])
    if kind == TABLE_FACTS and content["name"] in SCHEMA_BY_FACT:
        msgspec.convert(content["value"], SCHEMA_BY_FACT[content["name"]])
    return content
