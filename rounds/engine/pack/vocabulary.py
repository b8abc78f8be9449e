"""Closed lists of words that packs use: events, reasons, tenders, roles; and marked strings that a pack can check."""

from __future__ import annotations

from typing import Literal, NewType, TypeAlias

PAYOUT_EVENTS = ("losers-collected", "winners-paid")

Clause = NewType("Clause", str)
"""A clause of the pack's own document, by its number as printed. Every one cited must be in the clause map."""

RoleWord = NewType("RoleWord", str)
"""A role in the document's own words. Every one used must be in the pack's roles."""

BetCode = NewType("BetCode", str)
Count = NewType("Count", int)
Cents = NewType("Cents", int)

EventName: TypeAlias = Literal[
    "bets-open",
    "tumbled",
    "no-more-bets",
    "no-more-bets-called",
    "no-more-bets-signalled",
    "no-more-bets-pressed",
    "no-more-bets-displayed",
    "bell-rung",
    "uncovered",
    "drawn",
    "result-called",
    "result-entered",
    "areas-lit",
    "losers-collected",
    "winners-paid",
    "lights-cleared",
    "covered-again",
]
"""`no-more-bets` is the instant that the pack's own `round.no_more_bets` picks out of the recorded events."""

VoidReasonName: TypeAlias = Literal[
    "not-flat",
    "stacked",
    "device-failed",
    "fewer-than-three",
    "not-activated",
    "exposed-early",
    "nmb-not-pressed",
    "broken",
    "damaged-dice",
    "interrupted",
    "foreign-card",
    "card-count",
    "insufficient-cards",
    "invalidated",
]

Tender: TypeAlias = Literal[
    "value-chips",
    "colour-checks",
    "promotional-token",
    "plaques",
    "terminal-credits",
    "cash",
]

ProductRole: TypeAlias = Literal[
    "inspector",
    "authority-officer",
    "casino-supervisor",
    "games-supervisor",
    "shift-manager",
    "marketing",
    "compliance-officer",
    "administrator",
]
