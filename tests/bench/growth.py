"""Growth: audit and verification of a log that becomes five and twenty times as long; two workers against one.

Time for a wager must stay the same within 15 %, memory within 10 %.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial

import psycopg
from django.db import connection

from compliance.audit.models import BLOCK_ENTRIES, Coverage
from compliance.audit.run.worker import consume_new_entries
from compliance.config.environment import PROJECT
from tests.bench.support.bulk_rounds import WAGERS_A_ROUND, open_floor
from tests.bench.support.celery_workers import Workers, reset_audit, workers
from tests.bench.support.measurement import Case, at_least, at_most, figure_of, rate_of
from tests.bench.support.workload_size import Size
from tests.conftest import superuser

LOG = "harbour"
VERIFY_SECONDS = 3_600
# No planted errors: a finding costs the same at any length.
NOTHING_WRONG = 2**62
# Shares of the longest log, as 1, 5 and 20 million wagers are of 20.
SHARES = (1 / 20, 1 / 4, 1)
LINEAR, FLAT = at_least(0.85), at_most(1.10)
# Wagers a second and megabytes, one pair a run.
Runs = list[tuple[float, float]]


def cases(size: Size) -> Iterator[Case]:
    """Verifies the log as it grows. Audits afterwards, from the beginning to each length: what an audit appends stays
    in the log, and would not match after the audit is reset."""
    floor, lengths = open_floor(NOTHING_WRONG), [int(size.growth * share) for share in SHARES]
    verified_at: list[Runs] = []
    for length in lengths:
        floor.play(length // WAGERS_A_ROUND - floor.rounds)
        consume_new_entries(LOG)
        verified_at.append([measure_verification(length) for _ in range(size.times)])
    with superuser(connection.settings_dict["NAME"]) as admin:
        with workers(1, admin) as running:
            audited_at = [[measure_audit(running, length, admin) for _ in range(size.times)] for length in lengths]
        yield from growth_cases("audit by one worker", lengths, audited_at)
        yield from growth_cases("verification", lengths, verified_at)
        yield Case(
            f"audit of {lengths[-1]:,} wagers by two Celery workers",
            "wagers/s",
            lambda: audit_rate(2, admin),
            {"one": lambda: audit_rate(1, admin)},
            {"one": at_least(1.7)},
            figure_of,
        )


def growth_cases(what: str, lengths: list[int], grown: list[Runs]) -> Iterator[Case]:
    shortest = f"the same at {lengths[0]:,}"
    for length, runs in zip(lengths[1:], grown[1:], strict=True):
        for place, words, unit, aim in ((0, "wagers", "wagers/s", LINEAR), (1, "wagers, memory", "MB", FLAT)):
            long, short = (iter([run[place] for run in of_length]).__next__ for of_length in (runs, grown[0]))
            yield Case(f"{what} at {length:,} {words}", unit, long, {shortest: short}, {shortest: aim}, figure_of)


def measure_audit(running: Workers, length: int, admin: psycopg.Connection) -> tuple[float, float]:
    """Wagers a second and megabytes. One worker audits all lengths, shortest first: a process does not return memory,
    so any additional need of a longer log shows."""
    running.drain_queue()
    reset_audit(admin, -(-length // WAGERS_A_ROUND // BLOCK_ENTRIES))
    return rate_of(partial(audit_all, running)), running.peak_megabytes()


def audit_all(running: Workers) -> int:
    running.audit()
    return sum(Coverage.objects.values_list("wagers", flat=True))


def audit_rate(processes: int, admin: psycopg.Connection) -> float:
    with workers(processes, admin) as running:
        reset_audit(admin)
        return rate_of(partial(audit_all, running))


def measure_verification(length: int) -> tuple[float, float]:
    """Wagers a second and megabytes, in a separate process to measure its memory."""
    command = [sys.executable, "-m", "tests.bench.support.verify_process", LOG]
    said = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, check=True, timeout=VERIFY_SECONDS).stdout
    seconds, megabytes = json.loads(said)
    return length / seconds, megabytes
