"""The PDF report of discrepancies with thousands of findings: a worker's time and memory."""

import multiprocessing
import time
from collections.abc import Iterator
from multiprocessing.queues import Queue
from typing import TypeAlias

import django

from tests.bench.support.measurement import Case, Way, at_most, figure_of
from tests.bench.support.workload_size import Size

MOST_SECONDS, MOST_MEGABYTES = 10, 300
ALLOWED = "the most allowed"
# Seconds and megabytes.
Figures: TypeAlias = tuple[float, float]


def cases(size: Size) -> Iterator[Case]:
    from tests.bench.support.controllers import controllers_at, receive_rounds, run_consumers
    from tests.rounds.floor.crew import gather

    crew = gather()
    receive_rounds(controllers_at(crew, 4, wagers=1, wrong_every=1), size.findings)
    run_consumers()
    made: list[Figures] = []

    def seconds() -> float:
        made.append(make(crew.cast.ines.pk))
        return made[-1][0]

    yield allowed(f"PDF of {size.findings:,} findings: time", "s", seconds, MOST_SECONDS)
    megabytes = (of_run for _, of_run in made)
    yield allowed(f"PDF of {size.findings:,} findings: memory", "MB", megabytes.__next__, MOST_MEGABYTES)


def allowed(what: str, unit: str, ours: Way, most: float) -> Case:
    return Case(what, unit, ours=ours, peers={ALLOWED: lambda: most}, aims={ALLOWED: at_most(1)}, figure=figure_of)


def make(person: int) -> Figures:
    """Requests a report and generates it in a separate process, to measure its memory."""
    from django.utils import timezone

    from compliance.core.accounts.models import Casino, User
    from compliance.reports.jobs.request import request_report

    casino, actor = Casino.objects.get(slug="harbour"), User.objects.get(pk=person)
    request_report(casino=casino, kind="discrepancies", chosen={}, actor=actor, now=timezone.now())
    context = multiprocessing.get_context("spawn")
    done: Queue[Figures] = context.Queue()
    worker = context.Process(target=make_apart, args=(done,))
    worker.start()
    worker.join()
    return done.get(timeout=10)


def make_apart(done: "Queue[Figures]") -> None:
    django.setup()
    from django.utils import timezone

    from compliance.reports.jobs.generate import generate_waiting_reports
    from compliance.reports.models import Report
    from tests.bench.support.celery_workers import peak_megabytes

    begun = time.perf_counter()
    generate_waiting_reports(timezone.now)
    taken = time.perf_counter() - begun
    report = Report.objects.latest("pk")
    if not report.is_done:
        raise RuntimeError(report.failure)
    done.put((taken, peak_megabytes("self")))
