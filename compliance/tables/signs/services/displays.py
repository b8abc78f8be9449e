"""Adds and ends displays."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.db import transaction

from compliance.core.accounts.models import User
from compliance.tables.signs import entry_kinds
from compliance.tables.signs.errors import DisplayEndedAlready
from compliance.tables.signs.models import Display
from compliance.tables.signs.permissions import MAY_MANAGE_DISPLAYS, check_roles
from rounds.floor.models import Table
from rounds.ledger import append, make_entry, write_row


@dataclass(frozen=True)
class NewDisplay:
    """The token is shown once, as part of the display's link. Only its digest is stored."""

    display: Display
    token: str


def token_digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


@transaction.atomic
def add_display(*, table: Table, name: str, actor: User, now: datetime) -> NewDisplay:
    check_roles(actor, table.casino, MAY_MANAGE_DISPLAYS)
    token = secrets.token_urlsafe(24)
    display = Display(
        casino=table.casino,
        table=table,
        name=name,
        token_sha256=token_digest(token),
        added_by=actor,
        added_by_name=actor.name,
        added_at=now,
    )
    write_row(display, kind=entry_kinds.DISPLAY_ADDED, log=table.casino.slug, table=table.slug, now=now)
    return NewDisplay(display, token)


@transaction.atomic
def end_display(*, display: Display, actor: User, now: datetime) -> None:
    """Revokes the display's link. Its records stay; the signs it showed count as lost."""
    check_roles(actor, display.casino, MAY_MANAGE_DISPLAYS)
    if not Display.objects.filter(pk=display.pk, ended_at=None).update(ended_by=actor, ended_at=now):
        raise DisplayEndedAlready
    table = display.table.slug
    body = {"table": table, "display": display.name, "added": display.entry_index, "by": actor.as_entry_reference()}
    append(display.log, [make_entry(entry_kinds.DISPLAY_ENDED, body, table)], now)
