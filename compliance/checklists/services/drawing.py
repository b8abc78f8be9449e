"""Drawing what was seeded, stretch by stretch of the log: at once where it is little, else by workers. The same for
drawing it once more, to see that the same comes out.

A worker that dies leaves a stretch unweighed, which is begun again; one that comes second finds nothing left to do.
"""

from collections.abc import Callable
from datetime import datetime

import structlog
from django.db import transaction

from compliance.accounts.models import Casino, User
from compliance.checklists.drawing import Drawn, Population, population_of
from compliance.checklists.errors import DrawnAlready, DrawStopped
from compliance.checklists.kinds import DRAWN
from compliance.checklists.models import Draw, Drawing, Sample, SampledRound
from compliance.checklists.selectors import require_inspector
from compliance.checklists.tickets import STRETCH, SoFar
from compliance.checklists.weighing import Scales
from compliance.web.bell import ring
from compliance.web.held import held
from compliance.web.moments import Clock
from rounds.ledger.read_only import read_only_logs
from rounds.ledger.rows import write_row

logger = structlog.get_logger(__name__)

DRAW = "compliance.checklists.tasks.draw_samples"
# Rounds that are weighed while the person waits: about a second, with every factor and twenty wagers a round.
AT_ONCE = 100_000
MOST_ATTEMPTS = 3
# Any number that no other kind of work uses. One worker at a time: the others keep up with the floor meanwhile.
DRAWING_LOCK = 0x44524157
NEVER_FINISHED = (
    "The rounds from entry {:,} on were begun to be weighed three times and never finished. Those who run the service "
    "can see why in its log."
)
OTHER_ROUNDS = "Out of {:,} rounds it was to be drawn, and {:,} were there when they were weighed."


@transaction.atomic
def ask_for_draw(*, sample: Sample, actor: User) -> Drawing:
    """For a sample that is not drawn: its draw failed, or it was seeded before draws were noted."""
    require_inspector(actor, sample.casino)
    _wait_for(sample.casino)
    drawing = Drawing.objects.filter(sample=sample, is_again=False).first()
    if Draw.objects.filter(sample=sample).exists():
        raise DrawnAlready
    return begin_drawing(sample, population_of(sample)) if drawing is None or drawing.failed_at else drawing


@transaction.atomic
def ask_to_draw_again(*, sample: Sample, actor: User) -> Drawing:
    """Where it is more than whoever asks can wait for. Asked twice, it is drawn once."""
    require_inspector(actor, sample.casino)
    _wait_for(sample.casino)
    going_on = Drawing.objects.filter(sample=sample, is_again=True, drawn_at=None, failed_at=None).first()
    return going_on or _begin(population_of(sample), sample=sample, is_again=True)


def _wait_for(casino: Casino) -> None:
    """One who asks at a time."""
    Casino.objects.select_for_update(no_key=True).get(pk=casino.pk)


def begin_drawing(sample: Sample, population: Population) -> Drawing:
    """In the transaction of the seed; or afresh, if it failed."""
    return _begin(population, sample=sample, is_again=False)


def _begin(population: Population, *, sample: Sample, is_again: bool) -> Drawing:
    """Few rounds are drawn by whoever asked; more are left to a worker."""
    first = population.first
    asked = {"rounds": population.rounds, "first": first, "last": population.last, "reached": first}
    if is_again:
        drawing = Drawing.objects.create(sample=sample, is_again=True, **asked)
    else:
        afresh = {"weighed": 0, "so_far": {}, "attempts": 0, "failure": "", "failed_at": None}
        drawing, _ = Drawing.objects.update_or_create(sample=sample, is_again=False, defaults=asked | afresh)
    if population.rounds > AT_ONCE:
        ring(DRAW)
    return drawing


def draw_if_few(*, sample: Sample, now: datetime) -> Draw | None:
    """None where it is left to a worker."""
    rounds = Drawing.objects.values_list("rounds", flat=True).get(sample=sample, is_again=False)
    return draw_sample(sample=sample, now=now) if rounds <= AT_ONCE else None


def draw_sample(*, sample: Sample, now: datetime) -> Draw:
    """All of it, in transactions of their own, after the seed's: an entry that is committed cannot be taken for
    another."""
    if Draw.objects.filter(sample=sample).exists():
        raise DrawnAlready
    drawing, scales = Drawing.objects.get(sample=sample, is_again=False), Scales(sample)
    while _go_on(drawing, scales, now):
        pass
    draw = Draw.objects.filter(sample=sample).first()
    if draw is None:
        raise DrawStopped(Drawing.objects.get(pk=drawing.pk).failure)
    return draw


def draw_waiting(clock: Clock, is_time_up: Callable[[], bool] = lambda: False) -> bool:
    """The oldest first, until nothing is left or the time is up; whether anything is left."""
    with held(DRAWING_LOCK, 0) as is_ours:
        if is_ours:
            for drawing in iter(_next, None):
                scales = Scales(drawing.sample)
                while _go_on(drawing, scales, clock()):
                    if is_time_up():
                        return True
    return False


def _next() -> Drawing | None:
    waiting = Drawing.objects.filter(drawn_at=None, failed_at=None).exclude(sample__log__in=read_only_logs())
    return waiting.select_related("sample__casino").order_by("pk").first()


def _go_on(drawing: Drawing, scales: Scales, now: datetime) -> bool:
    """One step of the work; whether another may follow."""
    begun = _begin_step(drawing, now)
    if begun is None:
        return False
    if begun.is_weighed:
        finish_draw(drawing=drawing, sample=scales.sample, now=now)
        return False
    weigh_next(begun, scales)
    return True


@transaction.atomic
def _begin_step(drawing: Drawing, now: datetime) -> Drawing | None:
    """Counted before it is begun; None where the draw has ended."""
    begun = _locked(drawing)
    if begun.has_ended:
        return None
    if begun.attempts >= MOST_ATTEMPTS:
        _fail(begun, NEVER_FINISHED.format(begun.reached), now)
        return None
    begun.attempts += 1
    begun.save(update_fields=["attempts"])
    return begun


def _locked(drawing: Drawing) -> Drawing:
    return Drawing.objects.select_for_update(no_key=True).get(pk=drawing.pk)


def weigh_next(drawing: Drawing, scales: Scales) -> None:
    """Weighed first; then noted, unless somebody else was quicker."""
    last = min(drawing.reached + STRETCH, drawing.last)
    so_far = SoFar.read(drawing.so_far).with_more(scales.sample, scales.weigh(drawing.reached, last))
    as_it_was = Drawing.objects.filter(pk=drawing.pk, reached=drawing.reached, drawn_at=None, failed_at=None)
    as_it_was.update(reached=last, weighed=so_far.by_weight.total(), so_far=so_far.as_json(), attempts=0)


@transaction.atomic
def finish_draw(*, drawing: Drawing, sample: Sample, now: datetime) -> None:
    """Once: the draw and its entry, or, where it was drawn again, whether the same came out."""
    done = _locked(drawing)
    if done.has_ended:
        return
    so_far = SoFar.read(done.so_far)
    if not done.is_again and so_far.by_weight.total() != done.rounds:
        _fail(done, OTHER_ROUNDS.format(done.rounds, so_far.by_weight.total()), now)
        return
    drawn = so_far.drawn_for(sample)
    done.drawn_at, done.so_far, done.was_same = now, {}, is_same(drawn, sample.draw) if done.is_again else None
    done.save(update_fields=["drawn_at", "so_far", "was_same"])
    if not done.is_again:
        _record(sample, drawn, now)


def is_same(drawn: Drawn, draw: Draw) -> bool:
    """Whether this is what was recorded: the rounds, out of how many, and what they weighed."""
    rounds = [one.index for one in drawn.rounds]
    is_weighed_alike = draw.weighed is None or drawn.as_weighed() == draw.weighed
    return rounds == draw.rounds and drawn.population == draw.population and is_weighed_alike


def _record(sample: Sample, drawn: Drawn, now: datetime) -> None:
    draw = Draw(
        sample=sample, population=drawn.population, rounds=[one.index for one in drawn.rounds],
        weighed=drawn.as_weighed() if sample.is_weighted else None, drawn_at=now,
    )  # fmt: skip
    SampledRound.objects.bulk_create(
        SampledRound(
            sample=sample, place=place, round_index=one.index, table=one.table, started_at=one.started_at,
            weight=one.weight, factors=list(one.factors),
        )
        for place, one in enumerate(drawn.rounds, 1)
    )  # fmt: skip
    write_row(draw, kind=DRAWN, log=sample.log, now=now)


def _fail(drawing: Drawing, why: str, now: datetime) -> None:
    logger.error("draw_failed", sample=drawing.sample_id, reached=drawing.reached, why=why)
    drawing.failure, drawing.failed_at = why, now
    drawing.save(update_fields=["failure", "failed_at"])
