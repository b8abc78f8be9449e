"""What displays report themselves, request by request, and the losses that follow from their silence."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from compliance.signs.clock import SILENT_AFTER
from compliance.signs.models import Display, Refresh, Showing, Sign, Source
from compliance.signs.selectors import last_seen
from compliance.signs.services.moving import Down, Up, lock_signs, move
from rounds.ledger.read_only import read_only_logs


@transaction.atomic
def refresh_display(*, display: Display, shown: Collection[str], now: datetime) -> None:
    """The display asks again, and says which signs it had on its screen. Only what is wanted of it counts."""
    wanted = Sign.objects.wanted().filter(table=display.table_id, name__in=list(shown)[:10])
    signs = lock_signs(list(wanted.values_list("pk", flat=True)))
    moves: list[Up | Down] = []
    for sign in signs:
        moves += _seen(sign, display, now)
    Refresh.objects.create(display=display, at=now, shown=sorted(sign.name for sign in signs))
    move(moves, now)


def _seen(sign: Sign, display: Display, now: datetime) -> list[Up | Down]:
    """It is up. What that changes: nothing while it was; after a silence, a loss and a return."""
    showing = sign.showings.lasting().select_related("display").first()
    if showing is None:
        return [Up(sign, now, again=sign.showings.exists(), display=display)]
    seen = last_seen(showing)
    if seen is None or now - seen <= SILENT_AFTER:
        return []
    return [Down(_with(showing, sign), seen, is_lost=True), Up(sign, now, again=True, display=display)]


def _with(showing: Showing, sign: Sign) -> Showing:
    showing.sign = sign
    return showing


def note_losses(*, now: datetime) -> int:
    """Put on record which displays have fallen silent since: each sign they showed was lost at their last word."""
    recording = Showing.objects.lasting().exclude(sign__casino__slug__in=read_only_logs())
    silent = [
        showing.sign_id
        for showing in recording.filter(source=Source.DISPLAY).select_related("display", "sign")
        if _is_silent(showing, now)
    ]
    return sum(_note_loss(sign, now) for sign in silent)


@transaction.atomic
def _note_loss(sign_id: int, now: datetime) -> int:
    """Asked again under the sign's lock: the display may have come back meanwhile."""
    [sign] = lock_signs([sign_id])
    showing = sign.showings.lasting().filter(source=Source.DISPLAY).select_related("display").first()
    if showing is None or not _is_silent(showing, now):
        return 0
    move([Down(_with(showing, sign), last_seen(showing) or showing.since_at, is_lost=True)], now)
    return 1


def _is_silent(showing: Showing, now: datetime) -> bool:
    return now - (last_seen(showing) or showing.since_at) > SILENT_AFTER
