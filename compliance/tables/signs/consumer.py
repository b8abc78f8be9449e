"""Consumer of `sign-shown` and `sign-removed` entries of controllers: opens and closes the Showing of the matching
sign."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
import structlog

from compliance.tables.signs.models import Showing, Sign, SignPurpose, SignSource
from compliance.tables.signs.selectors import lock_signs
from rounds.intake.entry_kinds import SIGN_REMOVED, SIGN_SHOWN
from rounds.intake.models import Batch
from rounds.ledger import LogEntry, read_entries_at

logger = structlog.get_logger(__name__)

CONSUMER = "signs"
CONSUMED_KINDS = frozenset({SIGN_SHOWN, SIGN_REMOVED})
# Clock skew up to this is ignored; beyond it, times are converted to the server's clock. On a busy day a batch may wait
# this long before it is received, although the clock is right.
CLOCK_TOLERANCE = timedelta(seconds=10)
# The skew is estimated from this batch and those before it, but only if their delays differ by at most MAX_TRANSIT. A
# larger difference means that the controller's clock was changed in between.
BATCHES_COMPARED = 8
MAX_TRANSIT = timedelta(minutes=1)
# Content members by which a controller's sign is matched to a Sign when the controller uses a name of its own.
MATCHED_MEMBERS = {
    SignPurpose.LIMIT_CHANGE: ("min", "by_bet", "change_at"),
    SignPurpose.CLOSURE: ("closure_at",),
    SignPurpose.FINAL_CALL: (),
    SignPurpose.PLAYER_LIMITS: ("min", "max", "player", "seat"),
}


def handle_entries(entries: Sequence[LogEntry]) -> None:
    """Handler for `consume_all`: runs in one transaction with the cursor, in log order."""
    for entry in entries:
        if entry.controller is not None and entry.table:
            _handle_entry(entry)


def _handle_entry(entry: LogEntry) -> None:
    line = entry.content()
    try:
        at, body = to_server_time(entry, msgspec.convert(line["at"], datetime)), line["body"]
        match = _find_sign(entry, body)
    except (KeyError, TypeError, msgspec.ValidationError) as error:
        logger.error("sign_not_readable", log=entry.log, index=entry.index, error=str(error))
        return
    if match is None:
        return
    [sign] = lock_signs([match.pk])
    ongoing = sign.showings.ongoing().first()
    if entry.kind == SIGN_SHOWN:
        _open_showing(sign, ongoing, entry, at)
    elif ongoing is not None and ongoing.source == SignSource.CONTROLLER:
        ongoing.until_at, ongoing.was_lost = max(at, ongoing.since_at), bool(body.get("lost"))
        ongoing.removed_index = entry.index
        ongoing.save(update_fields=["until_at", "was_lost", "removed_index"])


def _open_showing(sign: Sign, ongoing: Showing | None, entry: LogEntry, at: datetime) -> None:
    """Ignored if the sign is already shown by another source. A display that went silent is closed by
    `record_lost_signs`."""
    if ongoing is not None or sign.ended_at is not None:
        return
    previous = sign.showings.order_by("-until_at").first()
    floor = max(sign.made_at, previous.until_at) if previous and previous.until_at else sign.made_at
    Showing.objects.create(
        sign=sign,
        source=SignSource.CONTROLLER,
        by_name=f"controller {entry.controller}",
        since_at=max(at, floor),
        log=entry.log,
        shown_index=entry.index,
    )


def to_server_time(entry: LogEntry, at: datetime) -> datetime:
    """Converts a controller's time to the server's clock. Times from displays and people already use it."""
    if entry.controller is None:
        return at
    skew = _clock_skew(entry)
    moved = at + skew if abs(skew) > CLOCK_TOLERANCE else at
    return min(moved, entry.recorded_at)


def _clock_skew(entry: LogEntry) -> timedelta:
    """How far the controller's clock is behind the server's: time received minus time sent, of its batch.

    Includes the transit time, so the smallest difference among recent batches is the best estimate.
    """
    batches = Batch.objects.filter(log=entry.log).order_by("-first_index")
    own = batches.filter(first_index__lte=entry.index).first()
    if own is None or entry.index >= own.first_index + own.entries:
        return timedelta()
    batch_times = batches.filter(key_id=own.key_id, first_index__lte=own.first_index).values_list(
        "received_at", "sent_at"
    )
    delays = [received_at - sent_at for received_at, sent_at in batch_times[:BATCHES_COMPARED]]
    return min(delay for delay in delays if delays[0] - delay <= MAX_TRANSIT)


def _find_sign(entry: LogEntry, body: Mapping[str, Any]) -> Sign | None:
    signs = Sign.objects.filter(casino__slug=entry.log, table__slug=entry.table)
    if entry.kind == SIGN_REMOVED:
        named = signs.filter(name=body["sign"]).first()
        return named or _sign_by_controller_name(entry, str(body["sign"]))
    named = signs.filter(name=body["sign"]).first()
    return named or next((sign for sign in signs.active() if _matches_content(sign, body)), None)


def _matches_content(sign: Sign, body: Mapping[str, Any]) -> bool:
    members = MATCHED_MEMBERS[SignPurpose(sign.purpose)]
    return sign.purpose == body["purpose"] and all(
        _comparable_value(sign.content.get(member)) == _comparable_value(body.get(member)) for member in members
    )


def _comparable_value(value: Any) -> Any:
    """Times are compared as datetimes, because each side writes its own time zone; members without a value are left
    out of objects."""
    if isinstance(value, dict):
        return {name: _comparable_value(each) for name, each in value.items() if each not in (None, {})} or None
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _sign_by_controller_name(entry: LogEntry, name: str) -> Sign | None:
    """The sign whose ongoing Showing was opened under this controller's own name for it."""
    ongoing = (
        Showing.objects.ongoing()
        .filter(source=SignSource.CONTROLLER, log=entry.log, sign__table__slug=entry.table)
        .select_related("sign")
    )
    by_index = {showing.shown_index: showing for showing in ongoing}
    for report in read_entries_at(entry.log, list(by_index)):
        if report.controller == entry.controller and report.content()["body"].get("sign") == name:
            sign: Sign = by_index[report.index].sign
            return sign
    return None
