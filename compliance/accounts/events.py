"""Writing down what happens to accounts. Each service records its own act, in its own transaction."""

from datetime import datetime

from compliance.accounts.models import AccountEvent, Casino, EventKind, User
from compliance.web.bell import ring

FAILURES = (EventKind.SIGN_IN_FAILED, EventKind.CODE_REFUSED, EventKind.SIGN_OFF_REFUSED)
# What people are told by e-mail, because it changes who can act in their name.
TOLD_BY_LETTER = frozenset(
    {
        EventKind.SECOND_FACTOR_ENROLLED,
        EventKind.SECOND_FACTOR_RESET,
        EventKind.RECOVERY_CODE_USED,
        EventKind.RECOVERY_CODES_MADE,
        EventKind.PASSWORD_CHANGED,
        EventKind.PASSWORD_RESET,
        EventKind.ROLE_GIVEN,
        EventKind.ROLE_ENDED,
        EventKind.DISABLED,
        EventKind.ENABLED,
    }
)


def record(
    kind: EventKind,
    *,
    at: datetime,
    actor: User | None = None,
    subject: User | None = None,
    casino: Casino | None = None,
    address: str | None = None,
    detail: str = "",
) -> AccountEvent:
    event = AccountEvent.objects.create(
        kind=kind, at=at, actor=actor, subject=subject, casino=casino, address=address, detail=detail[:300]
    )
    if subject is not None and kind in TOLD_BY_LETTER:
        ring("compliance.accounts.tasks.send_notice", event=event.pk)
    return event
