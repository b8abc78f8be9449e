"""Draws seeded samples, range by range of the log: at once if small, otherwise by workers. Also repeats a draw to
compare.

Idempotent: a range lost with a worker is weighed again, and a second worker on the same range changes nothing.
"""

from collections.abc import Callable
from datetime import datetime

import structlog
from django.db import transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.web.jobs.locks import advisory_lock
from compliance.core.web.jobs.wake import wake
from compliance.core.web.local_time import Clock
from compliance.inspection.checklists.entry_kinds import DRAWN
from compliance.inspection.checklists.errors import DrawnAlready, DrawStopped
from compliance.inspection.checklists.models import Draw, DrawJob, Sample, SampledRound
from compliance.inspection.checklists.sampling.draw import DrawResult, Population, population_of
from compliance.inspection.checklists.sampling.seeded_selection import ENTRIES_PER_STEP, PartialDraw
from compliance.inspection.checklists.sampling.weights import RoundWeigher
from compliance.inspection.checklists.selectors import require_inspector
from rounds.ledger import read_only_log_slugs, write_row

logger = structlog.get_logger(__name__)

DRAW_TASK = "compliance.inspection.checklists.tasks.draw_samples"
# Rounds weighed within the request: about a second, with every factor and twenty wagers a round.
MAX_IMMEDIATE_ROUNDS = 100_000
MAX_ATTEMPTS = 3
# Advisory-lock number, unique in the service. One draw worker at a time, so that the others can consume the log.
DRAW_LOCK = 0x44524157
NEVER_FINISHED_MESSAGE = (
    "The rounds from entry {:,} on were begun to be weighed three times and never finished. Those who run the service "
    "can see why in its log."
)
POPULATION_CHANGED_MESSAGE = "Out of {:,} rounds it was to be drawn, and {:,} were there when they were weighed."


@transaction.atomic
def request_draw(*, sample: Sample, actor: User) -> DrawJob:
    """For a sample without a draw: its job failed, or it was seeded before draw jobs existed."""
    require_inspector(actor, sample.casino)
    _lock_casino(sample.casino)
    job = DrawJob.objects.filter(sample=sample, is_again=False).first()
    if Draw.objects.filter(sample=sample).exists():
        raise DrawnAlready
    return create_draw_job(sample, population_of(sample)) if job is None or job.failed_at else job


@transaction.atomic
def request_redraw(*, sample: Sample, actor: User) -> DrawJob:
    """For samples too large to repeat within the request. Idempotent while a repeated draw is running."""
    require_inspector(actor, sample.casino)
    _lock_casino(sample.casino)
    running = DrawJob.objects.filter(sample=sample, is_again=True, drawn_at=None, failed_at=None).first()
    return running or _create_job(population_of(sample), sample=sample, is_again=True)


def _lock_casino(casino: Casino) -> None:
    """Serializes requests for one casino."""
    Casino.objects.select_for_update(no_key=True).get(pk=casino.pk)


def create_draw_job(sample: Sample, population: Population) -> DrawJob:
    """Called in the transaction of the seed, or again after a failure."""
    return _create_job(population, sample=sample, is_again=False)


def _create_job(population: Population, *, sample: Sample, is_again: bool) -> DrawJob:
    """Small draws run in the request; larger ones wake a worker."""
    first = population.first
    values = {"rounds": population.rounds, "first": first, "last": population.last, "reached": first}
    if is_again:
        job = DrawJob.objects.create(sample=sample, is_again=True, **values)
    else:
        reset = {"weighed": 0, "so_far": {}, "attempts": 0, "failure": "", "failed_at": None}
        job, _ = DrawJob.objects.update_or_create(sample=sample, is_again=False, defaults=values | reset)
    if population.rounds > MAX_IMMEDIATE_ROUNDS:
        wake(DRAW_TASK)
    return job


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
    while _run_step(job, weigher, now):
        pass
    draw = Draw.objects.filter(sample=sample).first()
    if draw is None:
        raise DrawStopped(DrawJob.objects.get(pk=job.pk).failure)
    return draw


def run_waiting_draws(clock: Clock, is_time_up: Callable[[], bool] = lambda: False) -> bool:
    """Runs jobs, oldest first, until none is left or the time is up. Returns whether any is left."""
    with advisory_lock(DRAW_LOCK, 0) as is_ours:
        if is_ours:
            for job in iter(_next_job, None):
                weigher = RoundWeigher(job.sample)
                while _run_step(job, weigher, clock()):
                    if is_time_up():
                        return True
    return False


def _next_job() -> DrawJob | None:
    waiting = DrawJob.objects.filter(drawn_at=None, failed_at=None).exclude(sample__log__in=read_only_log_slugs())
    return waiting.select_related("sample__casino").order_by("pk").first()


def _run_step(job: DrawJob, weigher: RoundWeigher, now: datetime) -> bool:
    """Runs one step; returns whether another may follow."""
    begun = _begin_step(job, now)
    if begun is None:
        return False
    if begun.is_fully_weighed:
        finish_draw(drawing=job, sample=weigher.sample, now=now)
        return False
    weigh_next_range(begun, weigher)
    return True


@transaction.atomic
def _begin_step(job: DrawJob, now: datetime) -> DrawJob | None:
    """Counts the attempt before it runs. None if the job has ended."""
    begun = _lock_job(job)
    if begun.has_ended:
        return None
    if begun.attempts >= MAX_ATTEMPTS:
        _fail_job(begun, NEVER_FINISHED_MESSAGE.format(begun.reached), now)
        return None
    begun.attempts += 1
    begun.save(update_fields=["attempts"])
    return begun


def _lock_job(job: DrawJob) -> DrawJob:
    return DrawJob.objects.select_for_update(no_key=True).get(pk=job.pk)


def weigh_next_range(drawing: DrawJob, scales: RoundWeigher) -> None:
    """Weighs without a lock, then saves only if no other worker has saved this range."""
    last = min(drawing.reached + ENTRIES_PER_STEP, drawing.last)
    so_far = PartialDraw.from_json(drawing.so_far).with_rounds(scales.sample, scales.weigh(drawing.reached, last))
    unchanged = DrawJob.objects.filter(pk=drawing.pk, reached=drawing.reached, drawn_at=None, failed_at=None)
    unchanged.update(reached=last, weighed=so_far.by_weight.total(), so_far=so_far.as_json(), attempts=0)


@transaction.atomic
def finish_draw(*, drawing: DrawJob, sample: Sample, now: datetime) -> None:
    """Runs once: records the draw with its entry or, for a repeated draw, whether the result was the same."""
    done = _lock_job(drawing)
    if done.has_ended:
        return
    so_far = PartialDraw.from_json(done.so_far)
    if not done.is_again and so_far.by_weight.total() != done.rounds:
        _fail_job(done, POPULATION_CHANGED_MESSAGE.format(done.rounds, so_far.by_weight.total()), now)
        return
    drawn = so_far.result_for(sample)
    done.drawn_at, done.so_far, done.was_same = now, {}, is_same_draw(drawn, sample.draw) if done.is_again else None
    done.save(update_fields=["drawn_at", "so_far", "was_same"])
    if not done.is_again:
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


def _fail_job(job: DrawJob, why: str, now: datetime) -> None:
    logger.error("draw_failed", sample=job.sample_id, reached=job.reached, why=why)
    job.failure, job.failed_at = why, now
    job.save(update_fields=["failure", "failed_at"])
