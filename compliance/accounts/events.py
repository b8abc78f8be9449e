"""Writing down what happens to accounts. Each service records its own act, in its own transaction, at its end."""

from dataclasses import dataclass
from datetime import datetime

from compliance.accounts.identity_links import IdentityLink
from compliance.accounts.models import AccountAct, AccountEvent, Casino, EventKind, Invitation, User
from compliance.accounts.roles import Role
from compliance.web.bell import ring
from rounds.ledger.appending import append
from rounds.ledger.appending import record as new_entry
from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_record

FAILURES = (EventKind.SIGN_IN_FAILED, EventKind.CODE_REFUSED, EventKind.SIGN_OFF_REFUSED)
# The log of acts that belong to no casino: what people do to their own account.
SITE = "site"
# Entries of the ledger: they change who may act at a casino, or in whose name. Coming in, going out and wrong
# passwords are not: they change nothing, there are hundreds a day, and anybody at all can cause the failed ones.
REGULATED = frozenset(
    {
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
    }
)
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
        EventKind.IDENTITY_OFFERED,
        EventKind.IDENTITY_LINKED,
        EventKind.IDENTITY_REMOVED,
    }
)


@dataclass(frozen=True, kw_only=True)
class Act:
    """A regulated act on an account, as its service knows it. Nobody as actor: those who run the service."""

    kind: EventKind
    actor: User | None = None
    subject: User | None = None
    role: str = ""
    reason: str = ""
    invitation: Invitation | None = None
    identity: IdentityLink | None = None

    @property
    def words(self) -> str:
        """What the pages and letters say of it beyond its kind."""
        role = Role(self.role).label if self.role else ""
        if self.identity:
            return self.identity.issuer
        return f"{self.invitation.email}: {role}" if self.invitation else self.reason or role


def entry_kind(kind: EventKind) -> str:
    return f"account-{kind.value}"


def register_acts() -> None:
    for kind in REGULATED:
        register_kind(entry_kind(kind), f"An account: {kind.label[0].lower()}{kind.label[1:]}.")
        register_record(entry_kind(kind), AccountAct.recorded_between)


def record(
    kind: EventKind,
    *,
    at: datetime,
    actor: User | None = None,
    subject: User | None = None,
    address: str | None = None,
    detail: str = "",
) -> AccountEvent:
    """Something that happened and changed nobody's powers. What did is recorded by record_acts."""
    if kind in REGULATED:
        raise ValueError(f"{kind} is a regulated act: it needs an entry.")
    event = AccountEvent.objects.create(
        kind=kind, at=at, actor=actor, subject=subject, address=address, detail=detail[:300]
    )
    _tell(event)
    return event


def record_acts(*acts: Act, casino: Casino | None, at: datetime, is_told: bool = True) -> list[AccountEvent]:
    """The last thing a service does: it locks one log, the casino's or the site's, once for all its acts."""
    if not REGULATED.issuperset(act.kind for act in acts):
        raise ValueError("Only regulated acts become entries.")
    rows = [_row(act, casino, at) for act in acts]
    log = SITE if casino is None else casino.slug
    entries = [new_entry(entry_kind(act.kind), row.as_record()) for act, row in zip(acts, rows, strict=True)]
    for row, receipt in zip(rows, append(log, entries, at), strict=True):
        row.log, row.entry_index = receipt.log, receipt.index
    AccountAct.objects.bulk_create(rows)
    events = [row.event for row in rows]
    for event in events if is_told else ():
        _tell(event)
    return events


def _row(act: Act, casino: Casino | None, at: datetime) -> AccountAct:
    event = AccountEvent.objects.create(
        kind=act.kind, at=at, actor=act.actor, subject=act.subject, casino=casino, detail=act.words[:300]
    )
    return AccountAct(
        event=event,
        actor_name=act.actor.name if act.actor else "",
        subject_name=act.subject.name if act.subject else "",
        role=act.role,
        reason=act.reason[:300],
        invitation=act.invitation,
        identity=act.identity,
    )


def _tell(event: AccountEvent) -> None:
    if event.subject_id is not None and event.kind in TOLD_BY_LETTER:
        ring("compliance.accounts.tasks.send_notice", event=event.pk)
