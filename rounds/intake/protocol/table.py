"""Line bodies about a table: opened, closed, heartbeat, signs, limits, odds, streaks, terminals, corrections."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from rounds.intake.protocol.errors import MalformedLine
from rounds.intake.protocol.fields import (
    Announced,
    BetCode,
    BetLimits,
    Body,
    Count,
    Limits,
    Name,
    OddsLevels,
    OddsText,
    Pseudonym,
    Seat,
    Staff,
    Stake,
    Text,
    Told,
)
from rounds.transparency_log import formats


class TableOpened(Body, frozen=True, kw_only=True):
    """Play may begin. `limits` are those on the sign at that moment."""

    gaming_day: date
    limits: Limits | None = None
    by: Staff | None = None


class TableClosed(Body, frozen=True, kw_only=True):
    """Play has ended. `sign` is the closure sign that announced it, `told` whoever had to be told before."""

    gaming_day: date
    players_present: bool
    streak_in_progress: bool = False
    sign: Name | None = None
    told: tuple[Told, ...] = ()
    by: Staff | None = None


class Heartbeat(Body, frozen=True, kw_only=True):
    """The controller is there. The line's sequence is the last one it gave out for this table; it uses up none."""

    clock_source: Literal["ntp", "gps", "free-running"] | None = None


class SignShown(Body, frozen=True, kw_only=True):
    """A sign went up, or came back after a loss (`again`). Its refreshes in between are not reported. `by_bet`: limits
    that the sign states for some betting areas only."""

    sign: Name
    purpose: Literal["limits", "limit-change", "closure", "streak-final-call", "streak-amount", "player-limits"]
    min: Stake | None = None
    max: Stake | None = None
    multiples: bool | None = None
    unit: Stake | None = None
    by_bet: dict[BetCode, BetLimits] = msgspec.field(default_factory=dict)
    change_at: Announced | None = None
    closure_at: Announced | None = None
    streak_amount: Stake | None = None
    player: Pseudonym | None = None
    seat: Seat | None = None
    again: bool = False
    by: Staff | None = None


class SignRemoved(Body, frozen=True, kw_only=True):
    """A sign came down, or its screen was lost."""

    sign: Name
    lost: bool = False
    by: Staff | None = None


class LimitsChanged(Body, frozen=True, kw_only=True):
    """From the line's instant on these limits govern. `sign` is the notice that announced them, if there was one."""

    limits: Limits
    sign: Name | None = None
    by: Staff | None = None


class PostedOddsShown(Body, frozen=True, kw_only=True):
    """Odds as the layout, a sign or a brochure states them, word for word: wrong ones are recorded, not refused."""

    odds: dict[BetCode, OddsText | OddsLevels]
    where: Literal["layout", "sign", "screen", "brochure"] = "layout"
    wording: Text | None = None


class Streak(Body, frozen=True, kw_only=True):
    """One of the two streaks as the table's screen counts it. `flashing`: the screen takes Super Streak wagers."""

    pair: Literal["small-big", "odd-even"]
    length: Annotated[int, Meta(ge=0, le=1000)]
    side: Literal["small", "big", "odd", "even"] | None = None
    flashing: bool = False


class StreakState(Body, frozen=True, kw_only=True):
    """What the table's screen showed of the streaks after a round. Evidence: the counting itself is done elsewhere."""

    streaks: tuple[Streak, ...]
    round: Name | None = None

    def check(self) -> None:
        if not self.streaks or len({streak.pair for streak in self.streaks}) != len(self.streaks):
            raise MalformedLine("bad-streaks", "Each pair is counted once, and there is at least one.", "/streaks")


class Correction(Body, frozen=True, kw_only=True):
    """An earlier line of this controller for this table was wrong. What is right follows as a line of its own."""

    corrects: Annotated[int, Meta(ge=1, le=formats.MAX_INTEGER, description="The sequence of the line that was wrong.")]
    reason: Text
    by: Staff


class Interrupted(Body, frozen=True, kw_only=True):
    """Terminals that lost play. `outcome_established`: whether any wager had conclusively won or lost by then."""

    terminals: Annotated[tuple[Name, ...], Meta(min_length=1)]
    round: Name | None = None
    cause: Text | None = None
    outcome_established: bool | None = None


class Restored(Body, frozen=True, kw_only=True):
    """Terminals that take part again."""

    terminals: Annotated[tuple[Name, ...], Meta(min_length=1)]
    lost_rounds: Count | None = None
