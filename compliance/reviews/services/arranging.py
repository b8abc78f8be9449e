"""How findings of a casino are reviewed: within how many hours, and which need a second reviewer."""

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db import transaction

from compliance.accounts.models import Casino, User
from compliance.reviews.kinds import ARRANGED
from compliance.reviews.models import Arrangement
from compliance.reviews.selectors import require_arranger
from rounds.ledger.rows import write_row


@transaction.atomic
def arrange_reviews(
    *, casino: Casino, service_hours: Mapping[str, int], seconded: Collection[str], reason: str, actor: User,
    now: datetime,
) -> Arrangement:  # fmt: skip
    """From now on: findings that wait already keep their date, decisions that were made stay as they are."""
    require_arranger(actor, casino)
    arrangement = Arrangement(
        casino=casino, service_hours=dict(service_hours), seconded=sorted(seconded), reason=reason,
        made_by=actor, made_by_name=actor.name, made_at=now,
    )  # fmt: skip
    return write_row(arrangement, kind=ARRANGED, log=casino.slug, now=now)
