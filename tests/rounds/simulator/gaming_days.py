"""Gaming days for tests: one table of each rule set, played once for all tests that read them."""

from copy import copy, deepcopy
from dataclasses import replace
from datetime import date
from functools import cache

from rounds.engine.bets.bet_codes import BETS
from rounds.intake.protocol.round import Round
from rounds.simulator.delivery.simulation_run import number_lines_with_faults
from rounds.simulator.play.controller_output import ReportedLine, TableOutput
from rounds.simulator.play.gaming_days import play_day
from rounds.simulator.play.table_config import TableConfig, example_tables
from rounds.simulator.play.table_day import TableDay

SLUGS = ("nsw-sic-bo", "rws-sic-bo-etg", "mbs-3-card-sic-bo", "skycity-big-and-small", "licensee-sic-bo")
DAY = date(2026, 11, 10)
SEED = 20261110


# A table under the first rule set without screen and layout for Super Streak.
WITHOUT_STREAKS = "without-streaks"


def table_config(slug: str) -> TableConfig:
    if slug == WITHOUT_STREAKS:
        usual = table_config(SLUGS[0])
        offered = frozenset(bet for bet in usual.offered or () if not BETS[bet].is_streak)
        return replace(usual, table="sb-02", streak_amount=None, offered=offered)
    return next(set_up for set_up in example_tables() if set_up.pack.slug == slug)


def play_table_day(slug: str, *, rounds: int, seed: int = SEED) -> TableDay:
    return play_day(table_config(slug), day=DAY, rounds=rounds, seed=seed)


@cache
def honest_day(slug: str) -> TableOutput:
    """Shared: read only."""
    return play_table_day(slug, rounds=160).timeline


@cache
def _cached_table_day(slug: str, seed: int) -> TableDay:
    return play_table_day(slug, rounds=60, seed=seed)


def copy_table_day(slug: str, seed: int) -> TableDay:
    """A copy of a day of sixty rounds, which may be changed."""
    played = _cached_table_day(slug, seed)
    copies = {id(said): copy(said) for said in played.timeline.lines}
    for said in copies.values():
        said.takes_back = said.takes_back and copies[id(said.takes_back)]
    table = copy(played)
    table.state, table.rng = deepcopy(played.state), deepcopy(played.rng)
    table.timeline = TableOutput(
        lines=list(copies.values()),
        truth=[(copies[id(said)], planted) for said, planted in played.timeline.truth if said is not None],
    )
    return table


def rounds_in(timeline: TableOutput) -> list[Round]:
    return [round_of(said) for said in timeline.uncorrected_rounds()]


def round_of(said: ReportedLine) -> Round:
    assert isinstance(said.body, Round)
    return said.body


def encode_day(table: TableDay) -> bytes:
    """All lines as sent, and the truth about them."""
    lines, truth = number_lines_with_faults(table.timeline, table=table.set_up.table, first=1)
    return b"\n".join([*(one.line for one in lines), *truth])
