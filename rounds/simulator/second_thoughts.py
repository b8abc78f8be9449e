"""What a player does about a wager before betting closes: raises, lowers or moves it, or takes it back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from rounds.intake.kinds.round import Change
from rounds.intake.kinds.words import Limits
from rounds.simulator.players import Stake, View
from rounds.simulator.state import Player

CHANGES_ITS_MIND = 0.05
A_MOMENT = timedelta(milliseconds=1)


@dataclass(frozen=True)
class Placed:
    """A wager as it was first put down, and what was done to it. It ends as the habit wanted it, or is taken back."""

    bet: str
    cents: int
    changes: tuple[Change, ...] = ()

    @property
    def is_withdrawn(self) -> bool:
        return any(change.what == "withdrawn" for change in self.changes)


def place(
    stake: Stake, player: Player, view: View, limits: Limits, *, placed_at: datetime, closes_at: datetime
) -> Placed:
    """Nobody has second thoughts about tokens, coloured chips or a wager outside the limits."""
    is_plain = stake.tender == "value-chips" and not stake.overlooks
    if not is_plain or closes_at - placed_at < 3 * A_MOMENT or view.rng.random() > CHANGES_ITS_MIND:
        return Placed(stake.bet, stake.cents)
    share = 0.2 + 0.6 * view.rng.random()
    at = placed_at + max(A_MOMENT, (closes_at - placed_at) * share // A_MOMENT * A_MOMENT)
    return view.rng.choice(list(_second_thoughts(stake, player, view, limits, at)))


def _second_thoughts(stake: Stake, player: Player, view: View, limits: Limits, at: datetime) -> Iterator[Placed]:
    bet, cents = stake.bet, stake.cents
    yield Placed(bet, cents, (Change(what="withdrawn", at=at),))
    elsewhere = [box for box in view.boxes(player) if box != bet]
    if elsewhere:
        yield Placed(view.rng.choice(elsewhere), cents, (Change(what="moved", at=at, bet=bet),))
    if cents > limits.min:
        yield Placed(bet, limits.min, (Change(what="raised", at=at, stake=cents),))
    step = limits.min if limits.multiples else view.set_up.unit
    if cents + step <= limits.max:
        yield Placed(bet, cents + step, (Change(what="lowered", at=at, stake=cents),))
