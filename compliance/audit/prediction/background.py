"""Predictions in the background, for acts that affect more stored entries than can be evaluated while a person waits.

The form's own page shows progress and result: sending the form again plans the act again, evaluates its own entries
again, and takes from the job only what was found about stored entries that nothing recorded since could change.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import chain
from typing import Any

import msgspec
from django.db import transaction

from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.models import BackgroundPrediction, PredictedPart
from compliance.audit.prediction.predict import (
    MAX_UNREAD,
    KnownFindings,
    PlannedFindings,
    affected_entries,
    evaluate_change,
)
from compliance.core.accounts.models import Casino, User
from compliance.core.web.jobs.job import UNFINISHED, JobState, begin_attempt, cancel_job, lock_job, require_running
from compliance.core.web.jobs.locks import Lock
from compliance.core.web.jobs.runner import TimeCheck, run_in_steps
from compliance.core.web.jobs.wake import wake
from compliance.core.web.local_time import Clock
from rounds.ledger import LogEntry, Reaudit, encode_timestamp, read_entries, size_of
from rounds.ledger import entry_kinds as ledger_kinds

# Entries evaluated in one step of the job.
PART_SIZE = 200
KEPT_FOR = timedelta(days=1)


# --- Requests -------------------------------------------------------------------------------------------------------


def digest_act(planned: Sequence[LogEntry]) -> str:
    """Digest of what these entries say, apart from the time of recording and their own indexes."""
    first = planned[0].index
    said = [
        [each.kind, each.table, _without_now(each.content(), encode_timestamp(each.recorded_at), first, len(planned))]
        for each in planned
    ]
    return sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _without_now(value: Any, now: str, first: int, count: int) -> Any:
    if isinstance(value, dict):
        return {name: _without_now(each, now, first, count) for name, each in value.items()}
    if isinstance(value, list):
        return [_without_now(each, now, first, count) for each in value]
    if value == now:
        return "now"
    if type(value) is int and first <= value < first + count:
        return f"entry {value - first}"
    return value


def find_prediction(person: User, casino: Casino, planned: Sequence[LogEntry]) -> BackgroundPrediction | None:
    same = BackgroundPrediction.objects.filter(requested_by=person, casino=casino, act=digest_act(planned))
    return same.exclude(state=JobState.CANCELLED).order_by("-pk").first()


@transaction.atomic
def request_prediction(person: User, planned: PlannedFindings, now: datetime) -> BackgroundPrediction:
    """Starts the job. Those that the person waited for before are cancelled: the form was changed."""
    for earlier in BackgroundPrediction.objects.filter(requested_by=person, state__in=UNFINISHED):
        cancel_job(earlier, by_name=person.name, now=now)
    made = BackgroundPrediction.objects.create(
        casino=planned.casino,
        requested_by=person,
        requested_at=now,
        act=digest_act(planned.entries),
        entries=[_stored_form(each) for each in planned.entries],
        log_size=planned.entries[0].index,
    )
    wake(BackgroundPrediction.task)
    return made


def _stored_form(entry: LogEntry) -> dict[str, Any]:
    return {
        "index": entry.index,
        "kind": entry.kind,
        "table": entry.table,
        "recorded_at": encode_timestamp(entry.recorded_at),
        "body": entry.body.decode(),
    }


def planned_entries(job: BackgroundPrediction) -> list[LogEntry]:
    return [
        LogEntry(
            log=job.casino.slug,
            index=each["index"],
            kind=each["kind"],
            table=each["table"],
            controller=None,
            sequence=None,
            recorded_at=msgspec.convert(each["recorded_at"], datetime),
            body=each["body"].encode(),
            leaf_sha256=b"",
        )
        for each in job.entries
    ]


# --- Results --------------------------------------------------------------------------------------------------------


def recall_for(person: User, casino: Casino, planned: Sequence[LogEntry]) -> KnownFindings:
    """What the finished job for this act has found, without the entries that were affected by what was recorded since.
    Nothing if too much was recorded: then the job is done again."""
    job = find_prediction(person, casino, planned)
    size = size_of(casino.slug)
    if job is None or not job.is_done or size - job.log_size > MAX_UNREAD:
        return KnownFindings()
    since = read_entries(casino.slug, job.log_size, size) if job.log_size < size else ()
    if any(_reaudit_of(entry) is Reaudit.CORRECTED_ENTRY for entry in since):
        # What a correction affects can no longer be said once it has been consumed.
        return KnownFindings()
    parts = list(job.parts.all())
    evaluated = frozenset(chain.from_iterable(part.affected for part in parts)) - affected_entries(since)
    stored = chain.from_iterable(part.findings or () for part in parts)
    return KnownFindings(evaluated, [msgspec.convert(each, FindingDraft) for each in stored])


def _reaudit_of(entry: LogEntry) -> Reaudit | None:
    kind = ledger_kinds.find_kind(entry.kind)
    return kind.reaudit if kind else None


# --- Worker ---------------------------------------------------------------------------------------------------------


def run_waiting_predictions(clock: Clock, is_time_up: TimeCheck = lambda: False) -> bool:
    """Oldest first, part by part, until the time is up. Returns whether work is left."""
    waiting = BackgroundPrediction.objects.filter(state__in=UNFINISHED).select_related("casino")
    return run_in_steps(waiting, Lock.PREDICTION, lambda job: lambda: _run_step(job, clock()), is_time_up)


def delete_old_predictions(now: datetime) -> None:
    old = BackgroundPrediction.objects.filter(requested_at__lt=now - KEPT_FOR)
    for job in old.filter(state__in=UNFINISHED):
        cancel_job(job, by_name="The service", now=now)
    old.delete()


def _run_step(job: BackgroundPrediction, now: datetime) -> bool:
    if job.state == JobState.WAITING:
        return _begin(job)
    part = _next_part(job, now)
    if part is None:
        return False
    planned = planned_entries(job)
    indexes = {each.index for each in planned}
    drafts = [each for each in evaluate_change(job.casino, planned, part.affected) if each.index not in indexes]
    with transaction.atomic():
        require_running(job)
        PredictedPart.objects.filter(pk=part.pk).update(findings=msgspec.to_builtins(drafts))
        job.attempts = 0
        job.save(update_fields=["attempts"])
    return True


@transaction.atomic
def _begin(job: BackgroundPrediction) -> bool:
    if lock_job(job).state != JobState.WAITING:
        return False
    job.state = JobState.RUNNING
    job.save(update_fields=["state"])
    affected = sorted(affected_entries(planned_entries(job)))
    parts = (affected[first : first + PART_SIZE] for first in range(0, len(affected), PART_SIZE))
    PredictedPart.objects.bulk_create(PredictedPart(prediction=job, affected=part) for part in parts)
    return True


@transaction.atomic
def _next_part(job: BackgroundPrediction, now: datetime) -> PredictedPart | None:
    """The next part that is not done, its attempt counted first. Without one, the job is done or failed."""
    require_running(job)
    part = job.parts.filter(findings__isnull=True).first()
    if part is None:
        job.state, job.ended_at = JobState.DONE, now
        job.save(update_fields=["state", "ended_at"])
        return None
    return part if begin_attempt(job, now) else None
