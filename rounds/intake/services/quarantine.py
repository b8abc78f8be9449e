"""Services of the quarantine: store refused lines byte for byte, and mark them as dealt with. Nothing is deleted."""

from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, transaction

from compliance.core.accounts.models import User
from rounds.floor.selectors import ControllerIdentity
from rounds.intake.entry_kinds import CONFLICT, DEALT_WITH, QUARANTINED
from rounds.intake.errors import AlreadyResolved
from rounds.intake.models import Quarantined, QuarantineResolution
from rounds.intake.protocol.parse import RejectedLine
from rounds.intake.protocol.signature import sha256_of
from rounds.ledger import NewEntry, append, make_entry

CONFLICT_CODE = "sequence-conflict"
MAX_ATTEMPTS = 3


def quarantine_lines(*, key: ControllerIdentity, refused: Sequence[RejectedLine], now: datetime) -> list[Quarantined]:
    """Stores refused lines that are not stored yet, each with its ledger entry. Retries after a concurrent insert of
    the same lines, so that each is stored once."""
    for attempt in range(MAX_ATTEMPTS):
        try:
            return _store_lines(key, refused, now)
        except IntegrityError:
            if attempt == MAX_ATTEMPTS - 1:
                raise
    raise AssertionError


@transaction.atomic
def _store_lines(key: ControllerIdentity, refused: Sequence[RejectedLine], now: datetime) -> list[Quarantined]:
    rows = _new_rows(key, refused, now)
    receipts = append(key.casino, [_build_entry(row, key) for row in rows], now)
    for row, receipt in zip(rows, receipts, strict=True):
        row.entry_index = receipt.index
    return Quarantined.objects.bulk_create(rows)


def _new_rows(key: ControllerIdentity, refused: Sequence[RejectedLine], now: datetime) -> list[Quarantined]:
    found = {(one.code, sha256_of(one.raw)): one for one in refused}
    known = Quarantined.objects.filter(
        controller_id=key.controller_id, line_sha256__in=[digest for _, digest in found]
    ).values_list("code", "line_sha256")
    stored = {(code, bytes(digest)) for code, digest in known}
    return [
        Quarantined(
            log=key.casino,
            casino_id=key.casino_id,
            controller_id=key.controller_id,
            table=one.table,
            sequence=one.sequence,
            kind=one.kind,
            line_number=one.number,
            line=one.raw,
            line_sha256=digest,
            code=code,
            field=one.field,
            sentence=one.sentence,
            kept_index=one.kept_index,
            received_at=now,
        )
        for (code, digest), one in found.items()
        if (code, digest) not in stored
    ]


def _build_entry(row: Quarantined, key: ControllerIdentity) -> NewEntry:
    """The ledger entry of a quarantined line. It names the table only if the controller is assigned to it; otherwise a
    foreign line would appear among that table's entries."""
    kind = CONFLICT if row.code == CONFLICT_CODE else QUARANTINED
    return make_entry(kind, row.entry_body(), table=row.table if row.table in key.tables else None)


@transaction.atomic
def resolve_quarantined_line(
    *, quarantined: Quarantined, note: str, actor: User, now: datetime
) -> QuarantineResolution:
    """Records what a person found and did about a quarantined line."""
    if QuarantineResolution.objects.filter(quarantined=quarantined).exists():
        raise AlreadyResolved
    resolution = QuarantineResolution(
        log=quarantined.log, quarantined=quarantined, by=actor, by_name=actor.name, at=now, note=note.strip()
    )
    entry = make_entry(DEALT_WITH, resolution.entry_body(), table=quarantined.table or None)
    [receipt] = append(resolution.log, [entry], now)
    resolution.entry_index = receipt.index
    try:
        resolution.save(force_insert=True)
    except IntegrityError as error:
        raise AlreadyResolved from error
    return resolution
