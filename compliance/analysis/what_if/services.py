"""Services: request, cancel, retry and repeat a trial. The worker does the rest."""

from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.analysis.what_if.errors import NotAllowedToTry, NothingToTry, TooManyTrials
from compliance.analysis.what_if.models import Trial
from compliance.analysis.what_if.scope import TrialScope
from compliance.analysis.what_if.selectors import MAY_TRY
from compliance.analysis.what_if.subjects import TrialSubject
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.services.roles import lock_casinos
from compliance.core.web.jobs.job import UNFINISHED, JobNotEnded, cancel_job, retry_job
from compliance.core.web.jobs.wake import wake

# Per casino. Trials run one after the other.
MAX_WAITING = 5
# The fields of a request that a repetition copies.
REQUEST_FIELDS = (
    "casino", "source", "version", "rules", "title", "pack_id", "readings", "read_otherwise", "tables", "first_on",
    "last_on",
)  # fmt: skip


@transaction.atomic
def request_trial(*, casino: Casino, subject: TrialSubject, scope: TrialScope, actor: User, now: datetime) -> Trial:
    _require_may_try(casino, actor)
    _require_place_in_queue(casino)
    return _create_trial(
        casino=casino,
        asked_by=actor,
        asked_by_name=actor.name,
        asked_at=now,
        source=subject.source,
        version=subject.version,
        rules=subject.rules,
        title=subject.title,
        pack_id=subject.freeze_pack(),
        readings=dict(subject.readings),
        read_otherwise=subject.changed_readings,
        tables=sorted(scope.tables),
        first_on=scope.first_on,
        last_on=scope.last_on,
    )


@transaction.atomic
def repeat_trial(*, trial: Trial, actor: User, now: datetime) -> Trial:
    """A new trial of the same rules, as frozen for this one that is done, over what is audited by now."""
    _require_repeatable(trial, actor)
    if not trial.is_done:
        raise JobNotEnded("This trial is not done: only one that is done is tried again as a new one.")
    same = {name: getattr(trial, name) for name in REQUEST_FIELDS}
    return _create_trial(**same, asked_by=actor, asked_by_name=actor.name, asked_at=now)


@transaction.atomic
def retry_trial(*, trial: Trial, actor: User) -> Trial:
    """Puts a failed or cancelled trial back; its ranges are planned again, over what is audited by then."""
    _require_repeatable(trial, actor)
    return retry_job(trial)


def cancel_trial(*, trial: Trial, actor: User, now: datetime) -> Trial:
    _require_may_try(trial.casino, actor)
    return cancel_job(trial, by_name=actor.name, now=now)


def _require_repeatable(trial: Trial, actor: User) -> None:
    _require_may_try(trial.casino, actor)
    if trial.has_withdrawn_version:
        raise NothingToTry("This version was withdrawn.")
    _require_place_in_queue(trial.casino)


def _require_may_try(casino: Casino, actor: User) -> None:
    if not actor.has_role_in_database(*MAY_TRY, casino=casino):
        raise NotAllowedToTry


def _require_place_in_queue(casino: Casino) -> None:
    lock_casinos({casino.pk})
    if Trial.objects.filter(casino=casino, state__in=UNFINISHED).count() >= MAX_WAITING:
        raise TooManyTrials(f"{MAX_WAITING} trials of this casino are not done yet.")


def _create_trial(**fields: Any) -> Trial:
    trial = Trial.objects.create(**fields)
    wake(Trial.task)
    return trial
