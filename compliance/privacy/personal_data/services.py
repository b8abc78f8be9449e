"""Use cases that store personal details, extend their retention and destroy them. Each appends to the casino's log."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.services.roles import lock_casinos
from compliance.privacy.personal_data.entry_kinds import DESTROYED, HELD, RETENTION
from compliance.privacy.personal_data.errors import (
    DestroyedAlready,
    HoldInForce,
    HoldTooShort,
    RoleNotAllowed,
    SupersededAlready,
)
from compliance.privacy.personal_data.models import (
    Destruction,
    PersonalFields,
    PersonalRecord,
    RetentionHold,
    RetentionRule,
)
from compliance.privacy.personal_data.retention import casino_today, retention_end
from compliance.privacy.personal_data.subjects import MAY_SET_RETENTION, OVERSEERS, Subject
from compliance.privacy.personal_data.verify import may_refer_to_personal_data
from rounds.ledger import append, encode_body, make_entry, write_row
from rounds.transparency_log import formats

RETENTION_ENDED = "The time for which it was kept was over."


@transaction.atomic
def store_personal_details(
    *,
    casino: Casino,
    subject: Subject,
    reference: str,
    fields: Mapping[str, Any],
    carried_by: str,
    actor: User | None,
    now: datetime,
    supersedes: PersonalRecord | None = None,
) -> PersonalRecord:
    """Stores details within the caller's transaction. `carried_by` is the kind of the entry that carries
    `as_commitment()`. Details are never edited: newer ones supersede them in a new record. `reference` names the
    matter, such as D-12, and no person. Fields are strings and integers."""
    if not may_refer_to_personal_data(carried_by):
        raise ValueError(
            f"Entries of kind {carried_by!r} are not compared with personal details: register_personal_data_kind."
        )
    if not fields:
        raise ValueError("There are no details to keep.")
    if supersedes is not None:
        _validate_superseded(supersedes, casino, subject)
    commitment = formats.digest_personal_fields(fields)
    record = PersonalRecord.objects.create(
        casino=casino,
        subject=subject.slug,
        reference=reference,
        digest_sha256=commitment.digest,
        carried_by=carried_by,
        kept_at=now,
        kept_by=actor,
        keep_until_on=retention_end(casino, subject.slug, now),
        supersedes=supersedes,
    )
    PersonalFields.objects.create(record=record, fields=encode_body(fields).decode(), salt=commitment.salt)
    return record


def _validate_superseded(older: PersonalRecord, casino: Casino, subject: Subject) -> None:
    if (older.casino_id, older.subject) != (casino.pk, subject.slug):
        raise ValueError("A record is superseded by one of the same casino and subject.")
    lock_casinos({casino.pk})
    if PersonalRecord.objects.filter(supersedes=older).exists():
        raise SupersededAlready


@transaction.atomic
def hold_record(*, held: PersonalRecord, until_on: date, reason: str, actor: User, now: datetime) -> RetentionHold:
    """Extends the retention to a later day. A hold cannot be lifted; it ends by itself."""
    record = _lock_record(held)
    _require_any_role(actor, record.casino, OVERSEERS)
    if record.destroyed_at:
        raise DestroyedAlready
    if until_on <= record.ends_on or until_on < casino_today(record.casino, now):
        raise HoldTooShort
    hold = RetentionHold(record=record, until_on=until_on, reason=reason, by=actor, by_name=actor.name, at=now)
    return write_row(hold, kind=HELD, log=record.casino.slug, now=now)


@transaction.atomic
def set_retention(
    *, casino: Casino, subject: Subject, years: int, reason: str, actor: User, now: datetime
) -> RetentionRule:
    """Sets the retention of details stored from now on. Existing records keep their last day, or are held longer."""
    lock_casinos({casino.pk})
    _require_any_role(actor, casino, MAY_SET_RETENTION)
    rule = RetentionRule(
        casino=casino, subject=subject.slug, years=years, reason=reason, by=actor, by_name=actor.name, at=now
    )
    return write_row(rule, kind=RETENTION, log=casino.slug, now=now)


@transaction.atomic
def destroy_details(*, doomed: PersonalRecord, reason: str, actor: User, now: datetime) -> Destruction:
    """Destroys details before their retention ends, by an authority officer.
    An active hold forbids it; the database checks too."""
    record = _lock_record(doomed)
    _require_any_role(actor, record.casino, MAY_SET_RETENTION)
    if record.destroyed_at:
        raise DestroyedAlready
    if record.held_until_on is not None and record.held_until_on >= casino_today(record.casino, now):
        raise HoldInForce
    [destruction] = _record_destructions(record.casino, [record], reason, actor, now)
    return destruction


@transaction.atomic
def destroy_due(*, casino: Casino, now: datetime, limit: int = 500) -> int:
    """Destroys details past their retention, at most `limit`; returns how many. Idempotent."""
    lock_casinos({casino.pk})
    of_casino = PersonalRecord.objects.filter(casino=casino).with_list_details()
    due = list(of_casino.in_state("due", casino_today(casino, now)).order_by("pk")[:limit])
    return len(_record_destructions(casino, due, RETENTION_ENDED, None, now))


def _record_destructions(
    casino: Casino, records: Sequence[PersonalRecord], reason: str, actor: User | None, now: datetime
) -> list[Destruction]:
    """Inserting the rows makes the database delete the details."""
    rows = [
        Destruction(record=record, reason=reason, by=actor, by_name=actor.name if actor else "", at=now)
        for record in records
    ]
    receipts = append(casino.slug, [make_entry(DESTROYED, row.entry_body()) for row in rows], now)
    for row, receipt in zip(rows, receipts, strict=True):
        row.log, row.entry_index = receipt.log, receipt.index
    return Destruction.objects.bulk_create(rows)


def _lock_record(record: PersonalRecord) -> PersonalRecord:
    """Locks the casino's row instead: without UPDATE privilege on records their own rows cannot be locked."""
    lock_casinos({record.casino_id})
    return PersonalRecord.objects.with_list_details().select_related("casino").get(pk=record.pk)


def _require_any_role(actor: User, casino: Casino, roles: frozenset[Role]) -> None:
    if not actor.has_role_in_database(*roles, casino=casino):
        raise RoleNotAllowed
