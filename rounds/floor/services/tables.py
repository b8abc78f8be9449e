"""Adds and retires tables and terminals."""

from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from rounds.floor import entry_kinds
from rounds.floor.errors import RetiredAlready
from rounds.floor.models import ControllerTable, Table, Terminal
from rounds.floor.permissions import MAY_STATE_FACTS, check_has_role
from rounds.floor.services.common import append_entry, check_new_slug
from rounds.ledger import write_row


@transaction.atomic
def add_table(*, casino: Casino, slug: str, name: str, actor: User, now: datetime) -> Table:
    check_has_role(actor, casino, MAY_STATE_FACTS)
    casino.lock()
    check_new_slug(slug, Table.objects.filter(casino=casino))
    table = Table(
        casino=casino,
        slug=slug,
        name=name,
        added_by=actor,
        added_by_name=actor.name,
        added_at=now,
    )
    return write_row(table, kind=entry_kinds.TABLE_ADDED, log=casino.slug, table=slug, now=now)


@transaction.atomic
def retire_table(*, table: Table, actor: User, now: datetime) -> Table:
    """Also ends every controller's assignment to the table. Its terminals are left as they are."""
    check_has_role(actor, table.casino, MAY_STATE_FACTS)
    if not Table.objects.filter(pk=table.pk, retired_at=None).update(retired_by=actor, retired_at=now):
        raise RetiredAlready
    ControllerTable.objects.filter(table=table, until_at=None).update(ended_by=actor, until_at=now)
    table.refresh_from_db()
    body = {"table": table.slug, "by": actor.as_entry_reference()}
    append_entry(entry_kinds.TABLE_RETIRED, body, casino=table.casino, table=table.slug, now=now)
    return table


@transaction.atomic
def add_terminal(*, table: Table, slug: str, actor: User, now: datetime) -> Terminal:
    check_has_role(actor, table.casino, MAY_STATE_FACTS)
    table.casino.lock()
    check_new_slug(slug, Terminal.objects.filter(table=table))
    terminal = Terminal(table=table, slug=slug, added_by=actor, added_by_name=actor.name, added_at=now)
    return write_row(terminal, kind=entry_kinds.TERMINAL_ADDED, log=table.casino.slug, table=table.slug, now=now)


@transaction.atomic
def retire_terminal(*, terminal: Terminal, actor: User, now: datetime) -> Terminal:
    table = terminal.table
    check_has_role(actor, table.casino, MAY_STATE_FACTS)
    if not Terminal.objects.filter(pk=terminal.pk, retired_at=None).update(retired_by=actor, retired_at=now):
        raise RetiredAlready
    terminal.refresh_from_db()
    body = {"table": table.slug, "terminal": terminal.slug, "by": actor.as_entry_reference()}
    append_entry(entry_kinds.TERMINAL_RETIRED, body, casino=table.casino, table=table.slug, now=now)
    return terminal
