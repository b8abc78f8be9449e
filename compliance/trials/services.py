"""Asking for a trial, once more for the same, and stopping it. Workers do the rest; the rows remember it."""

from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.accounts.models import Casino, User
from compliance.accounts.services.roles import lock_casinos
from compliance.audit.scope import Scope
from compliance.trials.errors import Ended, EnoughWaits, MayNotTry, NothingToTry
from compliance.trials.models import Trial
from compliance.trials.selectors import MAY_TRY
from compliance.trials.states import UNFINISHED, State
from compliance.trials.subjects import Subject
from compliance.web.bell import ring

TRY = "compliance.trials.tasks.try_rules"
# Of one casino. They are worked off one after the other.
MOST_WAITING = 5
# What is tried over what.
ASKED = (
    "casino", "source", "version", "rules", "title", "pack_id", "readings", "read_otherwise", "tables", "first_on",
    "last_on",
)  # fmt: skip


@transaction.atomic
def ask_for_trial(*, casino: Casino, subject: Subject, scope: Scope, actor: User, now: datetime) -> Trial:
    _may_ask(casino, actor)
    return _ask(
        casino=casino, asked_by=actor, asked_by_name=actor.name, asked_at=now, source=subject.source,
        version=subject.version, rules=subject.rules, title=subject.title, pack_id=subject.frozen_pack(),
        readings=dict(subject.readings), read_otherwise=subject.read_otherwise, tables=sorted(scope.tables),
        first_on=scope.first_on, last_on=scope.last_on,
    )  # fmt: skip


@transaction.atomic
def try_again(*, trial: Trial, actor: User, now: datetime) -> Trial:
    """A trial of its own, of the same rules as they were kept for this one, over what is audited by now."""
    _may_ask(trial.casino, actor)
    if trial.is_of_withdrawn:
        raise NothingToTry("This version was withdrawn.")
    same = {name: getattr(trial, name) for name in ASKED}
    return _ask(**same, asked_by=actor, asked_by_name=actor.name, asked_at=now)


def _may_ask(casino: Casino, actor: User) -> None:
    if not actor.still_holds(*MAY_TRY, casino=casino):
        raise MayNotTry
    lock_casinos({casino.pk})
    if Trial.objects.filter(casino=casino, state__in=UNFINISHED).count() >= MOST_WAITING:
        raise EnoughWaits(f"{MOST_WAITING} trials of this casino are not done yet.")


def _ask(**asked: Any) -> Trial:
    trial = Trial.objects.create(**asked)
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
