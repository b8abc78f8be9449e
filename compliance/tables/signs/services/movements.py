"""A sign going up or down: the Showing row together with the entry that a controller would have sent."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from compliance.core.accounts.models import User
from compliance.tables.signs.models import Display, Showing, Sign, SignSource
from rounds.intake.entry_kinds import SIGN_REMOVED, SIGN_SHOWN
from rounds.ledger import NewEntry, append, encode_timestamp, make_entry


@dataclass(frozen=True)
class SignRaised:
    """A sign went up, as reported by a display or a person."""

    sign: Sign
    at: datetime
    again: bool
    display: Display | None = None
    by: User | None = None


@dataclass(frozen=True)
class RemovedSign:
    """A sign came down. `is_lost` means that its display went silent."""

    showing: Showing
    at: datetime
    is_lost: bool
    by: User | None = None


def build_line_entry(kind: str, table: str, at: datetime, body: dict[str, Any], origin: dict[str, Any]) -> NewEntry:
    """The line that a controller would have sent, with `origin` stating its source."""
    line = {"kind": kind, "table": table, "at": encode_timestamp(at), "body": body, "origin": origin}
    return make_entry(kind, line, table)


def record_movements(movements: Iterable[SignRaised | RemovedSign], now: datetime) -> None:
    """Appends the entries in this order and writes the rows. All must be of one casino. Appending locks the log head,
    so it comes last in the transaction."""
    movements = list(movements)
    if not movements:
        return
    log = _sign_of(movements[0]).casino.slug
    receipts = append(log, [_movement_entry(each) for each in movements], now)
    for each, receipt in zip(movements, receipts, strict=True):
        if isinstance(each, SignRaised):
            _open_showing(each, log, receipt.index)
        else:
            _close_showing(each, receipt.index)


def _sign_of(movement: SignRaised | RemovedSign) -> Sign:
    return movement.sign if isinstance(movement, SignRaised) else movement.showing.sign


def _movement_entry(movement: SignRaised | RemovedSign) -> NewEntry:
    if isinstance(movement, SignRaised):
        body = {"sign": movement.sign.name, "purpose": movement.sign.purpose, **movement.sign.content}
        body |= {"again": True} if movement.again else {}
        return build_line_entry(
            SIGN_SHOWN, movement.sign.table.slug, movement.at, body, _entry_origin(movement.display, movement.by)
        )
    sign = movement.showing.sign
    body = {"sign": sign.name} | ({"lost": True} if movement.is_lost else {})
    return build_line_entry(
        SIGN_REMOVED, sign.table.slug, movement.at, body, _entry_origin(movement.showing.display, movement.by)
    )


def _entry_origin(display: Display | None, by: User | None) -> dict[str, Any]:
    if by is not None:
        return {"how": "person", "by": by.as_entry_reference()}
    return {"how": "display", "display": display.name} if display else {"how": "controller"}


def _open_showing(raised: SignRaised, log: str, index: int) -> None:
    Showing.objects.create(
        sign=raised.sign,
        source=SignSource.PERSON if raised.by else SignSource.DISPLAY,
        display=raised.display,
        by=raised.by,
        by_name=raised.by.name if raised.by else str(raised.display),
        since_at=raised.at,
        log=log,
        shown_index=index,
    )


def _close_showing(removed: RemovedSign, index: int) -> None:
    showing = removed.showing
    showing.until_at, showing.was_lost, showing.removed_index = removed.at, removed.is_lost, index
    showing.save(update_fields=["until_at", "was_lost", "removed_index"])
