"""Entry kinds of accounts: the events that change who may act at a casino, or in whose name.

Sign-ins, sign-outs and wrong passwords are rows only: they change nothing, there are hundreds a day, and anybody can
cause the failed ones.
"""

from compliance.core.accounts.models import EventKind
from rounds.ledger import EntryKind

REGULATED_EVENTS = (
    EventKind.UNLOCKED,
    EventKind.SECOND_FACTOR_ENROLLED,
    EventKind.SECOND_FACTOR_RESET,
    EventKind.RECOVERY_CODES_MADE,
    EventKind.PASSWORD_CHANGED,
    EventKind.PASSWORD_RESET,
    EventKind.INVITED,
    EventKind.INVITED_AGAIN,
    EventKind.INVITATION_WITHDRAWN,
    EventKind.INVITATION_ACCEPTED,
    EventKind.ROLE_GIVEN,
    EventKind.ROLE_ENDED,
    EventKind.DISABLED,
    EventKind.ENABLED,
    EventKind.IDENTITY_OFFERED,
    EventKind.IDENTITY_LINKED,
    EventKind.IDENTITY_REMOVED,
)
KIND_BY_EVENT = {
    event: EntryKind(
        f"account-{event.value}", event.label, "{subject[name]}, {role:words}, {reason}", "accounts.AccountAct"
    )
    for event in REGULATED_EVENTS
}
