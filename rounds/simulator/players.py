"""The people at a table: each has a habit, and a habit says what is wagered this round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from rounds.engine.terms import Tender
from rounds.simulator.set_up import Place, TableSetUp
from rounds.simulator.state import Player, TableState

EVEN_MONEY = ("small", "big", "odd", "even", "field")
COLOURS = ("blue", "green", "red", "yellow", "white", "black", "orange", "violet")
# How rarely somebody overlooks the limits on the sign.
OVERLOOKS_LIMITS = 0.03


@dataclass(frozen=True)
class Stake:
    """What a player puts down. `overlooks` names the limit that was overlooked, if one was."""

    bet: str
    cents: int
    tender: Tender = "value-chips"
    overlooks: str = ""


@dataclass(frozen=True)
class View:
    """The table as its players see it."""

    set_up: TableSetUp
    state: TableState
    rng: Random

    def place_of(self, player: Player) -> Place:
        return self.set_up.places[player.seat - 1]

    def boxes(self, player: Player, *families: str) -> list[str]:
        every = self.set_up.boxes(self.place_of(player))
        return [code for code in every if not families or code.partition(":")[0] in families]

    def some_stake(self, most_steps: int = 8) -> int:
        """A stake within the limits: the minimum and some steps above it."""
        limits = self.state.limits
        step = self.set_up.unit if not limits.multiples else limits.min
        return min(limits.max, limits.min + step * self.rng.randrange(most_steps))


Habit = Callable[[View, Player], list[Stake]]


def flat(view: View, player: Player) -> list[Stake]:
    """Always the same amount, on an even chance and one thing more."""
    player.next_stake = player.next_stake or view.some_stake()
    stake = max(view.state.limits.min, player.next_stake)
    bets = [view.rng.choice(view.boxes(player, *EVEN_MONEY)), view.rng.choice(view.boxes(player))]
    return [Stake(bet, stake) for bet in dict.fromkeys(bets)]


def martingale(view: View, player: Player) -> list[Stake]:
    """Doubles after every loss, up to the maximum; the table tells `next_stake` how it went."""
    limits = view.state.limits
    stake = min(limits.max, max(limits.min, player.next_stake))
    return [Stake(view.rng.choice(view.boxes(player, "small", "big")), stake)]


def singles(view: View, player: Player) -> list[Stake]:
    """Two or three numbers, or totals where the layout has no numbers."""
    boxes = view.boxes(player, "single") or view.boxes(player, "total")
    return [Stake(bet, view.some_stake(3)) for bet in view.rng.sample(boxes, 2 + (view.rng.random() < 0.5))]


def exotic(view: View, player: Player) -> list[Stake]:
    """Long odds, spread over the layout."""
    boxes = [code for code in view.boxes(player) if code not in EVEN_MONEY]
    return [Stake(bet, view.some_stake(2)) for bet in view.rng.sample(boxes, min(len(boxes), 4))]


def careless(view: View, player: Player) -> list[Stake]:
    """Plays anything, and now and then overlooks the sign, where the rules say what then follows."""
    bet, rules, limits = view.rng.choice(view.boxes(player)), view.set_up.pack.law.settlement, view.state.limits
    if view.rng.random() > OVERLOOKS_LIMITS:
        return [Stake(bet, view.some_stake())]
    if rules.over_maximum is not None and view.rng.random() < 0.5:
        return [Stake(bet, limits.max + limits.min * view.rng.randint(1, 3), overlooks="maximum")]
    if rules.under_minimum is not None:
        return [Stake(bet, limits.min - 100, overlooks="minimum")]
    return [Stake(bet, view.some_stake())]


def token_user(view: View, player: Player) -> list[Stake]:
    """Plays promotional tokens while there are any, then value chips like anybody else."""
    if player.tokens < view.state.limits.min:
        return flat(view, player)
    player.tokens -= view.state.limits.min
    return [Stake(view.rng.choice(view.boxes(player)), view.state.limits.min, "promotional-token")]


def high_roller(view: View, player: Player) -> list[Stake]:
    """Plays the maximum, and above it once a sign says that this player may."""
    own = view.state.player_limits.get(player.pseudonym)
    most = own.max if own is not None else view.state.limits.max
    return [Stake(view.rng.choice(view.boxes(player, "small", "big")), most)]


def colour_player(view: View, player: Player) -> list[Stake]:
    """Plays chips without a denomination, so in multiples of the value they were issued at."""
    value = player.chip_value
    if value < view.state.limits.min:
        return flat(view, player)
    boxes = view.rng.sample(view.boxes(player), 3)
    return [Stake(bet, value * view.rng.randint(1, 3), "colour-checks") for bet in boxes]


def stakes_of(view: View, player: Player) -> list[Stake]:
    """What habit says and, where the floor is to be a busy one, other boxes besides."""
    more, boxes = view.set_up.more_wagers, view.boxes(player)
    others = view.rng.sample(boxes, min(more, len(boxes))) if more else []
    by_habit = HABITS[player.habit](view, player)
    taken = {stake.bet for stake in by_habit}
    return by_habit + [Stake(bet, view.some_stake(3)) for bet in others if bet not in taken]


HABITS: dict[str, Habit] = {
    "flat": flat,
    "martingale": martingale,
    "singles": singles,
    "exotic": exotic,
    "careless": careless,
    "streak": flat,
    "tokens": token_user,
    "colours": colour_player,
    "high": high_roller,
}


def habits_at(set_up: TableSetUp) -> list[str]:
    """Who sits down at such a table: token users only where tokens are taken, and so on."""
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


def sit_down(set_up: TableSetUp, rng: Random) -> list[Player]:
    """The players of a gaming day, one for each habit and then at random, each at a place of its own."""
    habits = habits_at(set_up)
    while len(habits) < len(set_up.places):
        habits.append(rng.choice(habits))
    seats = rng.sample(range(1, len(set_up.places) + 1), min(len(habits), len(set_up.places)))
    return [
        Player(pseudonym=f"p-{seat:02}", seat=seat, habit=habit)
        for seat, habit in sorted(zip(seats, habits, strict=False))
    ]


def usual_tender(set_up: TableSetUp) -> Tender:
    tenders = set_up.pack.conduct.tenders
    return "value-chips" if tenders is None or "value-chips" in tenders.accepted else tenders.accepted[0]
