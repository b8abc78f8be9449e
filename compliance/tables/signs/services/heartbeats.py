"""Heartbeats of displays, and the signs recorded as lost when a display goes silent."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from compliance.tables.signs.models import Display, Refresh, Showing, Sign, SignSource
from compliance.tables.signs.selectors import last_refresh_of, lock_signs
from compliance.tables.signs.services.movements import RemovedSign, SignRaised, record_movements
from compliance.tables.signs.sign_clock import SILENT_AFTER
from rounds.ledger import read_only_log_slugs


@transaction.atomic
def refresh_display(*, display: Display, shown: Collection[str], now: datetime) -> None:
    """Records a heartbeat with the signs that the display had on its screen. Only active signs of its own table
    count."""
    active = Sign.objects.active().filter(table=display.table_id, name__in=list(shown)[:10])
    signs = lock_signs(list(active.values_list("pk", flat=True)))
    movements: list[SignRaised | RemovedSign] = []
    for sign in signs:
        movements += _movements_for_refresh(sign, display, now)
    Refresh.objects.create(display=display, at=now, shown=sorted(sign.name for sign in signs))
    record_movements(movements, now)


def _movements_for_refresh(sign: Sign, display: Display, now: datetime) -> list[SignRaised | RemovedSign]:
    """Changes caused by a heartbeat: none while the sign was up without a gap; after a silence, a loss and a new
    start."""
    showing = sign.showings.ongoing().select_related("display").first()
    if showing is None:
        return [SignRaised(sign, now, again=sign.showings.exists(), display=display)]
    refreshed_at = last_refresh_of(showing)
    if refreshed_at is None or now - refreshed_at <= SILENT_AFTER:
        return []
    return [
        RemovedSign(_attach_sign(showing, sign), refreshed_at, is_lost=True),
        SignRaised(sign, now, again=True, display=display),
    ]


def _attach_sign(showing: Showing, sign: Sign) -> Showing:
    showing.sign = sign
    return showing


def record_lost_signs(*, now: datetime) -> int:
    """Records as lost each sign of a display that went silent, at the time of its last heartbeat. Returns how many."""
    recording = Showing.objects.ongoing().exclude(sign__casino__slug__in=read_only_log_slugs())
    silent = [
        showing.sign_id
        for showing in recording.filter(source=SignSource.DISPLAY).select_related("display", "sign")
        if _is_silent(showing, now)
    ]
    return sum(_record_lost_sign(sign, now) for sign in silent)


@transaction.atomic
def _record_lost_sign(sign_id: int, now: datetime) -> int:
    """Checks again after locking the sign, because the display may have come back."""
    [sign] = lock_signs([sign_id])
    showing = sign.showings.ongoing().filter(source=SignSource.DISPLAY).select_related("display").first()
    if showing is None or not _is_silent(showing, now):
        return 0
    record_movements(
        [RemovedSign(_attach_sign(showing, sign), last_refresh_of(showing) or showing.since_at, is_lost=True)], now
    )
    return 1


def _is_silent(showing: Showing, now: datetime) -> bool:
    return now - (last_refresh_of(showing) or showing.since_at) > SILENT_AFTER
