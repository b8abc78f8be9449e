"""Logging a dispute, and drafts until it is logged."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.disputes import entry_kinds
from compliance.disputes.attachments import StoredFile
from compliance.disputes.deadlines import current_waiting_period, due_at
from compliance.disputes.entry_bodies import AttachedFileBody
from compliance.disputes.errors import NoSuchWager
from compliance.disputes.ladder.states import DisputeState
from compliance.disputes.models import Attachment, Dispute, DisputeDraft, DisputedWager, Statement
from compliance.disputes.permissions import reader_roles, require_acting_role, roles_that_may_log_disputes
from compliance.disputes.services.steps import lock_dispute, record_step
from compliance.disputes.subject.assessment import WagerAssessment
from compliance.disputes.subject.disputed_entry import DisputedEntry, subject_at
from compliance.privacy.personal_data.services import store_personal_details
from compliance.privacy.personal_data.subjects import DISPUTE
from rounds.ledger import append, encode_timestamp, make_entry
from rounds.transparency_log import formats


@transaction.atomic
def record_matter(
    *, casino: Casino, description: str, table: str, happened_at: datetime, actor: User, now: datetime
) -> DisputedEntry:
    """Records what a patron complains about where neither a round nor a promotion is in question. A dispute about it is
    logged next."""
    require_acting_role(actor, casino, roles_that_may_log_disputes(is_promotion=False))
    body = {
        "description": description,
        "happened_at": encode_timestamp(happened_at),
        "by": actor.as_entry_reference(),
        "at": encode_timestamp(now),
    }
    [receipt] = append(casino.slug, [make_entry(entry_kinds.MATTER, body, table=table or None)], now)
    subject = subject_at(casino, receipt.index)
    assert subject is not None
    return subject


@transaction.atomic
def log_dispute(
    *,
    subject: DisputedEntry,
    wagers: Sequence[str],
    grounds: str,
    statement: str,
    present: Sequence[str],
    actor: User,
    now: datetime,
    category: str = "",
    patron: Mapping[str, str] | None = None,
    files: Sequence[StoredFile] = (),
) -> Dispute:
    """Logs a dispute, with what the rules give for its wagers."""
    casino = subject.casino
    rank = require_acting_role(actor, casino, roles_that_may_log_disputes(is_promotion=subject.is_promotion))
    chosen = _chosen_wagers(subject, wagers)
    casino.lock()
    dispute = _new_dispute(subject, now)
    dispute.grounds, dispute.category, dispute.present = grounds, category, list(present)
    dispute.logged_by, dispute.logged_by_name, dispute.logged_at = actor, actor.name, now
    if patron:
        dispute.personal = store_personal_details(
            casino=casino,
            subject=DISPUTE,
            reference=dispute.reference,
            fields=patron,
            carried_by=entry_kinds.LOGGED,
            actor=actor,
            now=now,
        )
    _write_dispute(dispute, statement, chosen, now)
    for stored in files:
        _attach_file(dispute, stored, actor=actor, role=rank, now=now)
    return dispute


def _chosen_wagers(subject: DisputedEntry, wagers: Sequence[str]) -> list[WagerAssessment]:
    if not wagers:
        return []
    known = {each.wager_id: each for each in subject.assess_wagers()}
    if set(wagers) - set(known):
        raise NoSuchWager
    return [known[wager] for wager in dict.fromkeys(wagers)]


def _new_dispute(subject: DisputedEntry, now: datetime) -> Dispute:
    newest = Dispute.objects.filter(casino=subject.casino).order_by("-number").first()
    wait = current_waiting_period(DisputeState.WAITING, subject.ladder, 0)
    return Dispute(
        casino=subject.casino,
        number=newest.number + 1 if newest else 1,
        subject_kind=subject.entry.kind,
        subject_index=subject.entry.index,
        round=subject.round,
        table=subject.entry.table or "",
        dealer=subject.dealer,
        version=subject.version,
        state=DisputeState.WAITING,
        rung=0,
        waiting_since_at=now,
        due_at=due_at(subject.casino, wait, now),
    )


def _write_dispute(dispute: Dispute, statement: str, chosen: Sequence[WagerAssessment], now: datetime) -> None:
    """Appends the entry first, because the row has its index; then writes the rows that refer to it."""
    salt = secrets.token_bytes(formats.SALT_BYTES)
    body = dispute.build_entry_body(
        [each.wager_id for each in chosen], formats.salted_digest({"statement": statement}, salt)
    )
    [receipt] = append(dispute.casino.slug, [make_entry(entry_kinds.LOGGED, body, table=dispute.table or None)], now)
    dispute.log, dispute.entry_index = receipt.log, receipt.index
    dispute.save(force_insert=True)
    Statement.objects.create(dispute=dispute, text=statement, salt=salt)
    DisputedWager.objects.bulk_create(_disputed_wager(dispute, each) for each in chosen)


def _disputed_wager(dispute: Dispute, assessment: WagerAssessment) -> DisputedWager:
    return DisputedWager(
        dispute=dispute,
        wager=assessment.wager_id,
        bet=assessment.read.bet,
        clause=assessment.main_clause,
        stake_cents=assessment.read.stake_cents,
        returned_cents=assessment.found_cents,
        due_cents=assessment.due_cents,
    )


@transaction.atomic
def attach_file(*, dispute: Dispute, stored: StoredFile, actor: User, now: datetime) -> Attachment:
    """Adds a file that was checked and stored. Operator and government may both add files, also after closing."""
    locked = lock_dispute(dispute)
    role = require_acting_role(actor, locked.casino, reader_roles(is_promotion=locked.is_promotion))
    return _attach_file(locked, stored, actor=actor, role=role, now=now)


def _attach_file(dispute: Dispute, stored: StoredFile, *, actor: User, role: Role, now: datetime) -> Attachment:
    body = AttachedFileBody(sha256=stored.sha256, bytes=stored.size_bytes, media_type=stored.media_type)
    step = record_step(dispute, body, by=actor, role=role, now=now)
    return Attachment.objects.create(dispute=dispute, step=step, **stored.as_json())


def save_draft(
    *, subject: DisputedEntry, typed: Mapping[str, Any], files: Sequence[StoredFile], actor: User, now: datetime
) -> DisputeDraft:
    """Saves the input so far; new files are added to the existing ones. Writes no entry."""
    require_acting_role(actor, subject.casino, roles_that_may_log_disputes(is_promotion=subject.is_promotion))
    of_this = {"casino": subject.casino, "person": actor, "subject_index": subject.entry.index}
    start = {"label": subject.title[:120], "saved_at": now}
    draft, _ = DisputeDraft.objects.get_or_create(**of_this, defaults=start)
    files_by_digest = {one["sha256"]: one for one in [*draft.files, *(each.as_json() for each in files)]}
    draft.typed, draft.files, draft.saved_at = dict(typed), list(files_by_digest.values()), now
    draft.save()
    return draft


def discard_draft(*, casino: Casino, index: int, actor: User) -> None:
    DisputeDraft.objects.filter(casino=casino, person=actor, subject_index=index).delete()
