"""That a person looked at a signal: a new entry, beside the signal, which stays as it is."""

from datetime import datetime

from django.db import transaction

from compliance.accounts.models import RoleHeld, User
from compliance.fairness.errors import NotTheirs
from compliance.fairness.kinds import SEEN
from compliance.fairness.models import MAY_MARK, Signal, SignalSeen
from rounds.ledger.rows import write_row


@transaction.atomic
def mark_seen(*, signal: Signal, note: str, actor: User, now: datetime) -> SignalSeen:
    """Read afresh who they are: a role may have ended since the page was opened."""
    held = RoleHeld.objects.current().filter(user=actor, casino=signal.casino, user__is_active=True)
    roles = set(held.values_list("role", flat=True))
    acted_as = next((role for role in MAY_MARK if role.value in roles), None)
    if acted_as is None:
        raise NotTheirs
    seen = SignalSeen(
        casino=signal.casino, signal=signal, note=note, by=actor, by_name=actor.name, acted_as=acted_as.value, at=now
    )
    return write_row(seen, kind=SEEN, log=signal.log, now=now)
