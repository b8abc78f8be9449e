"""Records disclosures. Called before sending: a download that breaks off has been seen all the same."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from compliance.privacy.access_log.entry_kinds import DISCLOSED
from compliance.privacy.access_log.models import AccessMethod, Disclosure
from rounds.ledger import write_row


@transaction.atomic
def record_disclosure(
    *,
    casino: Casino,
    way: AccessMethod,
    what: str,
    address: str,
    format: str,
    actor: User,
    now: datetime,
    filters: Mapping[str, str] | None = None,
    rows: int | None = None,
    through: str = "",
) -> Disclosure:
    disclosure = Disclosure(
        casino=casino,
        way=way,
        what=what[:200],
        address=address[:400],
        format=format[:80],
        filters=dict(filters or {}),
        rows=rows,
        by=actor,
        by_name=actor.name,
        through=through,
        at=now,
    )
    return write_row(disclosure, kind=DISCLOSED, log=casino.slug, now=now)
