"""Audited read, the only way to a patron's details:
the access is recorded in the ledger and in a row before they are returned."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from compliance.privacy.personal_data.entry_kinds import DETAILS_READ
from compliance.privacy.personal_data.errors import DestroyedAlready
from compliance.privacy.personal_data.models import AccessPurpose, DetailsAccess, PersonalRecord
from compliance.privacy.personal_data.subjects import SUBJECTS
from rounds.ledger import append
from rounds.ledger import make_entry as new_entry
from rounds.transparency_log import formats

READ_DETAILS_SQL = "SELECT patrons_show(%s, %s, %s, %s, %s, %s, %s, %s)"


@dataclass(frozen=True)
class PersonalDetails:
    record: PersonalRecord
    fields: dict[str, Any]


def read_personal_details(
    user: User, casino: Casino, record: int, *, purpose: AccessPurpose, now: datetime, note: str = ""
) -> PersonalDetails:
    """The details of a record, for a person whose role here may read them. Absent and forbidden both raise NotFound.
    Runs in its own durable transaction: if a caller's rollback removed the access record, the details would still have
    been seen. Do not call it inside another transaction."""
    found = PersonalRecord.objects.select_related("destruction").filter(casino=casino, pk=record).first()
    if (
        found is None
        or found.subject not in SUBJECTS
        or not user.has_role(*SUBJECTS[found.subject].readers, casino=casino)
    ):
        raise NotFound
    if found.destroyed_at:
        raise DestroyedAlready
    access = DetailsAccess(record=found, by=user, by_name=user.name, at=now, purpose=purpose, note=note)
    with transaction.atomic(durable=True):
        [receipt] = append(casino.slug, [new_entry(DETAILS_READ, access.entry_body())], now)
        access.log, access.entry_index = receipt.log, receipt.index
        details = _record_and_fetch_details(access)
    return PersonalDetails(found, formats.parse_strict_object(details.encode()))


def _record_and_fetch_details(access: DetailsAccess) -> str:
    """Calls the database function that writes the access row and returns the details.
    There is no other way to read them."""
    columns: list[Any] = [access.record_id, access.by_id, access.by_name, access.at, str(access.purpose), access.note]
    with connection.cursor() as cursor:
        cursor.execute(READ_DETAILS_SQL, [*columns, access.log, access.entry_index])
        [details] = cursor.fetchone() or [None]
    if details is None:
        raise DestroyedAlready
    return str(details)
