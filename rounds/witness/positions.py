"""Where a wager lay when betting closed, and what its player had on that box altogether."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from rounds.engine.limits import live_stakes
from rounds.engine.settlement import Limits
from rounds.intake.kinds.round import Wager


@dataclass(frozen=True)
class Position:
    """One wager as it stood at the cut-off. `added_late_cents` came to it afterwards, and goes back in any case."""

    wager: Wager
    bet: str
    stake_cents: int
    was_placed_late: bool = False
    added_late_cents: int = 0
    was_withdrawn: bool = False

    @property
    def handed_in_cents(self) -> int:
        return self.stake_cents + self.added_late_cents


@dataclass(frozen=True)
class Held:
    """One player's wagers on one box: they count together against the limits, and the last placed is clipped first."""

    limits: Limits
    total_cents: int
    live_cents: Mapping[str, int]

    @property
    def is_over(self) -> bool:
        return self.limits.maximum_cents is not None and self.total_cents > self.limits.maximum_cents

    @property
    def is_under(self) -> bool:
        return self.limits.minimum_cents is not None and self.total_cents < self.limits.minimum_cents

    def limits_of(self, position: Position) -> Limits:
        """Each gets as its maximum the part of it that is live; none is too small where all together are not."""
        stake, live, minimum = position.stake_cents, self.live_cents[position.wager.id], self.limits.minimum_cents
        if minimum is not None and not self.is_under:
            minimum = min(minimum, stake)
        return replace(self.limits, minimum_cents=minimum, maximum_cents=live if live < stake else None)


def position_of(wager: Wager, cut_off: datetime | None) -> Position:
    """Without a recorded cut-off nothing can be called late."""
    bet, stake, added, was_withdrawn = wager.bet, wager.stake, 0, False
    for change in sorted(wager.changes, key=lambda change: change.at):
        if cut_off is None or change.at <= cut_off:
            bet, stake = change.bet or bet, change.stake or stake
            was_withdrawn = was_withdrawn or change.what == "withdrawn"
        elif change.what == "raised":
            added = max(added, (change.stake or stake) - stake)
    is_late = cut_off is not None and wager.placed_at > cut_off
    return Position(wager, bet, stake, is_late, added, was_withdrawn)


def hold_together(positions: Iterable[Position], limits_for: Mapping[str, Limits]) -> dict[str, Held]:
    """By wager. What was placed late or taken back in time does not count."""
    groups: dict[tuple[object, ...], list[Position]] = {}
    for one in positions:
        if not (one.was_placed_late or one.was_withdrawn):
            groups.setdefault((one.bet, *_holder(one.wager)), []).append(one)
    found: dict[str, Held] = {}
    for group in groups.values():
        limits = limits_for[group[0].wager.id]
        ordered = sorted(group, key=lambda one: one.wager.placed_at)
        stakes = [one.stake_cents for one in ordered]
        live = stakes if limits.maximum_cents is None else live_stakes(stakes, limits.maximum_cents)
        held = Held(limits, sum(stakes), {one.wager.id: cents for one, cents in zip(ordered, live, strict=True)})
        found.update(dict.fromkeys(held.live_cents, held))
    return found


def _holder(wager: Wager) -> tuple[object, ...]:
    """Whose it is, as far as the feed says: the pseudonym, else the seat, else the terminal."""
    if wager.player is not None:
        return ("player", wager.player)
    return ("seat", wager.seat) if wager.seat is not None else ("terminal", wager.terminal)
