"""A wager as it stood when betting closed, and a player's total on one box."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from rounds.engine import WagerLimits, settle
from rounds.intake.protocol.round import Wager


@dataclass(frozen=True)
class WagerPosition:
    """One wager at the cut-off. `added_late_cents` was added later and is returned in any case."""

    wager: Wager
    bet: str
    stake_cents: int
    was_placed_late: bool = False
    added_late_cents: int = 0
    was_withdrawn: bool = False

    @property
    def total_stake_cents(self) -> int:
        return self.stake_cents + self.added_late_cents


@dataclass(frozen=True)
class PlayerBoxTotal:
    """One player's wagers on one box. Limits apply to the total; the wager placed last is clipped first."""

    limits: WagerLimits
    total_cents: int
    live_cents: Mapping[str, int]

    @property
    def is_over_maximum(self) -> bool:
        return self.limits.maximum_cents is not None and self.total_cents > self.limits.maximum_cents

    @property
    def is_under_minimum(self) -> bool:
        return self.limits.minimum_cents is not None and self.total_cents < self.limits.minimum_cents

    def limits_for(self, position: WagerPosition) -> WagerLimits:
        """The limits for one wager: its maximum is its share of what is live. The minimum applies to the total only."""
        stake, live, minimum = position.stake_cents, self.live_cents[position.wager.id], self.limits.minimum_cents
        if minimum is not None and not self.is_under_minimum:
            minimum = min(minimum, stake)
        return replace(self.limits, minimum_cents=minimum, maximum_cents=live if live < stake else None)


def position_of(wager: Wager, cut_off: datetime | None) -> WagerPosition:
    """Without a recorded cut-off nothing is late."""
    bet, stake, added, was_withdrawn = wager.bet, wager.stake, 0, False
    for change in sorted(wager.changes, key=lambda change: change.at):
        if cut_off is None or change.at <= cut_off:
            bet, stake = change.bet or bet, change.stake or stake
            was_withdrawn = was_withdrawn or change.what == "withdrawn"
        elif change.what == "raised":
            added = max(added, (change.stake or stake) - stake)
    is_late = cut_off is not None and wager.placed_at > cut_off
    return WagerPosition(wager, bet, stake, is_late, added, was_withdrawn)


def group_by_player_and_box(
    positions: Iterable[WagerPosition], limits_for: Mapping[str, WagerLimits]
) -> dict[str, PlayerBoxTotal]:
    """The total that each wager belongs to, by wager id. Late and withdrawn wagers do not count."""
    groups: dict[tuple[object, ...], list[WagerPosition]] = {}
    for one in positions:
        if not (one.was_placed_late or one.was_withdrawn):
            groups.setdefault((one.bet, *_holder(one.wager)), []).append(one)
    totals: dict[str, PlayerBoxTotal] = {}
    for group in groups.values():
        limits = limits_for[group[0].wager.id]
        ordered = sorted(group, key=lambda one: one.wager.placed_at)
        stakes = [one.stake_cents for one in ordered]
        live = stakes if limits.maximum_cents is None else settle.cap_stakes(stakes, limits.maximum_cents)
        total = PlayerBoxTotal(
            limits, sum(stakes), {one.wager.id: cents for one, cents in zip(ordered, live, strict=True)}
        )
        totals.update(dict.fromkeys(total.live_cents, total))
    return totals


def _holder(wager: Wager) -> tuple[object, ...]:
    """The player, as far as the feed identifies one: pseudonym, else seat, else terminal."""
    if wager.player is not None:
        return ("player", wager.player)
    return ("seat", wager.seat) if wager.seat is not None else ("terminal", wager.terminal)
