"""The one way to a patron's details: the look is written down, in the ledger and beside it, as they are handed out."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from compliance.privacy.personal_data.entry_kinds import DETAILS_READ
from compliance.privacy.personal_data.errors import DestroyedAlready
from compliance.privacy.personal_data.models import DetailsAccess, PersonalRecord, Purpose
from compliance.privacy.personal_data.subjects import SUBJECTS
from rounds.ledger import append, formats
from rounds.ledger import make_entry as new_entry

READ_DETAILS_SQL = "SELECT patrons_show(%s, %s, %s, %s, %s, %s, %s, %s)"


@dataclass(frozen=True)
class PersonalDetails:
    record: PersonalRecord
    fields: dict[str, Any]


def read_personal_details(
    user: User, casino: Casino, record: int, *, purpose: Purpose, now: datetime, note: str = ""
) -> PersonalDetails:
    """The details of a record, for somebody whose role here needs them. Absent and forbidden give the same answer.

    A transaction of its own: a look that is rolled back has been seen all the same. So not inside another one.
    """
    kept = PersonalRecord.objects.select_related("destruction").filter(casino=casino, pk=record).first()
    if (
        kept is None
        or kept.subject not in SUBJECTS
        or not user.has_role(*SUBJECTS[kept.subject].readers, casino=casino)
    ):
        raise NotFound
    if kept.destroyed_at:
        raise DestroyedAlready
    look = DetailsAccess(record=kept, by=user, by_name=user.name, at=now, purpose=purpose, note=note)
    with transaction.atomic(durable=True):
        [receipt] = append(casino.slug, [new_entry(DETAILS_READ, look.entry_body())], now)
        look.log, look.entry_index = receipt.log, receipt.index
        details = _record_and_fetch_details(look)
    return PersonalDetails(kept, formats.parse_strict_object(details.encode()))


def _record_and_fetch_details(look: DetailsAccess) -> str:
    """The database writes the look and answers with the details; there is no other way to ask it for them."""
    columns: list[Any] = [look.record_id, look.by_id, look.by_name, look.at, str(look.purpose), look.note]
    with connection.cursor() as cursor:
        cursor.execute(READ_DETAILS_SQL, [*columns, look.log, look.entry_index])
        [details] = cursor.fetchone() or [None]
    if details is None:
        raise DestroyedAlready
    return str(details)
