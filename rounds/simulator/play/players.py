"""The players at a table: each has a habit, a function that chooses the wagers of a round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from rounds.engine import pack
from rounds.intake.protocol.fields import Limits
from rounds.simulator.play.table_config import Seat, TableConfig
from rounds.simulator.play.table_state import Player, PlayState

EVEN_MONEY = ("small", "big", "odd", "even", "field")
COLOURS = ("blue", "green", "red", "yellow", "white", "black", "orange", "violet")
# How rarely a careless player overlooks the limits on the sign.
OVERLOOK_PROBABILITY = 0.03


@dataclass(frozen=True)
class Stake:
    """What a player puts down. `overlooks` names the limit it breaks, if any."""

    bet: str
    cents: int
    tender: pack.Tender = "value-chips"
    overlooks: str = ""


@dataclass(frozen=True)
class TableView:
    """The table as its players see it."""

    set_up: TableConfig
    state: PlayState
    rng: Random

    def seat_of(self, player: Player) -> Seat:
        return self.set_up.seat_places[player.seat - 1]

    def offered_bets(self, player: Player, *families: str) -> list[str]:
        every = self.set_up.bets_at(self.seat_of(player))
        return [code for code in every if not families or code.partition(":")[0] in families]

    def random_stake(self, most_steps: int = 8) -> int:
        """A stake within the limits: the minimum plus some steps."""
        limits = self.state.limits
        step = self.set_up.stake_unit if not limits.multiples else limits.min
        return min(limits.max, limits.min + step * self.rng.randrange(most_steps))


Habit = Callable[[TableView, Player], list[Stake]]


def flat_bettor(view: TableView, player: Player) -> list[Stake]:
    """Always the same amount, on an even chance and one other bet."""
    player.next_stake = player.next_stake or view.random_stake()
    stake = max(view.state.limits.min, player.next_stake)
    bets = [view.rng.choice(view.offered_bets(player, *EVEN_MONEY)), view.rng.choice(view.offered_bets(player))]
    return [Stake(bet, stake) for bet in dict.fromkeys(bets)]


def martingale_bettor(view: TableView, player: Player) -> list[Stake]:
    """Doubles after every loss, up to the maximum; the table updates `next_stake` after each round."""
    limits = view.state.limits
    stake = min(limits.max, max(limits.min, player.next_stake))
    return [Stake(view.rng.choice(view.offered_bets(player, "small", "big")), stake)]


def number_bettor(view: TableView, player: Player) -> list[Stake]:
    """Two or three numbers, or totals where the layout has no numbers."""
    boxes = view.offered_bets(player, "single") or view.offered_bets(player, "total")
    return [Stake(bet, view.random_stake(3)) for bet in view.rng.sample(boxes, 2 + (view.rng.random() < 0.5))]


def long_odds_bettor(view: TableView, player: Player) -> list[Stake]:
    """Long odds, spread over the layout."""
    boxes = [code for code in view.offered_bets(player) if code not in EVEN_MONEY]
    return [Stake(bet, view.random_stake(2)) for bet in view.rng.sample(boxes, min(len(boxes), 4))]


def careless_bettor(view: TableView, player: Player) -> list[Stake]:
    """Plays anything, and sometimes overlooks a limit, under rules that say what follows."""
    bet, rules = view.rng.choice(view.offered_bets(player)), view.set_up.pack.law.settlement
    limits = view.state.limits.for_bet(bet)
    if view.rng.random() > OVERLOOK_PROBABILITY:
        return [Stake(bet, view.random_stake())]
    if rules.over_maximum is not None and view.rng.random() < 0.5:
        return [Stake(bet, limits.max + limits.min * view.rng.randint(1, 3), overlooks="maximum")]
    if rules.under_minimum is not None:
        return [Stake(bet, limits.min - 100, overlooks="minimum")]
    return [Stake(bet, view.random_stake())]


def token_bettor(view: TableView, player: Player) -> list[Stake]:
    """Plays promotional tokens while there are any, then value chips."""
    if player.tokens < view.state.limits.min:
        return flat_bettor(view, player)
    player.tokens -= view.state.limits.min
    return [Stake(view.rng.choice(view.offered_bets(player)), view.state.limits.min, "promotional-token")]


def high_roller_bettor(view: TableView, player: Player) -> list[Stake]:
    """Plays the maximum, or more once a sign allows it for this player."""
    own = view.state.player_limits.get(player.pseudonym)
    most = own.max if own is not None else view.state.limits.max
    return [Stake(view.rng.choice(view.offered_bets(player, "small", "big")), most)]


def colour_chip_bettor(view: TableView, player: Player) -> list[Stake]:
    """Plays colour chips, so in multiples of the value they were issued at."""
    value = player.chip_value
    if value < view.state.limits.min:
        return flat_bettor(view, player)
    boxes = view.rng.sample(view.offered_bets(player), 3)
    return [Stake(bet, value * view.rng.randint(1, 3), "colour-checks") for bet in boxes]


def choose_stakes(view: TableView, player: Player) -> list[Stake]:
    """The wagers of the player's habit, and `more_wagers` random ones for busy tables."""
    more, boxes = view.set_up.more_wagers, view.offered_bets(player)
    others = view.rng.sample(boxes, min(more, len(boxes))) if more else []
    by_habit = HABITS[player.habit](view, player)
    taken = {stake.bet for stake in by_habit}
    chosen = by_habit + [Stake(bet, view.random_stake(3)) for bet in others if bet not in taken]
    return [_within_limits_of_box(view.state.limits, stake) for stake in chosen]


def _within_limits_of_box(limits: Limits, stake: Stake) -> Stake:
    """The minimum of a box that has limits of its own, instead of a stake that they do not allow."""
    own = limits.for_bet(stake.bet)
    is_odd = limits.multiples and stake.cents % own.min != 0
    if own is limits or stake.overlooks or (own.min <= stake.cents <= own.max and not is_odd):
        return stake
    return Stake(stake.bet, own.min)


HABITS: dict[str, Habit] = {
    "flat": flat_bettor,
    "martingale": martingale_bettor,
    "singles": number_bettor,
    "exotic": long_odds_bettor,
    "careless": careless_bettor,
    "streak": flat_bettor,
    "tokens": token_bettor,
    "colours": colour_chip_bettor,
    "high": high_roller_bettor,
}


def possible_habits(set_up: TableConfig) -> list[str]:
    """The habits possible at this table: tokens only where they are accepted, and so on."""
    habits = ["flat", "martingale", "singles", "exotic", "careless"]
    tenders = set_up.pack.conduct.tenders
    accepted = tenders.accepted if tenders is not None else ()
    if set_up.streak_amount is not None:
        habits.append("streak")
    if "promotional-token" in accepted:
        habits.append("tokens")
    if set_up.pack.duties.colour_chips is not None:
        habits.append("colours")
    if set_up.pack.duties.player_limits is not None:
        habits.append("high")
    return habits


def seat_players(set_up: TableConfig, rng: Random) -> list[Player]:
    """The players of a gaming day: one for each habit, then random ones, each at a different place."""
    habits = possible_habits(set_up)
    while len(habits) < len(set_up.seat_places):
        habits.append(rng.choice(habits))
    seats = rng.sample(range(1, len(set_up.seat_places) + 1), min(len(habits), len(set_up.seat_places)))
    return [
        Player(pseudonym=f"p-{seat:02}", seat=seat, habit=habit)
        for seat, habit in sorted(zip(seats, habits, strict=False))
    ]


def usual_tender(set_up: TableConfig) -> pack.Tender:
    tenders = set_up.pack.conduct.tenders
    return "value-chips" if tenders is None or "value-chips" in tenders.accepted else tenders.accepted[0]
