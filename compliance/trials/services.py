"""Asking for a trial and stopping it. Workers do the rest; the rows remember it."""

from datetime import datetime

from django.db import transaction

from compliance.accounts.models import Casino, User
from compliance.accounts.services.roles import lock_casinos
from compliance.audit.scope import Scope
from compliance.trials.errors import Ended, EnoughWaits, MayNotTry
from compliance.trials.models import Trial
from compliance.trials.selectors import MAY_TRY
from compliance.trials.states import UNFINISHED, State
from compliance.trials.subjects import Subject
from compliance.web.bell import ring

TRY = "compliance.trials.tasks.try_rules"
# Of one casino. They are worked off one after the other.
MOST_WAITING = 5


@transaction.atomic
def ask_for_trial(*, casino: Casino, subject: Subject, scope: Scope, actor: User, now: datetime) -> Trial:
    if not actor.still_holds(*MAY_TRY, casino=casino):
        raise MayNotTry
    lock_casinos({casino.pk})
    if Trial.objects.filter(casino=casino, state__in=UNFINISHED).count() >= MOST_WAITING:
        raise EnoughWaits(f"{MOST_WAITING} trials of this casino are not done yet.")
    trial = Trial.objects.create(
        casino=casino, asked_by=actor, asked_by_name=actor.name, asked_at=now, source=subject.source,
        version=subject.version, rules=subject.rules, title=subject.title, pack_id=subject.frozen_pack(),
        readings=dict(subject.readings), read_otherwise=subject.read_otherwise, tables=sorted(scope.tables),
        first_on=scope.first_on, last_on=scope.last_on,
    )  # fmt: skip
    ring(TRY)
    return trial


@transaction.atomic
def stop_trial(*, trial: Trial, actor: User, now: datetime) -> Trial:
    """What it brought so far goes with it: a part of the differences says nothing about all of them."""
    if not actor.still_holds(*MAY_TRY, casino=trial.casino):
        raise MayNotTry
    stopped = Trial.objects.select_for_update(no_key=True).get(pk=trial.pk)
    if not stopped.is_unfinished:
        raise Ended
    stopped.state, stopped.stopped_by_name, stopped.ended_at = State.STOPPED, actor.name, now
    stopped.save(update_fields=["state", "stopped_by_name", "ended_at"])
    forget_findings(stopped)
    return stopped


def forget_findings(trial: Trial) -> None:
    trial.found.all().delete()
    trial.stretches.all().delete()
