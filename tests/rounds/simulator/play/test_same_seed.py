"""The same seed plays the same rounds, to the byte; another seed does not."""

from dataclasses import replace
from datetime import timedelta

import pytest

from rounds.simulator.fault_selection import select_faults
from rounds.simulator.faults.catalogue import plant_faults
from rounds.simulator.play.gaming_days import play_day
from rounds.simulator.play.table_config import with_table_name
from tests.rounds.simulator.gaming_days import DAY, SEED, SLUGS, encode_day, play_table_day, rounds_in, table_config


@pytest.mark.parametrize("slug", SLUGS)
def test_the_same_seed_gives_the_same_bytes(slug: str) -> None:
    days = [play_table_day(slug, rounds=60) for _ in range(2)]
    for table in days:
        plant_faults(table, select_faults("all").at_tables)

    assert encode_day(days[0]) == encode_day(days[1])


def test_another_seed_another_table_and_another_day_give_others() -> None:
    harbour = table_config("nsw-sic-bo")
    plays = [
        play_day(harbour, day=DAY, rounds=20, seed=SEED),
        play_day(harbour, day=DAY, rounds=20, seed=SEED + 1),
        play_day(harbour, day=DAY + timedelta(days=1), rounds=20, seed=SEED),
        play_day(with_table_name(harbour, "sb-02"), day=DAY, rounds=20, seed=SEED),
    ]
    results = [[result.outcome for result in table.state.results] for table in plays]

    assert all(results[0] != other for other in results[1:])


def test_a_longer_day_begins_like_a_shorter_one() -> None:
    """So that a fault found on a long day can be looked at on a short one."""
    short, long = (play_table_day("rws-sic-bo-etg", rounds=rounds) for rounds in (50, 70))

    assert [r.outcome for r in short.state.results[:10]] == [r.outcome for r in long.state.results[:10]]


def test_a_busy_floor_has_more_wagers_and_pays_them_like_any_other() -> None:
    quiet, busy = table_config("rws-sic-bo-etg"), replace(table_config("rws-sic-bo-etg"), more_wagers=10)
    plays = [rounds_in(play_day(each, day=DAY, rounds=20, seed=SEED).timeline) for each in (quiet, busy)]
    fewest = [min(len(body.wagers) for body in bodies) for bodies in plays]

    assert fewest[0] < 20 <= 6 * 5 <= fewest[1]
