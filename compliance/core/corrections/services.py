"""Withdraws a record: appends the correction, and changes the state rows that rested on it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.separation import require_other_person
from compliance.core.accounts.services.roles import lock_casinos
from compliance.core.corrections.errors import NotAuthorOrSuperior, StillNeeded, WithdrawalStands, WithdrawnAlready
from compliance.core.corrections.permissions import may_withdraw, roles_by_person
from compliance.core.corrections.registry import CorrectableRecord, correctable_of
from compliance.core.web.errors import NotFound
from rounds.ledger import EntryError, LogEntry, correct, corrections_of
from rounds.ledger.entry_kinds import CORRECTION


@transaction.atomic
def access_record(casino: Casino, entry: LogEntry | None, actor: User) -> tuple[CorrectableRecord, Any]:
    """The record of an entry of this casino, if the person may withdraw it. In a transaction, because `find` locks the
    record's state row."""
    is_own = entry is not None and entry.log == casino.slug and entry.controller is None
    if entry is not None and is_own and entry.kind == CORRECTION:
        raise WithdrawalStands
    known = correctable_of(entry.kind) if entry is not None and is_own else None
    record = known.find(entry) if known is not None and entry is not None else None
    if entry is None or known is None or record is None:
        raise NotFound
    content = entry.content()
    author = known.author(content)
    people = {actor.pk} if author is None else {actor.pk, author}
    if not may_withdraw(known, content, actor, roles_by_person(casino, people)):
        raise NotAuthorOrSuperior
    if actor.pk != author:
        require_other_person(actor, **known.parties(record))
    return known, record


@transaction.atomic
def withdraw_record(*, casino: Casino, entry: LogEntry, reason: str, actor: User, now: datetime) -> int:
    """Returns the index of the correction. The record's row stays as it was written; lists and the audit leave it
    out."""
    # Lock order: the casino, the record's state row (in `find`), the log's head (in correct()).
    lock_casinos({casino.pk})
    known, record = access_record(casino, entry, actor)
    if corrections_of(entry.log, [entry.index]):
        raise WithdrawnAlready
    if later := list(known.dependents(record)):
        raise StillNeeded(f"These records depend on it: {'; '.join(later)}.")
    body = {"reason": reason, "by": actor.as_entry_reference()}
    try:
        receipt, *_ = [correct(entry.log, each, body, now) for each in (entry.index, *known.also(record, entry))]
    except EntryError as error:
        raise WithdrawnAlready if error.code == "already-corrected" else error from error
    known.after(record, actor, now)
    return receipt.index
