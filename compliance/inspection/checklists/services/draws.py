"""Draws seeded samples, range by range of the log: at once if small, otherwise by workers. Also repeats a draw to
compare.

Idempotent: a range lost with a worker is weighed again, and a second worker on the same range changes nothing.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.core.accounts.models import User
from compliance.core.web.jobs.job import (
    UNFINISHED,
    JobCancelled,
    JobEnded,
    JobState,
    begin_attempt,
    cancel_job,
    fail_job,
    lock_job,
    require_running,
    retry_job,
)
from compliance.core.web.jobs.locks import Lock
from compliance.core.web.jobs.runner import TimeCheck, run_in_steps
from compliance.core.web.jobs.wake import wake
from compliance.core.web.local_time import Clock
from compliance.inspection.checklists.entry_kinds import DRAWN
from compliance.inspection.checklists.errors import DrawnAlready, DrawStopped
from compliance.inspection.checklists.models import Draw, DrawJob, Sample, SampledRound
from compliance.inspection.checklists.sampling.draw import DrawResult, Population, population_of
from compliance.inspection.checklists.sampling.seeded_selection import ENTRIES_PER_STEP, PartialDraw
from compliance.inspection.checklists.sampling.weights import RoundWeigher
from compliance.inspection.checklists.selectors import newest_draw_job, require_inspector
from rounds.ledger import read_only_log_slugs, write_row

# Rounds weighed within the request: about a second, with every factor and twenty wagers a round.
MAX_IMMEDIATE_ROUNDS = 100_000
NEVER_FINISHED_MESSAGE = (
    "The rounds from entry {:,} on were begun to be weighed three times and never finished. Those who run the service "
    "can see why in its log."
)
POPULATION_CHANGED_MESSAGE = "Out of {:,} rounds it was to be drawn, and {:,} were there when they were weighed."


@transaction.atomic
def request_draw(*, sample: Sample, actor: User, is_again: bool = False) -> DrawJob:
    """Requests the draw of a sample, or a repeated draw to compare. One that failed or was cancelled is tried again,
    with its population computed again; one that is not done yet stays as it is."""
    require_inspector(actor, sample.casino)
    sample.casino.lock()
    if not is_again and Draw.objects.filter(sample=sample).exists():
        raise DrawnAlready
    newest = newest_draw_job(sample, is_again=is_again)
    if newest is None or newest.is_done:
        return create_draw_job(sample, population_of(sample), is_again=is_again)
    if newest.is_unfinished:
        return newest
    DrawJob.objects.filter(pk=newest.pk).update(**_start_values(population_of(sample)))
    return retry_job(newest)


def cancel_draw(*, sample: Sample, actor: User, now: datetime, is_again: bool = False) -> DrawJob:
    """The seed stays recorded, and draws the same rounds when the draw is requested again."""
    require_inspector(actor, sample.casino)
    newest = newest_draw_job(sample, is_again=is_again)
    if newest is None:
        raise JobEnded
    return cancel_job(newest, by_name=actor.name, now=now)


def create_draw_job(sample: Sample, population: Population, *, is_again: bool = False) -> DrawJob:
    """Small draws run in the request; larger ones wake a worker."""
    job = DrawJob.objects.create(sample=sample, is_again=is_again, **_start_values(population))
    if population.rounds > MAX_IMMEDIATE_ROUNDS:
        wake(DrawJob.task)
    return job


def _start_values(population: Population) -> dict[str, Any]:
    first, last = population.first, population.last
    return {"rounds": population.rounds, "first": first, "last": last, "reached": first, "weighed": 0, "so_far": {}}


def draw_if_small(*, sample: Sample, now: datetime) -> Draw | None:
    """None if it is left to a worker."""
    rounds = DrawJob.objects.values_list("rounds", flat=True).get(sample=sample, is_again=False)
    return draw_sample(sample=sample, now=now) if rounds <= MAX_IMMEDIATE_ROUNDS else None


def draw_sample(*, sample: Sample, now: datetime) -> Draw:
    """Draws completely, in transactions after that of the seed, so that the seed is committed before the result is
    known."""
    if Draw.objects.filter(sample=sample).exists():
        raise DrawnAlready
    job, weigher = DrawJob.objects.get(sample=sample, is_again=False), RoundWeigher(sample)
    with suppress(JobCancelled):
        while _run_step(job, weigher, now):
            pass
    draw = Draw.objects.filter(sample=sample).first()
    if draw is None:
        job.refresh_from_db()
        raise DrawStopped(job.failure or job.cancelled_text)
    return draw


def run_waiting_draws(clock: Clock, is_time_up: TimeCheck = lambda: False) -> bool:
    """Runs jobs, oldest first, until none is left or the time is up. Returns whether any is left."""
    unfinished = DrawJob.objects.filter(state__in=UNFINISHED).exclude(sample__log__in=read_only_log_slugs())
    waiting = unfinished.select_related("sample__casino").order_by("pk")

    def begin(job: DrawJob) -> Callable[[], bool]:
        weigher = RoundWeigher(job.sample)
        return lambda: _run_step(job, weigher, clock())

    return run_in_steps(waiting, Lock.SAMPLE_DRAW, begin, is_time_up)


def _run_step(job: DrawJob, weigher: RoundWeigher, now: datetime) -> bool:
    """Runs one step; returns whether another may follow."""
    with transaction.atomic():
        begun = lock_job(job)
        if not begin_attempt(begun, now, NEVER_FINISHED_MESSAGE.format(begun.reached)):
            return False
    if begun.is_fully_weighed:
        finish_draw(job=begun, sample=weigher.sample, now=now)
        return False
    weigh_next_range(begun, weigher)
    return True


def weigh_next_range(job: DrawJob, weigher: RoundWeigher) -> None:
    """Weighs without a lock, then saves only if the job was not cancelled and no other worker has saved this range."""
    last = min(job.reached + ENTRIES_PER_STEP, job.last)
    so_far = PartialDraw.from_json(job.so_far).with_rounds(weigher.sample, weigher.weigh(job.reached, last))
    unchanged = DrawJob.objects.filter(pk=job.pk, reached=job.reached, state=JobState.RUNNING)
    unchanged.update(reached=last, weighed=so_far.by_weight.total(), so_far=so_far.as_json(), attempts=0)


@transaction.atomic
def finish_draw(*, job: DrawJob, sample: Sample, now: datetime) -> None:
    """Runs once: records the draw with its entry or, for a repeated draw, whether the result was the same."""
    require_running(job)
    so_far = PartialDraw.from_json(job.so_far)
    if not job.is_again and so_far.by_weight.total() != job.rounds:
        fail_job(job, POPULATION_CHANGED_MESSAGE.format(job.rounds, so_far.by_weight.total()), now)
        return
    drawn = so_far.result_for(sample)
    job.state, job.ended_at, job.so_far = JobState.DONE, now, {}
    job.was_same = is_same_draw(drawn, sample.draw) if job.is_again else None
    job.save(update_fields=["state", "ended_at", "so_far", "was_same"])
    if not job.is_again:
        _record_draw(sample, drawn, now)


def is_same_draw(drawn: DrawResult, draw: Draw) -> bool:
    """Whether rounds, population and weights are those recorded."""
    rounds = [one.index for one in drawn.rounds]
    is_weighed_alike = draw.weighed is None or drawn.weights_body() == draw.weighed
    return rounds == draw.rounds and drawn.population == draw.population and is_weighed_alike


def _record_draw(sample: Sample, drawn: DrawResult, now: datetime) -> None:
    draw = Draw(
        sample=sample,
        population=drawn.population,
        rounds=[one.index for one in drawn.rounds],
        weighed=drawn.weights_body() if sample.is_weighted else None,
        drawn_at=now,
    )
    SampledRound.objects.bulk_create(
        SampledRound(
            sample=sample,
            place=place,
            round_index=one.index,
            table=one.table,
            started_at=one.started_at,
            weight=one.weight,
            factors=list(one.factors),
        )
        for place, one in enumerate(drawn.rounds, 1)
    )
    write_row(draw, kind=DRAWN, log=sample.log, now=now)
