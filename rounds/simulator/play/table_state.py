"""What a table remembers from round to round. It can be kept as JSON, so that a stopped floor plays on where it was."""

from __future__ import annotations

from datetime import date, datetime

import msgspec

from rounds.engine import Outcome, settle
from rounds.intake.protocol.fields import Limits, PlayerLimits


class StreakWager(msgspec.Struct, kw_only=True):
    """A Super Streak wager in play. `after` is how many results the gaming day had when it was made."""

    id: str
    bet: str
    stake: int
    player: str
    seat: int
    placed_at: datetime
    after: int


class Player(msgspec.Struct, kw_only=True):
    """Somebody at the table. `tokens` are promotional ones still to be played; `chips` the value of a colour chip."""

    pseudonym: str
    seat: int
    habit: str
    next_stake: int = 0
    tokens: int = 0
    colour: str = ""
    chip_value: int = 0
    was_warned: bool = False


class StreakResult(msgspec.Struct, kw_only=True):
    """A round as the streaks see it."""

    outcome: Outcome | None
    ended_by_fault: bool = False

    def to_engine_result(self) -> settle.TableResult:
        return settle.TableResult(self.outcome, ended_by_fault=self.ended_by_fault)


class PlayState(msgspec.Struct, kw_only=True):
    """One table between two rounds."""

    gaming_day: date
    limits: Limits
    next_number: int = 1
    is_open: bool = False
    players: list[Player] = msgspec.field(default_factory=list)
    results: list[StreakResult] = msgspec.field(default_factory=list)
    streaks: list[StreakWager] = msgspec.field(default_factory=list)
    was_final_call_made: bool = False
    closure_sign: str | None = None
    player_limits: dict[str, PlayerLimits] = msgspec.field(default_factory=dict)
    dice_set: str = ""
    shaker: str = ""
    shoe: str = ""
    cards: list[int] = msgspec.field(default_factory=list)

    def start_new_day(self, day: date, limits: Limits) -> None:
        """A new gaming day begins its streaks, its warnings and its players afresh."""
        self.gaming_day, self.limits = day, limits
        self.players, self.results, self.streaks = [], [], []
        self.was_final_call_made, self.closure_sign = False, None
        self.player_limits = {}
