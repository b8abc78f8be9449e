"""The two moves of a sign, up and down: a row and the entry that a controller would have sent, together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from compliance.accounts.models import User
from compliance.signs import kinds
from compliance.signs.models import Display, Showing, Sign, Source
from rounds.ledger.appending import NewEntry, append, record
from rounds.ledger.leaves import write_instant


@dataclass(frozen=True)
class Up:
    """A sign went up at an instant, by the word of a display or of a person."""

    sign: Sign
    at: datetime
    again: bool
    display: Display | None = None
    by: User | None = None


@dataclass(frozen=True)
class Down:
    """A sign came down; `is_lost` where its display fell silent and nobody took it down."""

    showing: Showing
    at: datetime
    is_lost: bool
    by: User | None = None


def line_of(kind: str, table: str, at: datetime, body: dict[str, Any], origin: dict[str, Any]) -> NewEntry:
    """What a controller would have sent, and how it is known instead."""
    line = {"kind": kind, "table": table, "at": write_instant(at), "body": body, "origin": origin}
    return record(kind, line, table)


def move(moves: Iterable[Up | Down], now: datetime) -> None:
    """All of one casino, in this order: the last statements of a transaction."""
    moves = list(moves)
    if not moves:
        return
    log = _sign(moves[0]).casino.slug
    receipts = append(log, [_entry(each) for each in moves], now)
    for each, receipt in zip(moves, receipts, strict=True):
        if isinstance(each, Up):
            _open(each, log, receipt.index)
        else:
            _close(each, receipt.index)


def _sign(each: Up | Down) -> Sign:
    return each.sign if isinstance(each, Up) else each.showing.sign


def _entry(each: Up | Down) -> NewEntry:
    if isinstance(each, Up):
        body = {"sign": each.sign.name, "purpose": each.sign.purpose, **each.sign.content}
        body |= {"again": True} if each.again else {}
        return line_of(kinds.SHOWN, each.sign.table.slug, each.at, body, _origin(each.display, each.by))
    sign = each.showing.sign
    body = {"sign": sign.name} | ({"lost": True} if each.is_lost else {})
    return line_of(kinds.REMOVED, sign.table.slug, each.at, body, _origin(each.showing.display, each.by))


def _origin(display: Display | None, by: User | None) -> dict[str, Any]:
    if by is not None:
        return {"how": "person", "by": by.as_named()}
    return {"how": "display", "display": display.name} if display else {"how": "controller"}


def _open(up: Up, log: str, index: int) -> None:
    Showing.objects.create(
        sign=up.sign, source=Source.PERSON if up.by else Source.DISPLAY, display=up.display, by=up.by,
        by_name=up.by.name if up.by else str(up.display), since_at=up.at, log=log, shown_index=index,
    )  # fmt: skip


def _close(down: Down, index: int) -> None:
    showing = down.showing
    showing.until_at, showing.was_lost, showing.removed_index = down.at, down.is_lost, index
    showing.save(update_fields=["until_at", "was_lost", "removed_index"])


def lock_signs(signs: Sequence[int]) -> list[Sign]:
    """Those who move one sign wait for each other: display, controller, supervisor, and the clock that ends it."""
    rows = Sign.objects.select_for_update(no_key=True, of=("self",)).select_related("casino", "table")
    return list(rows.filter(pk__in=signs).order_by("pk"))
