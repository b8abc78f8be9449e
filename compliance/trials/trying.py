"""Working off trials: a worker judges one stretch after the other under both rules, each in a transaction of its own.

A worker that dies leaves a stretch undone, which is begun again; one that comes second finds nothing left to do.
"""

from collections.abc import Callable, Iterator
from datetime import datetime

import structlog
from django.db import transaction

from compliance.audit.what_if import Difference as Judged
from compliance.audit.what_if import rounds_waiting, try_stretch
from compliance.trials.models import Difference, Stretch, Trial
from compliance.trials.planning import plan_stretches
from compliance.trials.services import forget_findings
from compliance.trials.states import UNFINISHED, State
from compliance.trials.summing import add_up
from compliance.web.held import held
from compliance.web.moments import Clock
from rounds.engine.errors import EngineError

logger = structlog.get_logger(__name__)

# Any number that no other kind of work uses. One worker at a time: the others keep up with the floor meanwhile.
TRYING_LOCK = 0x54525921
MOST_ATTEMPTS = 3
ROWS_AT_ONCE = 2_000


def try_waiting(clock: Clock, is_time_up: Callable[[], bool] = lambda: False) -> bool:
    """The oldest trial first, stretch by stretch, until nothing is left or the time is up; whether anything is left."""
    with held(TRYING_LOCK, 0) as is_ours:
        if is_ours:
            for trial in iter(_next, None):
                while _go_on(trial, clock()):
                    if is_time_up():
                        return True
    return False


def _next() -> Trial | None:
    waiting = Trial.objects.filter(state__in=UNFINISHED).select_related("casino").order_by("asked_at", "pk")
    return waiting.first()


def _go_on(trial: Trial, now: datetime) -> bool:
    """One step of the work; whether another may follow."""
    if trial.state == State.WAITING:
        return begin_trial(trial=trial)
    stretch = _begin_stretch(trial, now)
    if stretch is None:
        return False
    try:
        return try_next(trial=trial, stretch=stretch, now=now)
    except EngineError as error:
        logger.error("trial_failed", trial=trial.pk, first=stretch.first, error=str(error))
        _fail(trial, now, f"Entries {stretch.first:,} to {stretch.last - 1:,} could not be judged: {error.message}")
        return False


@transaction.atomic
def begin_trial(*, trial: Trial) -> bool:
    if not _still(trial, State.WAITING):
        return False
    trial.state, trial.rounds_waiting = State.TRYING, rounds_waiting(trial.casino, trial.scope)
    trial.save(update_fields=["state", "rounds_waiting"])
    Stretch.objects.bulk_create(plan_stretches(trial), batch_size=ROWS_AT_ONCE)
    return True


@transaction.atomic
def _begin_stretch(trial: Trial, now: datetime) -> Stretch | None:
    """The next that nobody did, counted before it is begun; the trial is done, or failed, where there is none."""
    if not _still(trial, State.TRYING):
        return None
    stretch = trial.stretches.filter(done_at=None).order_by("first").first()
    if stretch is None:
        _finish(trial, now)
        return None
    if stretch.attempts >= MOST_ATTEMPTS:
        words = f"Entries {stretch.first:,} to {stretch.last - 1:,} were begun three times and never finished."
        _fail(trial, now, f"{words} Those who run the service can see why in its log.")
        return None
    stretch.attempts += 1
    stretch.save(update_fields=["attempts"])
    return stretch


@transaction.atomic
def try_next(*, trial: Trial, stretch: Stretch, now: datetime) -> bool:
    """Judged first; then written, unless somebody stopped the trial or another worker was quicker."""
    tried = try_stretch(trial.casino, trial.as_version(), stretch.first, stretch.last, trial.scope)
    if not _still(trial, State.TRYING):
        return False
    undone = Stretch.objects.select_for_update(no_key=True, of=("self",)).filter(pk=stretch.pk, done_at=None)
    if undone.first() is None:
        return True
    Difference.objects.bulk_create(_rows(trial, tried.differences), batch_size=ROWS_AT_ONCE)
    undone.update(done_at=now, rounds=tried.rounds, wagers=tried.wagers)
    return True


def _still(trial: Trial, state: State) -> bool:
    """Whether the trial is in this state, and stays so until the transaction ends."""
    return Trial.objects.select_for_update(no_key=True).filter(pk=trial.pk, state=state).exists()


def _rows(trial: Trial, differences: list[Judged]) -> Iterator[Difference]:
    for each in differences:
        subject = each.subject
        reading, choice = subject.reading or ("", "")
        yield Difference(
            trial=trial, subject_index=subject.index, table=subject.table, gaming_day=each.gaming_day, at=subject.at,
            round=each.round, wager=subject.wager, bet=each.bet, holder=each.holder,
            code_now=each.now.code if each.now else "", code_then=each.then.code if each.then else "",
            clause=subject.clause, reading=reading, choice=choice, due_now_cents=each.due_now_cents,
            due_then_cents=each.due_then_cents, returned_cents=subject.found_cents, more_cents=each.at_stake_cents,
        )  # fmt: skip


def _finish(trial: Trial, now: datetime) -> None:
    add_up(trial)
    trial.state, trial.ended_at = State.DONE, now
    trial.save()


@transaction.atomic
def _fail(trial: Trial, now: datetime, why: str) -> None:
    if _still(trial, State.TRYING):
        trial.state, trial.ended_at, trial.failure = State.FAILED, now, why
        trial.save(update_fields=["state", "ended_at", "failure"])
        forget_findings(trial)
