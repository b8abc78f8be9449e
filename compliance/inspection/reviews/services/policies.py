"""Review policy of a casino: hours by severity, and which decisions need a second reviewer."""

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from compliance.inspection.reviews.entry_kinds import POLICY_SET
from compliance.inspection.reviews.models import ReviewPolicy
from compliance.inspection.reviews.selectors import require_policy_setter
from rounds.ledger import write_row


@transaction.atomic
def set_review_policy(
    *,
    casino: Casino,
    service_hours: Mapping[str, int],
    seconded: Collection[str],
    reason: str,
    actor: User,
    now: datetime,
) -> ReviewPolicy:
    """Applies from now on. Waiting findings keep their due date, and decisions stay as they are."""
    require_policy_setter(actor, casino)
    arrangement = ReviewPolicy(
        casino=casino,
        service_hours=dict(service_hours),
        seconded=sorted(seconded),
        reason=reason,
        made_by=actor,
        made_by_name=actor.name,
        made_at=now,
    )
    return write_row(arrangement, kind=POLICY_SET, log=casino.slug, now=now)
