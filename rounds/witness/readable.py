"""What an entry must say to be read here: the members that bear on money, and of what type each is.

The service writes them so. A log that has one otherwise is not reproduced, and whoever runs the witness is told which.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct

from rounds.witness.determined import (
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


class Unreadable(NamedTuple):
    """An entry that bears on money and does not say what such an entry says."""

    place: int
    kind: str
    words: str


class Version(Struct):
    rules: str
    number: int


class Approval(Version):
    pack_sha256: str
    readings: dict[str, str]
    effective_at: Instant


class Finding(Struct):
    code: str
    check: str
    subject: int
    wager: str | None
    required_cents: int | None


class Superseded(Struct):
    finding: int


class Covered(Struct):
    first: int
    last: int


class Corrected(Struct):
    corrects: int


class CorrectedLine(Struct):
    body: Corrected


class Limits(Struct):
    min: int
    max: int
    multiples: bool = False
    payable_unit: int | None = None


class LimitsShown(Struct):
    limits: Limits


class LimitsLine(Struct):
    at: Instant
    body: LimitsShown


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


class Determination(Struct):
    rounds: list[Any]
    at: Instant
    wagers: Names = None
    forfeited: Names = None


class Returned(Struct):
    round: int
    wager: str
    cents: int


class StakesReturned(Struct):
    rounds: list[Any]
    returned: list[Returned]


class DisputePaid(Corrected):
    way: str
    amount_cents: int
    wager: str | None = ""


class Warned(Struct):
    gaming_day: str
    player: str | None
    seat: int | None
    at: Instant


class Refused(Struct):
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


ENTRIES: Mapping[str, type[Struct]] = {
    APPROVED: Approval,
    TABLE_FACTS: TableFact,
    "rule-version-withdrawn": Version,
    "limits-changed": LimitsLine,
    "posted-odds-shown": OddsLine,
    "finding": Finding,
    "finding-superseded": Superseded,
    "audit-coverage": Covered,
    "correction": Corrected,
    "controller-correction": CorrectedLine,
    **dict.fromkeys((VOID_SET, INVALIDATION, WAGERS_VOIDED), Determination),
    STAKES_RETURNED: StakesReturned,
    DISPUTE_PAID: DisputePaid,
    WARNING: Warned,
    REFUSAL: Refused,
}
# What a dated fact of a table says, by its name; of others nothing is asked.
FACTS: Mapping[str, type[Struct]] = {
    "rules": TableRules,
    "pay-table": PayTable,
    "wagers-offered": WagersOffered,
    "posted-odds": Odds,
    "limits": Limits,
    "smallest-chip": SmallestChip,
    "layout": Layout,
}


def read_body(kind: str, body: bytes) -> dict[str, Any]:
    """What the entry says, if it says all that is read of its kind; raises msgspec's error otherwise."""
    said: dict[str, Any] = msgspec.json.decode(body)
    msgspec.convert(said, ENTRIES[kind])
    if kind == TABLE_FACTS and said["name"] in FACTS:
        msgspec.convert(said["value"], FACTS[said["name"]])
    return said
