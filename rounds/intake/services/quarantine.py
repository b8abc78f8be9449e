"""Keeping what was refused, byte for byte, and marking it dealt with. Nothing here is ever deleted."""

from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, transaction

from compliance.accounts.models import User
from rounds.floor.selectors import KeyHeld
from rounds.intake.errors import DealtWithAlready
from rounds.intake.models import DealtWith, Quarantined
from rounds.intake.reading import RefusedLine
from rounds.intake.recorded import CONFLICT, DEALT_WITH, QUARANTINED
from rounds.intake.signing import sha256_of
from rounds.ledger.appending import NewEntry, append, record

CONFLICT_CODE = "sequence-conflict"
TRIES = 3


def quarantine_lines(*, key: KeyHeld, refused: Sequence[RefusedLine], now: datetime) -> list[Quarantined]:
    """Keep the lines that were not kept already, each with its entry. Two requests at once keep them once."""
    for attempt in range(TRIES):
        try:
            return _keep(key, refused, now)
        except IntegrityError:
            if attempt == TRIES - 1:
                raise
    raise AssertionError


@transaction.atomic
def _keep(key: KeyHeld, refused: Sequence[RefusedLine], now: datetime) -> list[Quarantined]:
    rows = _new_rows(key, refused, now)
    receipts = append(key.casino, [_entry(row, key) for row in rows], now)
    for row, receipt in zip(rows, receipts, strict=True):
        row.entry_index = receipt.index
    return Quarantined.objects.bulk_create(rows)


def _new_rows(key: KeyHeld, refused: Sequence[RefusedLine], now: datetime) -> list[Quarantined]:
    found = {(one.code, sha256_of(one.raw)): one for one in refused}
    known = Quarantined.objects.filter(
        controller_id=key.controller_id, line_sha256__in=[digest for _, digest in found]
    ).values_list("code", "line_sha256")
    kept = {(code, bytes(digest)) for code, digest in known}
    return [
        Quarantined(
            log=key.casino, casino_id=key.casino_id, controller_id=key.controller_id,
            table=one.table, sequence=one.sequence, kind=one.kind, line_number=one.number, line=one.raw,
            line_sha256=digest, code=code, field=one.field, sentence=one.sentence, kept_index=one.kept_index,
            received_at=now,
        )
        for (code, digest), one in found.items()
        if (code, digest) not in kept
    ]  # fmt: skip


def _entry(row: Quarantined, key: KeyHeld) -> NewEntry:
    """A line about a table that is not the controller's own must not appear among that table's entries."""
    kind = CONFLICT if row.code == CONFLICT_CODE else QUARANTINED
    return record(kind, row.as_record(), table=row.table if row.table in key.tables else None)


@transaction.atomic
def deal_with_line(*, quarantined: Quarantined, note: str, actor: User, now: datetime) -> DealtWith:
    """Whoever looked into a refused line says what they found and did."""
    if DealtWith.objects.filter(quarantined=quarantined).exists():
        raise DealtWithAlready
    mark = DealtWith(
        log=quarantined.log, quarantined=quarantined, by=actor, by_name=actor.name, at=now, note=note.strip()
    )
    [receipt] = append(mark.log, [record(DEALT_WITH, mark.as_record(), table=quarantined.table or None)], now)
    mark.entry_index = receipt.index
    try:
        mark.save(force_insert=True)
    except IntegrityError as error:
        raise DealtWithAlready from error
    return mark
