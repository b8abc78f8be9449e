"""Changes to a wager before betting closes: raised, lowered, moved or withdrawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from rounds.intake.protocol.fields import Limits
from rounds.intake.protocol.round import Change
from rounds.simulator.play.players import Stake, TableView
from rounds.simulator.play.table_state import Player

CHANGE_PROBABILITY = 0.05
ONE_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True)
class PlacedWager:
    """A wager as first placed, with its changes. It ends as the player's habit chose it, or withdrawn."""

    bet: str
    cents: int
    changes: tuple[Change, ...] = ()

    @property
    def is_withdrawn(self) -> bool:
        return any(change.what == "withdrawn" for change in self.changes)


def place_wager(
    stake: Stake, player: Player, view: TableView, limits: Limits, *, placed_at: datetime, closes_at: datetime
) -> PlacedWager:
    """Only ordinary value-chip wagers within the limits are changed."""
    is_plain = stake.tender == "value-chips" and not stake.overlooks
    if not is_plain or closes_at - placed_at < 3 * ONE_MILLISECOND or view.rng.random() > CHANGE_PROBABILITY:
        return PlacedWager(stake.bet, stake.cents)
    share = 0.2 + 0.6 * view.rng.random()
    at = placed_at + max(ONE_MILLISECOND, (closes_at - placed_at) * share // ONE_MILLISECOND * ONE_MILLISECOND)
    return view.rng.choice(list(_possible_changes(stake, player, view, limits, at)))


def _possible_changes(
    stake: Stake, player: Player, view: TableView, limits: Limits, at: datetime
) -> Iterator[PlacedWager]:
    bet, cents = stake.bet, stake.cents
    yield PlacedWager(bet, cents, (Change(what="withdrawn", at=at),))
    elsewhere = [box for box in view.offered_bets(player) if box != bet]
    if elsewhere:
        yield PlacedWager(view.rng.choice(elsewhere), cents, (Change(what="moved", at=at, bet=bet),))
    if cents > limits.min:
        yield PlacedWager(bet, limits.min, (Change(what="raised", at=at, stake=cents),))
    step = limits.min if limits.multiples else view.set_up.stake_unit
    if cents + step <= limits.max:
        yield PlacedWager(bet, cents + step, (Change(what="lowered", at=at, stake=cents),))
