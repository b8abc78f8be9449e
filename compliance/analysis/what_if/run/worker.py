"""The trial worker: evaluates one range after the other under both rules, each in its own transaction.

A worker that dies leaves its range undone, and it is tried again. A second worker finds the advisory lock taken and
exits.
"""

from collections.abc import Callable, Iterator
from datetime import datetime

import structlog
from django.db import transaction

from compliance.analysis.what_if.compare_rules import FindingChange, compare_range, count_rounds_not_audited
from compliance.analysis.what_if.models import Trial, TrialDifference, TrialRange
from compliance.analysis.what_if.run.plan import plan_ranges
from compliance.analysis.what_if.run.totals import write_totals
from compliance.analysis.what_if.services import delete_results
from compliance.analysis.what_if.states import UNFINISHED, State
from compliance.core.web.jobs.locks import advisory_lock
from compliance.core.web.local_time import Clock
from rounds.engine import EngineError

logger = structlog.get_logger(__name__)

# Advisory lock number, unique to this job. Only one worker runs trials, so that the others keep up with the floor.
TRIAL_LOCK = 0x54525921
MAX_ATTEMPTS = 3
INSERT_BATCH_SIZE = 2_000


def run_waiting_trials(clock: Clock, is_time_up: Callable[[], bool] = lambda: False) -> bool:
    """Oldest trial first, range by range, until the time is up. Returns whether work is left."""
    with advisory_lock(TRIAL_LOCK, 0) as is_ours:
        if is_ours:
            for trial in iter(_next_trial, None):
                while _run_step(trial, clock()):
                    if is_time_up():
                        return True
    return False


def _next_trial() -> Trial | None:
    waiting = Trial.objects.filter(state__in=UNFINISHED).select_related("casino").order_by("asked_at", "pk")
    return waiting.first()


def _run_step(trial: Trial, now: datetime) -> bool:
    """One step. Returns whether another may follow."""
    if trial.state == State.WAITING:
        return begin_trial(trial=trial)
    trial_range = _begin_range(trial, now)
    if trial_range is None:
        return False
    try:
        return evaluate_range(trial=trial, trial_range=trial_range, now=now)
    except EngineError as error:
        logger.error("trial_failed", trial=trial.pk, first=trial_range.first, error=str(error))
        _fail_trial(
            trial,
            now,
            f"Entries {trial_range.first:,} to {trial_range.last - 1:,} could not be judged: {error.message}",
        )
        return False


@transaction.atomic
def begin_trial(*, trial: Trial) -> bool:
    if not _lock_in_state(trial, State.WAITING):
        return False
    trial.state, trial.rounds_waiting = State.TRYING, count_rounds_not_audited(trial.casino, trial.scope)
    trial.save(update_fields=["state", "rounds_waiting"])
    TrialRange.objects.bulk_create(plan_ranges(trial), batch_size=INSERT_BATCH_SIZE)
    return True


@transaction.atomic
def _begin_range(trial: Trial, now: datetime) -> TrialRange | None:
    """The next undone range, with `attempts` incremented first. Without one, the trial is done or failed."""
    if not _lock_in_state(trial, State.TRYING):
        return None
    trial_range = trial.stretches.filter(done_at=None).order_by("first").first()
    if trial_range is None:
        _finish_trial(trial, now)
        return None
    if trial_range.attempts >= MAX_ATTEMPTS:
        words = f"Entries {trial_range.first:,} to {trial_range.last - 1:,} were begun three times and never finished."
        _fail_trial(trial, now, f"{words} Those who run the service can see why in its log.")
        return None
    trial_range.attempts += 1
    trial_range.save(update_fields=["attempts"])
    return trial_range


@transaction.atomic
def evaluate_range(*, trial: Trial, trial_range: TrialRange, now: datetime) -> bool:
    """Evaluates first, without lock; then writes, unless the trial was stopped or another worker has written the
    range."""
    tried = compare_range(trial.casino, trial.to_rule_version(), trial_range.first, trial_range.last, trial.scope)
    if not _lock_in_state(trial, State.TRYING):
        return False
    undone = TrialRange.objects.select_for_update(no_key=True, of=("self",)).filter(pk=trial_range.pk, done_at=None)
    if undone.first() is None:
        return True
    TrialDifference.objects.bulk_create(_difference_rows(trial, tried.differences), batch_size=INSERT_BATCH_SIZE)
    undone.update(done_at=now, rounds=tried.rounds, wagers=tried.wagers)
    return True


def _lock_in_state(trial: Trial, state: State) -> bool:
    """Locks the trial's row until the end of the transaction. Returns whether it is in this state."""
    return Trial.objects.select_for_update(no_key=True).filter(pk=trial.pk, state=state).exists()


def _difference_rows(trial: Trial, differences: list[FindingChange]) -> Iterator[TrialDifference]:
    for each in differences:
        subject = each.draft
        reading, choice = subject.reading or ("", "")
        yield TrialDifference(
            trial=trial,
            subject_index=subject.index,
            table=subject.table,
            gaming_day=each.gaming_day,
            at=subject.at,
            round=each.round,
            wager=subject.wager,
            bet=each.bet,
            holder=each.holder,
            code_now=each.current_draft.code if each.current_draft else "",
            code_then=each.changed_draft.code if each.changed_draft else "",
            clause=subject.clause,
            reading=reading,
            choice=choice,
            due_now_cents=each.due_now_cents,
            due_then_cents=each.due_then_cents,
            returned_cents=subject.found_cents,
            more_cents=each.at_stake_cents,
        )


def _finish_trial(trial: Trial, now: datetime) -> None:
    write_totals(trial)
    trial.state, trial.ended_at = State.DONE, now
    trial.save()


@transaction.atomic
def _fail_trial(trial: Trial, now: datetime, why: str) -> None:
    if _lock_in_state(trial, State.TRYING):
        trial.state, trial.ended_at, trial.failure = State.FAILED, now, why
        trial.save(update_fields=["state", "ended_at", "failure"])
        delete_results(trial)
