"""Closed lists of words used in packs (events, void reasons, tenders, roles), and string types that are validated."""

from __future__ import annotations

from typing import Literal, NewType, TypeAlias

PAYOUT_EVENTS = ("losers-collected", "winners-paid")

Clause = NewType("Clause", str)
"""A clause number of the pack's document, as printed. validate_pack checks that it is in the clause map."""

RoleWord = NewType("RoleWord", str)
"""A role in the document's own words. validate_pack checks that it is in the pack's roles."""

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
"""`no-more-bets` is not recorded itself: it stands for the event selected by the pack's `conduct.no_more_bets`."""

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
