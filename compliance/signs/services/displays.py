"""Setting up a display and ending one."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.db import transaction

from compliance.accounts.models import User
from compliance.signs import kinds
from compliance.signs.errors import DisplayEndedAlready
from compliance.signs.models import Display
from compliance.signs.standing import MAY_SET_UP, require
from rounds.floor.models import Table
from rounds.ledger.appending import append, record
from rounds.ledger.rows import write_row


@dataclass(frozen=True)
class NewDisplay:
    """The token is shown once, as part of the display's link; nobody can read it later."""

    display: Display
    token: str


def digest_of(token: str) -> str:
    return sha256(token.encode()).hexdigest()


@transaction.atomic
def add_display(*, table: Table, name: str, actor: User, now: datetime) -> NewDisplay:
    require(actor, table.casino, MAY_SET_UP)
    token = secrets.token_urlsafe(24)
    display = Display(
        casino=table.casino, table=table, name=name, token_sha256=digest_of(token), added_by=actor,
        added_by_name=actor.name, added_at=now,
    )  # fmt: skip
    write_row(display, kind=kinds.DISPLAY_ADDED, log=table.casino.slug, table=table.slug, now=now)
    return NewDisplay(display, token)


@transaction.atomic
def end_display(*, display: Display, actor: User, now: datetime) -> None:
    """Its link stops working at once. What it showed until then stays on record; its signs count as lost."""
    require(actor, display.casino, MAY_SET_UP)
    if not Display.objects.filter(pk=display.pk, ended_at=None).update(ended_by=actor, ended_at=now):
        raise DisplayEndedAlready
    table = display.table.slug
    body = {"table": table, "display": display.name, "added": display.entry_index, "by": actor.as_named()}
    append(display.log, [record(kinds.DISPLAY_ENDED, body, table)], now)
