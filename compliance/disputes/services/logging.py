"""Logging a dispute, and keeping what was typed until it is logged."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.accounts.models import Casino, User
from compliance.accounts.roles import Role
from compliance.disputes import kinds
from compliance.disputes.attachments import Stored
from compliance.disputes.clocks import due_at, wait_of
from compliance.disputes.errors import NoSuchWager
from compliance.disputes.models import Attachment, Dispute, DisputedWager, Draft, Statement
from compliance.disputes.reckoning import Reckoned
from compliance.disputes.recording import lock_casino, lock_dispute, take_step
from compliance.disputes.said import Attaching
from compliance.disputes.standing import loggers_of, readers_of, require
from compliance.disputes.states import State
from compliance.disputes.subjects import Subject
from compliance.patrons.services import keep_personal
from compliance.patrons.subjects import DISPUTE
from rounds.ledger.appending import append, record
from rounds.ledger.personal import SALT_BYTES, salted_digest


@transaction.atomic
def log_dispute(
    *,
    subject: Subject,
    wagers: Sequence[str],
    grounds: str,
    statement: str,
    present: Sequence[str],
    actor: User,
    now: datetime,
    category: str = "",
    patron: Mapping[str, str] | None = None,
    files: Sequence[Stored] = (),
) -> Dispute:
    """Write down what a patron disputes. What the rules give for the wagers is worked out and kept with it."""
    casino = subject.casino
    rank = require(actor, casino, loggers_of(is_promotion=subject.is_promotion))
    chosen = _chosen(subject, wagers)
    lock_casino(casino)
    dispute = _new_dispute(subject, now)
    dispute.grounds, dispute.category, dispute.present = grounds, category, list(present)
    dispute.logged_by, dispute.logged_by_name, dispute.logged_at = actor, actor.name, now
    if patron:
        dispute.personal = keep_personal(
            casino=casino, subject=DISPUTE, reference=dispute.reference, fields=patron,
            carried_by=kinds.LOGGED, actor=actor, now=now,
        )  # fmt: skip
    _write(dispute, statement, chosen, now)
    for stored in files:
        _attach(dispute, stored, actor=actor, role=rank, now=now)
    return dispute


def _chosen(subject: Subject, wagers: Sequence[str]) -> list[Reckoned]:
    if not wagers:
        return []
    known = {each.wager_id: each for each in subject.reckoned()}
    if set(wagers) - set(known):
        raise NoSuchWager
    return [known[wager] for wager in dict.fromkeys(wagers)]


def _new_dispute(subject: Subject, now: datetime) -> Dispute:
    newest = Dispute.objects.filter(casino=subject.casino).order_by("-number").first()
    wait = wait_of(State.WAITING, subject.ladder, 0)
    return Dispute(
        casino=subject.casino, number=newest.number + 1 if newest else 1, subject_kind=subject.entry.kind,
        subject_index=subject.entry.index, round=subject.round, table=subject.entry.table or "",
        dealer=subject.dealer, version=subject.version, state=State.WAITING, rung=0, waiting_since_at=now,
        due_at=due_at(subject.casino, wait, now),
    )  # fmt: skip


def _write(dispute: Dispute, statement: str, chosen: Sequence[Reckoned], now: datetime) -> None:
    """The entry first, because the row bears its index; then the rows that hang on it."""
    salt = secrets.token_bytes(SALT_BYTES)
    body = dispute.record_with([each.wager_id for each in chosen], salted_digest({"statement": statement}, salt))
    [receipt] = append(dispute.casino.slug, [record(kinds.LOGGED, body, table=dispute.table or None)], now)
    dispute.log, dispute.entry_index = receipt.log, receipt.index
    dispute.save(force_insert=True)
    Statement.objects.create(dispute=dispute, text=statement, salt=salt)
    DisputedWager.objects.bulk_create(_wager(dispute, each) for each in chosen)


def _wager(dispute: Dispute, reckoned: Reckoned) -> DisputedWager:
    return DisputedWager(
        dispute=dispute, wager=reckoned.wager_id, bet=reckoned.read.bet, clause=reckoned.main_clause,
        stake_cents=reckoned.read.stake_cents, returned_cents=reckoned.found_cents, due_cents=reckoned.due_cents,
    )  # fmt: skip


@transaction.atomic
def attach_file(*, dispute: Dispute, stored: Stored, actor: User, now: datetime) -> Attachment:
    """Add a file that was checked and stored. Both sides may add to a file, closed or not."""
    locked = lock_dispute(dispute)
    role = require(actor, locked.casino, readers_of(is_promotion=locked.is_promotion))
    return _attach(locked, stored, actor=actor, role=role, now=now)


def _attach(dispute: Dispute, stored: Stored, *, actor: User, role: Role, now: datetime) -> Attachment:
    said = Attaching(sha256=stored.sha256, bytes=stored.size_bytes, media_type=stored.media_type)
    step = take_step(dispute, said, by=actor, role=role, now=now)
    return Attachment.objects.create(dispute=dispute, step=step, **stored.as_json())


def save_draft(
    *, subject: Subject, typed: Mapping[str, Any], files: Sequence[Stored], actor: User, now: datetime
) -> Draft:
    """Keep what was typed so far; files are added to those that are there. No act: nothing is recorded by it."""
    require(actor, subject.casino, loggers_of(is_promotion=subject.is_promotion))
    of_this = {"casino": subject.casino, "person": actor, "subject_index": subject.entry.index}
    start = {"label": subject.title[:120], "saved_at": now}
    draft, _ = Draft.objects.get_or_create(**of_this, defaults=start)
    kept = {one["sha256"]: one for one in [*draft.files, *(each.as_json() for each in files)]}
    draft.typed, draft.files, draft.saved_at = dict(typed), list(kept.values()), now
    draft.save()
    return draft


def discard_draft(*, casino: Casino, index: int, actor: User) -> None:
    Draft.objects.filter(casino=casino, person=actor, subject_index=index).delete()
