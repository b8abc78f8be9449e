"""Services: request, repeat and stop a trial. The worker does the rest."""

from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.analysis.what_if.errors import NotAllowedToTry, NothingToTry, TooManyTrials, TrialEnded
from compliance.analysis.what_if.models import Trial
from compliance.analysis.what_if.scope import TrialScope
from compliance.analysis.what_if.selectors import MAY_TRY
from compliance.analysis.what_if.states import UNFINISHED, State
from compliance.analysis.what_if.subjects import TrialSubject
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.services.roles import lock_casinos
from compliance.core.web.jobs.wake import wake

TRIAL_TASK = "compliance.analysis.what_if.tasks.run_trials"
# Per casino. Trials run one after the other.
MAX_WAITING = 5
# The fields of a request that a repetition copies.
REQUEST_FIELDS = (
    "casino", "source", "version", "rules", "title", "pack_id", "readings", "read_otherwise", "tables", "first_on",
    "last_on",
)  # fmt: skip


@transaction.atomic
def request_trial(*, casino: Casino, subject: TrialSubject, scope: TrialScope, actor: User, now: datetime) -> Trial:
    _require_may_request(casino, actor)
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
    """A new trial of the same rules, as frozen for this one, over what is audited by now."""
    _require_may_request(trial.casino, actor)
    if trial.has_withdrawn_version:
        raise NothingToTry("This version was withdrawn.")
    same = {name: getattr(trial, name) for name in REQUEST_FIELDS}
    return _create_trial(**same, asked_by=actor, asked_by_name=actor.name, asked_at=now)


def _require_may_request(casino: Casino, actor: User) -> None:
    if not actor.has_role_in_database(*MAY_TRY, casino=casino):
        raise NotAllowedToTry
    lock_casinos({casino.pk})
    if Trial.objects.filter(casino=casino, state__in=UNFINISHED).count() >= MAX_WAITING:
        raise TooManyTrials(f"{MAX_WAITING} trials of this casino are not done yet.")


def _create_trial(**fields: Any) -> Trial:
    trial = Trial.objects.create(**fields)
    wake(TRIAL_TASK)
    return trial


@transaction.atomic
def stop_trial(*, trial: Trial, actor: User, now: datetime) -> Trial:
    """Deletes its results so far: part of the differences says nothing about all of them."""
    if not actor.has_role_in_database(*MAY_TRY, casino=trial.casino):
        raise NotAllowedToTry
    stopped = Trial.objects.select_for_update(no_key=True).get(pk=trial.pk)
    if not stopped.is_unfinished:
        raise TrialEnded
    stopped.state, stopped.stopped_by_name, stopped.ended_at = State.STOPPED, actor.name, now
    stopped.save(update_fields=["state", "stopped_by_name", "ended_at"])
    delete_results(stopped)
    return stopped


def delete_results(trial: Trial) -> None:
    trial.found.all().delete()
    trial.stretches.all().delete()
