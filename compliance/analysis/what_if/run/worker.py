"""The trial worker: evaluates one range after the other under both rules, each in its own transaction.

A worker that dies leaves its range undone, and it is tried again. Of a cancelled trial nothing is written any more.
"""

from collections.abc import Iterator
from datetime import datetime

from django.db import transaction

from compliance.analysis.what_if.compare_rules import FindingChange, compare_range, count_rounds_not_audited
from compliance.analysis.what_if.models import Trial, TrialDifference, TrialRange
from compliance.analysis.what_if.run.plan import plan_ranges
from compliance.analysis.what_if.run.totals import write_totals
from compliance.core.web.jobs.job import UNFINISHED, JobState, begin_attempt, fail_job, lock_job, require_running
from compliance.core.web.jobs.locks import Lock
from compliance.core.web.jobs.runner import TimeCheck, run_in_steps
from compliance.core.web.local_time import Clock
from rounds.engine import EngineError

INSERT_BATCH_SIZE = 2_000
NEVER_FINISHED_MESSAGE = (
    "Entries {:,} to {:,} were begun three times and never finished. Those who run the service can see why in its log."
)


def run_waiting_trials(clock: Clock, is_time_up: TimeCheck = lambda: False) -> bool:
    """Oldest trial first, range by range, until the time is up. Returns whether work is left."""
    waiting = Trial.objects.filter(state__in=UNFINISHED).select_related("casino").order_by("asked_at", "pk")
    return run_in_steps(waiting, Lock.TRIAL, lambda trial: lambda: _run_step(trial, clock()), is_time_up)


def _run_step(trial: Trial, now: datetime) -> bool:
    """One step. Returns whether another may follow."""
    if trial.state == JobState.WAITING:
        return begin_trial(trial=trial)
    trial_range = _begin_range(trial, now)
    if trial_range is None:
        return False
    try:
        return evaluate_range(trial=trial, trial_range=trial_range, now=now)
    except EngineError as error:
        entries = f"Entries {trial_range.first:,} to {trial_range.last - 1:,}"
        fail_job(trial, f"{entries} could not be judged: {error.message}", now)
        return False


@transaction.atomic
def begin_trial(*, trial: Trial) -> bool:
    if lock_job(trial).state != JobState.WAITING:
        return False
    trial.state, trial.rounds_waiting = JobState.RUNNING, count_rounds_not_audited(trial.casino, trial.scope)
    trial.save(update_fields=["state", "rounds_waiting"])
    TrialRange.objects.bulk_create(plan_ranges(trial), batch_size=INSERT_BATCH_SIZE)
    return True


@transaction.atomic
def _begin_range(trial: Trial, now: datetime) -> TrialRange | None:
    """The next undone range, its attempt counted first. Without one, the trial is done or failed."""
    require_running(trial)
    trial_range = trial.stretches.filter(done_at=None).order_by("first").first()
    if trial_range is None:
        _finish_trial(trial, now)
        return None
    never_finished = NEVER_FINISHED_MESSAGE.format(trial_range.first, trial_range.last - 1)
    return trial_range if begin_attempt(trial, now, never_finished) else None


def evaluate_range(*, trial: Trial, trial_range: TrialRange, now: datetime) -> bool:
    """Evaluates first, without lock; then writes, unless the trial was cancelled or another worker has written the
    range."""
    tried = compare_range(trial.casino, trial.to_rule_version(), trial_range.first, trial_range.last, trial.scope)
    with transaction.atomic():
        require_running(trial)
        undone = TrialRange.objects.select_for_update(no_key=True, of=("self",)).filter(pk=trial_range.pk, done_at=None)
        if undone.first() is not None:
            rows = _difference_rows(trial, tried.differences)
            TrialDifference.objects.bulk_create(rows, batch_size=INSERT_BATCH_SIZE)
            undone.update(done_at=now, rounds=tried.rounds, wagers=tried.wagers)
            trial.attempts = 0
            trial.save(update_fields=["attempts"])
    return True


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
    trial.state, trial.ended_at = JobState.DONE, now
    trial.save()
