"""A trial that is done, with differences written by hand: for pages that need one without a round being played."""

from datetime import datetime

from compliance.accounts.models import Casino, User
from compliance.audit.scope import EVERYWHERE
from compliance.trials.models import Difference, Stretch, Trial
from compliance.trials.services import ask_for_trial
from compliance.trials.subjects import of_readings
from compliance.trials.trying import begin_trial, try_waiting
from rounds.rulebook.models import RuleVersion
from tests.compliance.trials.bench import EVERY_EVEN


def trial_by_hand(version: RuleVersion, officer: User, now: datetime, count: int = 2) -> Trial:
    casino: Casino = version.casino
    subject = of_readings(version, EVERY_EVEN)
    trial = ask_for_trial(casino=casino, subject=subject, scope=EVERYWHERE, actor=officer, now=now)
    begin_trial(trial=trial)
    trial.stretches.all().delete()
    last = max(1, count)
    Stretch.objects.create(trial=trial, first=0, last=last, attempts=1, done_at=now, rounds=count, wagers=count)
    Difference.objects.bulk_create(
        Difference(
            trial=trial, subject_index=number, table=f"sb-{1 + number % 3}", gaming_day=now.date(), at=now,
            round=f"r-{number}", wager="w-1", bet="even", holder=f"p-{number:02}", code_then="SETTLE-READING",
            clause="3.2.2.1", reading="even", choice="as-printed", due_now_cents=0, due_then_cents=2_000 + 100 * number,
            returned_cents=0, more_cents=2_000 + 100 * number,
        )
        for number in range(count)
    )  # fmt: skip
    try_waiting(lambda: now)
    trial.refresh_from_db()
    return trial
