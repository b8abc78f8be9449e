"""Service: a person acknowledges a signal. Appends an entry; the signal itself never changes."""

from datetime import datetime

from django.db import transaction

from compliance.analysis.fairness.entry_kinds import SIGNAL_SEEN
from compliance.analysis.fairness.errors import NotAllowedToAcknowledge
from compliance.analysis.fairness.models import MAY_ACKNOWLEDGE, Signal, SignalAcknowledgement
from compliance.core.accounts.models import RoleAssignment, User
from rounds.ledger import write_row


@transaction.atomic
def acknowledge_signal(*, signal: Signal, note: str, actor: User, now: datetime) -> SignalAcknowledgement:
    """Roles are read from the database, because they may have ended since the page was opened."""
    held = RoleAssignment.objects.current().filter(user=actor, casino=signal.casino, user__is_active=True)
    roles = set(held.values_list("role", flat=True))
    acted_as = next((role for role in MAY_ACKNOWLEDGE if role.value in roles), None)
    if acted_as is None:
        raise NotAllowedToAcknowledge
    acknowledgement = SignalAcknowledgement(
        casino=signal.casino, signal=signal, note=note, by=actor, by_name=actor.name, acted_as=acted_as.value, at=now
    )
    return write_row(acknowledgement, kind=SIGNAL_SEEN, log=signal.log, now=now)
