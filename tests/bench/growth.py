"""Growth: the audit and the verification of a log that becomes five and twenty times as long; two workers against one.

Time for a wager stays the same within 15 %, memory within 10 %.
"""

import multiprocessing
import time
from collections.abc import Iterator
from statistics import median

import psycopg
from django.db import connection

from compliance.audit.working import catch_up
from tests.bench.measuring import Aim, Case, at_least, at_most, figure_of, rate_of
from tests.bench.playing import WAGERS_A_ROUND, open_floor
from tests.bench.size import Size
from tests.bench.workers import forget_audit, peak_megabytes, workers
from tests.conftest import superuser

LOG = "harbour"
# Nothing is planted: what is found costs the same whatever surrounds it.
NOTHING_WRONG = 2**62
# Of the longest log, as 1, 5 and 20 million are of 20.
SHARES = (1 / 20, 1 / 4, 1)
LINEAR, FLAT = at_least(0.85), at_most(1.10)
Figures = dict[str, float]


def cases(size: Size) -> Iterator[Case]:
    floor, lengths = open_floor(NOTHING_WRONG), [int(size.growth * share) for share in SHARES]
    grown: list[Figures] = []
    with superuser(connection.settings_dict["NAME"]) as admin:
        for length in lengths:
            floor.play(length // WAGERS_A_ROUND - floor.rounds)
            catch_up(LOG)
            grown.append(figures_at(length, size.times, admin))
        yield from compared(lengths, grown)
        yield Case(
            "audit by two Celery workers", "wagers/s", lambda: audit_rate(2, lengths[-1], admin),
            {"one": lambda: audit_rate(1, lengths[-1], admin)}, {"one": at_least(1.7)}, figure_of,
        )  # fmt: skip


def compared(lengths: list[int], grown: list[Figures]) -> Iterator[Case]:
    shortest = f"the same at {lengths[0]:,}"
    for length, figures in zip(lengths[1:], grown[1:], strict=True):
        for what, unit, aim in (
            ("audit", "wagers/s", LINEAR), ("audit, memory", "MB", FLAT), ("verification", "wagers/s", LINEAR),
            ("verification, memory", "MB", FLAT),
        ):  # fmt: skip
            yield line(f"{what} at {length:,} wagers", unit, figures[what], grown[0][what], shortest, aim)


def line(what: str, unit: str, long: float, short: float, peer: str, aim: Aim) -> Case:
    return Case(what, unit, lambda: long, {peer: lambda: short}, {peer: aim}, figure_of)


def figures_at(length: int, times: int, admin: psycopg.Connection) -> Figures:
    """Medians, of processes that are started anew for each run: a process does not give memory back."""
    audits = [audited(2, length, admin) for _ in range(times)]
    verifications = [verified(length) for _ in range(times)]
    return {
        "audit": median(rate for rate, _ in audits),
        "audit, memory": median(megabytes for _, megabytes in audits),
        "verification": median(rate for rate, _ in verifications),
        "verification, memory": median(megabytes for _, megabytes in verifications),
    }


def audit_rate(processes: int, length: int, admin: psycopg.Connection) -> float:
    return audited(processes, length, admin)[0]


def audited(processes: int, length: int, admin: psycopg.Connection) -> tuple[float, float]:
    """Wagers a second, and the most memory that a worker took."""
    with workers(processes, admin) as running:
        forget_audit(admin)

        def audit() -> int:
            running.audit()
            return length

        return rate_of(audit), running.peak_megabytes()


def verified(length: int) -> tuple[float, float]:
    """In a process of its own, so that its memory is its own."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        seconds, megabytes = pool.apply(verify)
    return length / seconds, megabytes


def verify() -> tuple[float, float]:
    import django

    django.setup()
    from rounds.ledger.verification import verify_log

    begun = time.perf_counter()
    verdict = verify_log(LOG)
    taken = time.perf_counter() - begun
    if not verdict.is_whole:
        raise SystemExit(f"The log is not whole: {verdict.first_misfit}")
    return taken, peak_megabytes("self")
