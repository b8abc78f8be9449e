"""Records account events. Each service records its own event at the end of its transaction."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from compliance.core.accounts.emails import queue_event_notice
from compliance.core.accounts.entry_kinds import KIND_BY_EVENT
from compliance.core.accounts.models import AccountAct, AccountEvent, Casino, EventKind, Invitation, User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.sso.models import IdentityLink
from rounds.ledger import append
from rounds.ledger import make_entry as new_entry

FAILED_SIGN_IN_KINDS = (EventKind.SIGN_IN_FAILED, EventKind.CODE_REFUSED, EventKind.SIGN_OFF_REFUSED)
# The log of events that belong to no casino: what people do to their own account.
SITE_LOG = "site"
# Kinds of which the person is notified by e-mail, because they change who can act in their name.
EMAILED_KINDS = frozenset(
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
        EventKind.IDENTITY_OFFERED,
        EventKind.IDENTITY_LINKED,
        EventKind.IDENTITY_REMOVED,
    }
)


@dataclass(frozen=True, kw_only=True)
class RegulatedAct:
    """A regulated change to an account, to be recorded. `actor` is None if the operators of the service did it."""

    kind: EventKind
    actor: User | None = None
    subject: User | None = None
    role: str = ""
    reason: str = ""
    invitation: Invitation | None = None
    identity: IdentityLink | None = None

    @property
    def detail_text(self) -> str:
        """Details for pages and e-mails beyond the kind."""
        role = Role(self.role).label if self.role else ""
        if self.identity:
            return self.identity.issuer
        return f"{self.invitation.email}: {role}" if self.invitation else self.reason or role


def record_event(
    kind: EventKind,
    *,
    at: datetime,
    actor: User | None = None,
    subject: User | None = None,
    address: str | None = None,
    detail: str = "",
) -> AccountEvent:
    """Records an event that changed no permissions. Those that did go through record_regulated_acts."""
    if kind in KIND_BY_EVENT:
        raise ValueError(f"{kind} is a regulated act: it needs an entry.")
    event = AccountEvent.objects.create(
        kind=kind, at=at, actor=actor, subject=subject, address=address, detail=detail[:300]
    )
    _queue_notice_email(event)
    return event


def record_regulated_acts(
    *acts: RegulatedAct, casino: Casino | None, at: datetime, send_emails: bool = True
) -> list[AccountEvent]:
    """Appends regulated acts as ledger entries.
    Lock order: call it last; it locks one log, the casino's or the site's."""
    if not KIND_BY_EVENT.keys() >= {act.kind for act in acts}:
        raise ValueError("Only regulated acts become entries.")
    rows = [_build_act_row(act, casino, at) for act in acts]
    log = SITE_LOG if casino is None else casino.slug
    entries = [new_entry(KIND_BY_EVENT[act.kind], row.entry_body()) for act, row in zip(acts, rows, strict=True)]
    for row, receipt in zip(rows, append(log, entries, at), strict=True):
        row.log, row.entry_index = receipt.log, receipt.index
    AccountAct.objects.bulk_create(rows)
    events = [row.event for row in rows]
    for event in events if send_emails else ():
        _queue_notice_email(event)
    return events


def _build_act_row(act: RegulatedAct, casino: Casino | None, at: datetime) -> AccountAct:
    event = AccountEvent.objects.create(
        kind=act.kind, at=at, actor=act.actor, subject=act.subject, casino=casino, detail=act.detail_text[:300]
    )
    return AccountAct(
        event=event,
        actor_name=act.actor.name if act.actor else "",
        subject_name=act.subject.name if act.subject else "",
        role=act.role,
        reason=act.reason,
        invitation=act.invitation,
        identity=act.identity,
    )


def _queue_notice_email(event: AccountEvent) -> None:
    if event.subject is not None and event.kind in EMAILED_KINDS:
        queue_event_notice(event, event.subject)


def record_sign_in(*, actor: User, address: str | None, now: datetime, detail: str = "") -> None:
    record_event(EventKind.SIGNED_IN, at=now, actor=actor, subject=actor, address=address, detail=detail)


def record_sign_out(*, actor: User, address: str | None, now: datetime, detail: str = "") -> None:
    record_event(EventKind.SIGNED_OUT, at=now, actor=actor, subject=actor, address=address, detail=detail)


@transaction.atomic
def record_failed_sign_in(*, kind: EventKind, email: str, address: str | None, has_locked: bool, now: datetime) -> None:
    """Records a failed sign-in without actor, because the person was not authenticated."""
    subject = User.objects.filter(email=email.lower()).first()
    record_event(kind, at=now, subject=subject, address=address)
    if has_locked:
        record_event(EventKind.LOCKED, at=now, subject=subject, address=address)
