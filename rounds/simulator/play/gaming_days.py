"""Whole gaming days of a table from one seed: the same seed gives the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from random import Random

import msgspec

from rounds.simulator.play.table_config import TableConfig
from rounds.simulator.play.table_day import MINUTE, TableDay
from rounds.simulator.play.table_state import PlayState

# At about forty seconds a round, this leaves some hours of the gaming day for closing.
MOST_ROUNDS_A_DAY = 1_500
# The last rounds are played during closing: the sign is up for twenty minutes, about this many rounds.
CLOSING_ROUNDS = 36
OPENS_AFTER = timedelta(minutes=30)
# Upper bound for additional rounds until running streaks are determined.
MOST_ROUNDS_AFTER_CLOSURE_TIME = 60
# Additional rounds that no streak depends on, as places for faults.
QUIET_ROUNDS = 8


def random_stream(seed: int, *names: str) -> Random:
    """A separate random stream for each table and day, so that they do not affect each other."""
    return Random(hashlib.sha256("/".join((str(seed), *names)).encode()).digest())


def split_into_days(rounds: int) -> Iterator[int]:
    while rounds > 0:
        yield min(rounds, MOST_ROUNDS_A_DAY)
        rounds -= MOST_ROUNDS_A_DAY


def play_day(set_up: TableConfig, *, day: date, rounds: int, seed: int, first_number: int = 1) -> TableDay:
    """One gaming day. `first_number` is the number of its first round; a table never reuses a number."""
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
    """On a day that is long enough, the minimum is raised for the evening and lowered again."""
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
    """Shows the sign, plays the last rounds, lets running streaks end, and closes the table."""
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


def default_first_day(set_up: TableConfig, now: datetime, rounds: int) -> date:
    """Chosen so that the last of the days is over by now."""
    return set_up.gaming_day_at(now) - timedelta(days=sum(1 for _ in split_into_days(rounds)))
