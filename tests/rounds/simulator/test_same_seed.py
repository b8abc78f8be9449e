"""The same seed plays the same rounds, to the byte; another seed does not."""

from dataclasses import replace
from datetime import timedelta

import pytest

from rounds.simulator.chosen import chosen
from rounds.simulator.days import play_day
from rounds.simulator.faults.catalogue import plant_all
from rounds.simulator.set_up import renamed
from tests.rounds.simulator.floors import DAY, SEED, SLUGS, a_day, bytes_of, rounds_in, set_up_of


@pytest.mark.parametrize("slug", SLUGS)
def test_the_same_seed_gives_the_same_bytes(slug: str) -> None:
    days = [a_day(slug, rounds=60) for _ in range(2)]
    for table in days:
        plant_all(table, chosen("all").at_tables)

    assert bytes_of(days[0]) == bytes_of(days[1])


def test_another_seed_another_table_and_another_day_give_others() -> None:
    harbour = set_up_of("nsw-sic-bo")
    plays = [
        play_day(harbour, day=DAY, rounds=20, seed=SEED),
        play_day(harbour, day=DAY, rounds=20, seed=SEED + 1),
        play_day(harbour, day=DAY + timedelta(days=1), rounds=20, seed=SEED),
        play_day(renamed(harbour, "sb-02"), day=DAY, rounds=20, seed=SEED),
    ]
    results = [[result.outcome for result in table.state.results] for table in plays]

    assert all(results[0] != other for other in results[1:])


def test_a_longer_day_begins_like_a_shorter_one() -> None:
    """So that a fault found on a long day can be looked at on a short one."""
    short, long = (a_day("rws-sic-bo-etg", rounds=rounds) for rounds in (50, 70))

    assert [r.outcome for r in short.state.results[:10]] == [r.outcome for r in long.state.results[:10]]


def test_a_busy_floor_has_more_wagers_and_pays_them_like_any_other() -> None:
    quiet, busy = set_up_of("rws-sic-bo-etg"), replace(set_up_of("rws-sic-bo-etg"), more_wagers=10)
    plays = [rounds_in(play_day(each, day=DAY, rounds=20, seed=SEED).timeline) for each in (quiet, busy)]
    fewest = [min(len(body.wagers) for body in bodies) for bodies in plays]

    assert fewest[0] < 20 <= 6 * 5 <= fewest[1]
