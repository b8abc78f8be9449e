"""Input and output of settle_wager(): a wager with its circumstances, and a verdict with its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from rounds.engine.bets.bet_codes import Bet
from rounds.engine.bets.dice_outcomes import Outcome


class Verdict(StrEnum):
    WIN = "win"
    LOSE = "lose"
    VOID = "void"
    OPEN = "open"
    UNAPPROVED = "unapproved"


class SettlementStepKind(StrEnum):
    """The kinds of settlement step. explanation.py has the sentence for each."""

    NOT_IN_VERSION = "not-in-version"
    NOT_OFFERED = "not-offered"
    RESULT = "result"
    RESULT_BY_DICE = "result-by-dice"
    RESULT_BY_CALL = "result-by-call"
    OUTCOME_ESTABLISHED = "outcome-established"
    VOID_ROUND = "void-round"
    STAKE_RETURNED = "stake-returned"
    NOT_REGISTERED = "not-registered"
    UNDER_MINIMUM_RETURNED = "under-minimum-returned"
    UNDER_MINIMUM_SETTLED = "under-minimum-settled"
    CLIPPED = "clipped"
    FOUND_LATER = "found-later"
    WINS = "wins"
    LOSES = "loses"
    ODDS = "odds"
    ODDS_POSTED = "odds-posted"
    WINNINGS = "winnings"
    STAKE_FLOORED = "stake-floored"
    WINNINGS_FLOORED = "winnings-floored"
    ROUNDED_UP = "rounded-up"
    ROUNDED_DOWN = "rounded-down"
    TOKEN_KEPT = "token-kept"  # noqa: S105 - a promotional token, not a secret
    TOKEN_RETURNED = "token-returned"  # noqa: S105 - likewise
    STREAK_DIRECTION = "streak-direction"
    STREAK_NEUTRAL = "streak-neutral"
    STREAK_NO_RESULT = "streak-no-result"
    STREAK_COUNT = "streak-count"
    STREAK_RUNNING = "streak-running"
    STREAK_FROZEN = "streak-frozen"
    STREAK_ENDED = "streak-ended"
    STREAK_LONGEST = "streak-longest"
    STREAK_FAULT = "streak-fault"
    STREAK_REFUNDED = "streak-refunded"


SettlementStepFigure: TypeAlias = str | int | Fraction | Outcome


class SettlementStep(NamedTuple):
    """One step of a settlement: its kind, the clause applied, the resulting amount, and figures for its sentence."""

    kind: SettlementStepKind
    clause: str = ""
    amount_cents: int | None = None
    figures: tuple[SettlementStepFigure, ...] = ()


@dataclass(frozen=True, slots=True)
class WagerLimits:
    """The limits that apply to a wager. `needs_multiples`: stakes must be multiples of the minimum."""

    minimum_cents: int | None = None
    maximum_cents: int | None = None
    needs_multiples: bool = False
    payable_unit_cents: int | None = None


NO_LIMITS = WagerLimits()

PostedOdds: TypeAlias = Fraction | tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class WagerQuestion:
    """One wager to be settled, with every circumstance that can affect it.

    `outcome` is the dice as rolled. A streak wager has no outcome: `opening` is the result on the table when the wager
    was made, and `history` holds the results after it (None: no result). `faces_read` are the dice that could be read
    when the round was interrupted; `is_reported_established`: the table reported that a wager was decided by then.
    """

    bet: Bet
    stake_cents: int
    outcome: Outcome | None = None
    limits: WagerLimits = NO_LIMITS
    posted_odds: PostedOdds | None = None
    offered: frozenset[str] | None = None
    is_promotional_token: bool = False
    was_warned: bool = False
    was_registered: bool = True
    was_found_later: bool = False
    void_reason: str | None = None
    faces_read: tuple[int, ...] = ()
    is_reported_established: bool = False
    opening: Outcome | None = None
    history: tuple[Outcome | None, ...] = ()
    have_lights_failed: bool = False
    called: Outcome | None = None
    pay_table: str | None = None
    readings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Settlement:
    """The settlement of one wager. `returned_cents` is the total handed back; None while open or if not approved."""

    verdict: Verdict
    steps: tuple[SettlementStep, ...]
    odds: Fraction | None = None
    winnings_cents: int | None = None
    returned_cents: int | None = None

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses applied, each once, in the order of the steps."""
        return tuple(dict.fromkeys(step.clause for step in self.steps if step.clause))
