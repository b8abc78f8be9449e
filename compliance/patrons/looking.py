"""The one way to a patron's details: the look is written down, in the ledger and beside it, as they are handed out."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from compliance.accounts.models import Casino, User
from compliance.patrons.errors import DestroyedAlready
from compliance.patrons.kinds import LOOKED
from compliance.patrons.models import PersonalLook, PersonalRecord, Purpose
from compliance.patrons.subjects import SUBJECTS
from compliance.web.errors import NotFound
from rounds.ledger.appending import append
from rounds.ledger.appending import record as new_entry
from rounds.ledger.strict_json import read_object

SHOW = "SELECT patrons_show(%s, %s, %s, %s, %s, %s, %s, %s)"


@dataclass(frozen=True)
class Shown:
    record: PersonalRecord
    fields: dict[str, Any]


def access_personal(
    user: User, casino: Casino, record: int, *, purpose: Purpose, now: datetime, note: str = ""
) -> Shown:
    """The details of a record, for somebody whose role here needs them. Absent and forbidden give the same answer.

    A transaction of its own: a look that is rolled back has been seen all the same. So not inside another one.
    """
    kept = PersonalRecord.objects.select_related("destruction").filter(casino=casino, pk=record).first()
    if kept is None or kept.subject not in SUBJECTS or not user.holds(*SUBJECTS[kept.subject].readers, casino=casino):
        raise NotFound
    if kept.destroyed_at:
        raise DestroyedAlready
    look = PersonalLook(record=kept, by=user, by_name=user.name, at=now, purpose=purpose, note=note)
    with transaction.atomic(durable=True):
        [receipt] = append(casino.slug, [new_entry(LOOKED, look.as_record())], now)
        look.log, look.entry_index = receipt.log, receipt.index
        details = _show(look)
    return Shown(kept, read_object(details.encode()))


def _show(look: PersonalLook) -> str:
    """The database writes the look and answers with the details; there is no other way to ask it for them."""
    columns: list[Any] = [look.record_id, look.by_id, look.by_name, look.at, str(look.purpose), look.note]
    with connection.cursor() as cursor:
        cursor.execute(SHOW, [*columns, look.log, look.entry_index])
        [details] = cursor.fetchone() or [None]
    if details is None:
        raise DestroyedAlready
    return str(details)
