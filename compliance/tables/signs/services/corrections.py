"""That a person put a sign up or took it down can be withdrawn. A display that went up in error never counted; a sign
whose removal is withdrawn was up all the time, until it was no longer needed."""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

from compliance.core.accounts.models import User
from compliance.core.corrections.registry import CorrectableRecord, line_author, register_correctable
from compliance.core.web.ui.links import casino_url
from compliance.tables.signs.models import Showing
from compliance.tables.signs.permissions import SUPERVISORS
from compliance.tables.signs.selectors import lock_signs
from rounds.intake.entry_kinds import SIGN_REMOVED, SIGN_SHOWN
from rounds.ledger import LogEntry


def register() -> None:
    shared: dict[str, Any] = {"writers": SUPERVISORS, "page": _table_page, "author": line_author}
    register_correctable(
        CorrectableRecord(kind=SIGN_SHOWN, find=_find_shown, also=_own_removal, after=_end_at_start, **shared),
        CorrectableRecord(kind=SIGN_REMOVED, find=_find_removed, dependents=_later_showings, after=_reopen, **shared),
    )


def _table_page(showing: Showing) -> str:
    return casino_url("signs:table", showing.sign.casino, table=showing.sign.table.slug)


def _find_shown(entry: LogEntry) -> Showing | None:
    return _find(entry, Showing.recorded.filter(log=entry.log, shown_index=entry.index).first())


def _find_removed(entry: LogEntry) -> Showing | None:
    """None if the showing itself was withdrawn: its removal was withdrawn with it."""
    return _find(entry, Showing.objects.filter(log=entry.log, removed_index=entry.index).first())


def _find(entry: LogEntry, showing: Showing | None) -> Showing | None:
    """None for signs that a controller or a display reported. The lock is the one that displays wait for."""
    if showing is None or line_author(entry.content()) is None:
        return None
    [showing.sign] = lock_signs([showing.sign_id])
    showing.refresh_from_db(fields=["until_at", "was_lost", "removed_index"], from_queryset=Showing.recorded.all())
    return showing


def _own_removal(showing: Showing, entry: LogEntry) -> Collection[int]:
    """What was never up did not come down either."""
    return () if showing.removed_index is None else (showing.removed_index,)


def _end_at_start(showing: Showing, actor: User, now: datetime) -> None:
    ongoing = Showing.recorded.filter(pk=showing.pk, until_at=None)
    ongoing.update(until_at=showing.since_at, was_lost=False)


def _later_showings(showing: Showing) -> Iterator[str]:
    later = showing.sign.showings.filter(since_at__gte=showing.until_at).exclude(pk=showing.pk)
    yield from (f"the sign went up again, entry {each.shown_index:,}" for each in later)


def _reopen(showing: Showing, actor: User, now: datetime) -> None:
    """The trigger of the table allows it because the removal was taken back."""
    ended_at = showing.sign.ended_at
    was_lost = None if ended_at is None else False
    Showing.objects.filter(pk=showing.pk).update(until_at=ended_at, was_lost=was_lost, removed_index=None)
