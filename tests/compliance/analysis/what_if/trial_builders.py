"""A finished trial with hand-written differences, for page tests that need no rounds."""

from datetime import datetime

from compliance.analysis.what_if.models import Trial, TrialDifference, TrialRange
from compliance.analysis.what_if.run.worker import begin_trial, run_waiting_trials
from compliance.analysis.what_if.scope import FULL_SCOPE
from compliance.analysis.what_if.services import request_trial
from compliance.analysis.what_if.subjects import subject_from_readings
from compliance.core.accounts.models import Casino, User
from rounds.rulebook.models import RuleVersion
from tests.compliance.analysis.what_if.trial_setup import EVERY_EVEN


def trial_by_hand(version: RuleVersion, officer: User, now: datetime, count: int = 2) -> Trial:
    casino: Casino = version.casino
    subject = subject_from_readings(version, EVERY_EVEN)
    trial = request_trial(casino=casino, subject=subject, scope=FULL_SCOPE, actor=officer, now=now)
    begin_trial(trial=trial)
    trial.stretches.all().delete()
    last = max(1, count)
    TrialRange.objects.create(trial=trial, first=0, last=last, done_at=now, rounds=count, wagers=count)
    TrialDifference.objects.bulk_create(
        TrialDifference(
            trial=trial,
            subject_index=number,
            table=f"sb-{1 + number % 3}",
            gaming_day=now.date(),
            at=now,
            round=f"r-{number}",
            wager="w-1",
            bet="even",
            holder=f"p-{number:02}",
            code_then="SETTLE-READING",
            clause="3.2.2.1",
            reading="even",
            choice="as-printed",
            due_now_cents=0,
            due_then_cents=2_000 + 100 * number,
            returned_cents=0,
            more_cents=2_000 + 100 * number,
        )
        for number in range(count)
    )
    run_waiting_trials(lambda: now)
    trial.refresh_from_db()
    return trial
