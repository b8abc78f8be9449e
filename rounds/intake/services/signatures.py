"""Signatures that were refused: an entry for the first, then at most one a minute that says how many there were."""

from datetime import datetime

from django.db import transaction

from rounds.floor.models import ControllerKey
from rounds.intake.models import RefusedSignatures
from rounds.intake.recorded import SIGNATURE
from rounds.ledger.appending import append, record
from rounds.ledger.leaves import write_instant


@transaction.atomic
def record_refused_signature(*, key: ControllerKey, why: str, now: datetime) -> None:
    """Count it; record it if nothing was recorded for this key in the last minute."""
    RefusedSignatures.objects.get_or_create(
        key_id=key.key_id, defaults={"controller_id": key.controller_id, "last_at": now}
    )
    counted = _locked(key.key_id)
    counted.unrecorded += 1
    counted.last_at = now
    _record_if_due(counted, why, now)


@transaction.atomic
def record_remaining_signatures(*, key_id: str, now: datetime) -> None:
    """What was counted within the minute and not recorded: the sweep's part."""
    counted = _locked(key_id)
    if counted.unrecorded:
        _record_if_due(counted, "bad-signature", now)


def _locked(key_id: str) -> RefusedSignatures:
    rows = RefusedSignatures.objects.select_related("controller__casino")
    return rows.select_for_update(no_key=True, of=("self",)).get(key_id=key_id)


def _record_if_due(counted: RefusedSignatures, why: str, now: datetime) -> None:
    if not counted.is_due(now):
        counted.save()
        return
    count, counted.unrecorded, counted.recorded_at = counted.unrecorded, 0, now
    counted.save()
    controller = counted.controller
    body = {
        "controller": controller.slug,
        "key_id": counted.key_id,
        "why": why,
        "count": count,
        "last_at": write_instant(counted.last_at),
    }
    append(controller.casino.slug, [record(SIGNATURE, body)], now)
