"""A wager as it stood when betting closed (the cut-off), and what was changed afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from compliance.audit.context.round_context import RoundContext
from rounds.engine import BETS, WagerLimits, settle
from rounds.intake.protocol.round import Wager, wager_holder


@dataclass(frozen=True)
class Position:
    """One wager at the cut-off. `added_late_cents` is what was added afterwards."""

    wager: Wager
    bet: str
    stake_cents: int
    was_placed_late: bool = False
    added_late_cents: int = 0
    was_moved_late: bool = False
    was_taken_back_late: bool = False
    was_withdrawn: bool = False

    @property
    def total_staked_cents(self) -> int:
        """All the money placed on it at any time, which must be accounted for."""
        return self.stake_cents + self.added_late_cents

    @property
    def was_changed_late(self) -> bool:
        return self.was_placed_late or bool(self.added_late_cents) or self.was_moved_late or self.was_taken_back_late


def position_at_cut_off(wager: Wager, cut_off: datetime | None) -> Position:
    """The wager with all changes up to the cut-off applied. Without a recorded cut-off nothing counts as late."""
    bet, stake = wager.bet, wager.stake
    added, is_moved, is_back, is_withdrawn = 0, False, False, False
    is_late = cut_off is not None and wager.placed_at > cut_off
    for change in sorted(wager.changes, key=lambda change: change.at):
        if cut_off is None or change.at <= cut_off:
            bet, stake = change.bet or bet, change.stake or stake
            is_withdrawn = is_withdrawn or change.what == "withdrawn"
        elif change.what == "raised":
            added = max(added, (change.stake or stake) - stake)
        else:
            is_moved = is_moved or change.what == "moved"
            is_back = is_back or change.what in ("lowered", "withdrawn")
    return Position(wager, bet, stake, is_late, added, is_moved, is_back, is_withdrawn)


def positions_in_round(context: RoundContext) -> list[Position]:
    """The positions that this round decides. Streaks run across rounds; checks/round/streaks.py handles them."""
    return [
        position_at_cut_off(wager, context.cut_off_at)
        for wager in context.round.wagers
        if not BETS[wager.bet].is_streak
    ]


@dataclass(frozen=True)
class BoxHolding:
    """One player's wagers on one box, which count together against the limits. `live_cents` is each wager's part within
    the maximum."""

    limits: WagerLimits
    total_cents: int
    live_cents: Mapping[str, int]

    @property
    def is_over_maximum(self) -> bool:
        return self.limits.maximum_cents is not None and self.total_cents > self.limits.maximum_cents

    @property
    def is_under_minimum(self) -> bool:
        return self.limits.minimum_cents is not None and self.total_cents < self.limits.minimum_cents


def limits_for(context: RoundContext, wager: Wager) -> WagerLimits:
    """The table's limits; or the player's own limits, where the rules provide for them and the round reports them."""
    limits = context.rules_in_force.limits
    if context.pack.duties.player_limits is None:
        return limits
    for own in context.round.player_limits:
        if (own.player, own.seat) in ((wager.player, None), (None, wager.seat), (wager.player, wager.seat)):
            return WagerLimits(own.min, own.max, limits.needs_multiples, limits.payable_unit_cents)
    return limits


def holdings_by_wager(context: RoundContext, positions: Iterable[Position]) -> dict[str, BoxHolding]:
    """By wager id. Of several wagers the last placed is capped first. Wagers placed late or withdrawn in time do not
    count."""
    groups: dict[tuple[str, str], list[Position]] = {}
    for position in positions:
        if not (position.was_placed_late or position.was_withdrawn):
            groups.setdefault((wager_holder(position.wager), position.bet), []).append(position)
    holdings: dict[str, BoxHolding] = {}
    for group in groups.values():
        limits = limits_for(context, group[0].wager)
        ordered = sorted(group, key=lambda position: position.wager.placed_at)
        stakes = [position.stake_cents for position in ordered]
        maximum = limits.maximum_cents
        live = stakes if maximum is None else settle.cap_stakes(stakes, maximum)
        by_wager = {position.wager.id: cents for position, cents in zip(ordered, live, strict=True)}
        holding = BoxHolding(limits, sum(stakes), by_wager)
        holdings.update(dict.fromkeys(by_wager, holding))
    return holdings
