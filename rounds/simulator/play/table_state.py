"""What a table carries from round to round. Serialisable as JSON, so that a stopped live floor can resume."""

from __future__ import annotations

from datetime import date, datetime

import msgspec

from rounds.engine import Outcome, settle
from rounds.intake.protocol.fields import Limits, PlayerLimits


class StreakWager(msgspec.Struct, kw_only=True):
    """A Super Streak wager in play. `after` is the number of results of the gaming day before it was made."""

    id: str
    bet: str
    stake: int
    player: str
    seat: int
    placed_at: datetime
    after: int


class Player(msgspec.Struct, kw_only=True):
    """A player. `tokens` is the value of promotional tokens left, `chip_value` that of one colour chip."""

    pseudonym: str
    seat: int
    habit: str
    next_stake: int = 0
    tokens: int = 0
    colour: str = ""
    chip_value: int = 0
    was_warned: bool = False


class StreakResult(msgspec.Struct, kw_only=True):
    """A round's result for the streak count."""

    outcome: Outcome | None
    ended_by_fault: bool = False

    def to_engine_result(self) -> settle.TableResult:
        return settle.TableResult(self.outcome, ended_by_fault=self.ended_by_fault)


class PlayState(msgspec.Struct, kw_only=True):
    """The state of one table between two rounds."""

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
        """Resets streaks, warnings and players."""
        self.gaming_day, self.limits = day, limits
        self.players, self.results, self.streaks = [], [], []
        self.was_final_call_made, self.closure_sign = False, None
        self.player_limits = {}
