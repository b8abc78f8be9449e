"""Gaming days to look at: one table of each rule set, played once for all the tests that read them."""

from copy import copy, deepcopy
from dataclasses import replace
from datetime import date
from functools import cache

from rounds.engine.bets import BETS
from rounds.intake.kinds.round import Round
from rounds.simulator.at_play import TableAtPlay
from rounds.simulator.days import play_day
from rounds.simulator.playing import numbered_with_truth
from rounds.simulator.said import Said, Timeline
from rounds.simulator.set_up import TableSetUp, typical_set_ups

SLUGS = ("nsw-sic-bo", "rws-sic-bo-etg", "mbs-3-card-sic-bo", "skycity-big-and-small", "licensee-sic-bo")
DAY = date(2026, 11, 10)
SEED = 20261110


# A table of the first rule set with neither screen nor layout for Super Streak.
WITHOUT_STREAKS = "without-streaks"


def set_up_of(slug: str) -> TableSetUp:
    if slug == WITHOUT_STREAKS:
        usual = set_up_of(SLUGS[0])
        offered = frozenset(bet for bet in usual.offered or () if not BETS[bet].is_streak)
        return replace(usual, table="sb-02", streak_amount=None, offered=offered)
    return next(set_up for set_up in typical_set_ups() if set_up.pack.slug == slug)


def a_day(slug: str, *, rounds: int, seed: int = SEED) -> TableAtPlay:
    return play_day(set_up_of(slug), day=DAY, rounds=rounds, seed=seed)


@cache
def honest_day(slug: str) -> Timeline:
    """To be read, not to be changed."""
    return a_day(slug, rounds=160).timeline


@cache
def _played(slug: str, seed: int) -> TableAtPlay:
    return a_day(slug, rounds=60, seed=seed)


def fresh_day(slug: str, seed: int) -> TableAtPlay:
    """A day of sixty rounds to change: a copy of one that was played once."""
    played = _played(slug, seed)
    copies = {id(said): copy(said) for said in played.timeline.said}
    for said in copies.values():
        said.takes_back = said.takes_back and copies[id(said.takes_back)]
    table = copy(played)
    table.state, table.rng = deepcopy(played.state), deepcopy(played.rng)
    table.timeline = Timeline(
        said=list(copies.values()),
        truth=[(copies[id(said)], planted) for said, planted in played.timeline.truth if said is not None],
    )
    return table


def rounds_in(timeline: Timeline) -> list[Round]:
    return [round_of(said) for said in timeline.rounds()]


def round_of(said: Said) -> Round:
    assert isinstance(said.body, Round)
    return said.body


def bytes_of(table: TableAtPlay) -> bytes:
    """Everything that goes out, and the truth about it."""
    lines, truth = numbered_with_truth(table.timeline, table=table.set_up.table, first=1)
    return b"\n".join([*(one.line for one in lines), *truth])
