"""What an entry must say to be read here: the members that bear on money, and of what type each is.

The service writes them so. A log that has one otherwise is not reproduced, and whoever runs the witness is told which.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct

from rounds.witness.recompute.decisions import (
    DISPUTE_PAID,
    INVALIDATION,
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
    """An entry that bears on money and does not say what such an entry says."""

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


class Limits(Struct):
    min: int
    max: int
    multiples: bool = False
    payable_unit: int | None = None


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


class RefusalBody(Struct):
    grounds: str
    at: Instant
    wagers: Names


class TableRules(Struct):
    rules: str


class PayTable(Struct):
    pay_table: str


class WagersOffered(Struct):
    wagers: list[str]


class SmallestChip(Struct):
    cents: int


class Layout(Struct):
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
}
# What a dated fact of a table says, by its name; of others nothing is asked.
SCHEMA_BY_FACT: Mapping[str, type[Struct]] = {
    "rules": TableRules,
    "pay-table": PayTable,
    "wagers-offered": WagersOffered,
    "posted-odds": Odds,
    "limits": Limits,
    "smallest-chip": SmallestChip,
    "layout": Layout,
}


def decode_body(kind: str, body: bytes) -> dict[str, Any]:
    """What the entry says, if it says all that is read of its kind; raises msgspec's error otherwise."""
    said: dict[str, Any] = msgspec.json.decode(body)
    msgspec.convert(said, SCHEMA_BY_KIND[kind])
    if kind == TABLE_FACTS and said["name"] in SCHEMA_BY_FACT:
        msgspec.convert(said["value"], SCHEMA_BY_FACT[said["name"]])
    return said
