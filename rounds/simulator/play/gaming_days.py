"""Whole gaming days of a table, from one seed: the same seed gives the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from random import Random

import msgspec

from rounds.simulator.play.controller_output import Timeline
from rounds.simulator.play.table_config import TableConfig
from rounds.simulator.play.table_day import MINUTE, TableDay
from rounds.simulator.play.table_state import PlayState

# With a round about every forty seconds this leaves some hours of a gaming day for closing.
MOST_ROUNDS_A_DAY = 1_500
# Closing takes the last rounds: a sign is up for twenty minutes, in which about so many are played.
CLOSING_ROUNDS = 36
OPENS_AFTER = timedelta(minutes=30)
# After the closure sign some rounds are still played; running streaks may take a few more.
MOST_ROUNDS_AFTER_CLOSURE_TIME = 60
# A few more, on which no streak rests any more.
QUIET_ROUNDS = 8


def random_stream(seed: int, *names: str) -> Random:
    """A stream of chance of its own for each table and day, whatever else is played beside it."""
    return Random(hashlib.sha256("/".join((str(seed), *names)).encode()).digest())


def split_into_days(rounds: int) -> Iterator[int]:
    while rounds > 0:
        yield min(rounds, MOST_ROUNDS_A_DAY)
        rounds -= MOST_ROUNDS_A_DAY


def play_day(set_up: TableConfig, *, day: date, rounds: int, seed: int, first_number: int = 1) -> TableDay:
    """One gaming day. `first_number` is that of its first round: a table never gives a number twice."""
    rng = random_stream(seed, set_up.casino, set_up.table, day.isoformat())
    state = PlayState(gaming_day=day, limits=set_up.limits, next_number=first_number)
    table = TableDay(set_up, state, rng, now=set_up.day_begins_at(day) + OPENS_AFTER)
    table.open()
    table.schedule_shift_inspections()
    _schedule_limit_changes(table, rounds)
    play_rounds(table, max(0, rounds - CLOSING_ROUNDS))
    close_down(table, min(rounds, CLOSING_ROUNDS))
    return table


def play_rounds(table: TableDay, rounds: int) -> None:
    for _ in range(rounds):
        table.play_round()


def _schedule_limit_changes(table: TableDay, rounds: int) -> None:
    """On a day that is long enough the minimum goes up for the evening and down again."""
    if rounds < 120 or table.set_up.pack.duties.limits_shown is None:
        return
    usual = table.state.limits
    higher = msgspec.structs.replace(usual, min=usual.min * 2)
    third = timedelta(seconds=40) * (rounds // 3)
    if table.set_up.pack.duties.player_limits is not None:
        table.schedule(table.now + third / 2, lambda at: table.allow_player_above_maximum())
    table.schedule_minimum_raise(table.now + third, higher)
    table.schedule(table.now + 2 * third, lambda at: table.change_limits(usual))


def close_down(table: TableDay, rounds: int) -> None:
    """The sign goes up, the last rounds are played, running streaks are determined, and the table closes."""
    duty = table.set_up.pack.duties.closure_sign
    notice = timedelta(minutes=duty.notice_minutes if duty else 0)
    closure_at = table.now + notice + MINUTE
    sign = table.announce_closing(closure_at)
    play_rounds(table, rounds)
    for _ in range(MOST_ROUNDS_AFTER_CLOSURE_TIME):
        if not table.state.streaks:
            break
        table.play_round()
    if table.set_up.streak_amount is not None:
        play_rounds(table, min(rounds, QUIET_ROUNDS))
    table.now = max(table.now, closure_at)
    table.close(sign)


def play_timeline(set_up: TableConfig, *, day: date, rounds: int, seed: int, first_number: int = 1) -> Timeline:
    return play_day(set_up, day=day, rounds=rounds, seed=seed, first_number=first_number).timeline


def default_first_day(set_up: TableConfig, now: datetime, rounds: int) -> date:
    """So that the last of the days is over by now."""
    return set_up.gaming_day_at(now) - timedelta(days=sum(1 for _ in split_into_days(rounds)))
