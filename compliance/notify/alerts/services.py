"""Use cases: raise and acknowledge an alert, set a casino's ladder. Each appends to the casino's log."""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.services.roles import lock_casinos
from compliance.core.web.errors import NotFound
from compliance.core.web.jobs.wake import wake
from compliance.core.web.mail.outbox import enqueue_emails
from compliance.core.web.models import OutgoingEmail
from compliance.notify.alerts.entry_kinds import KIND_BY_STEP, LADDER_SET, RAISED
from compliance.notify.alerts.errors import AcknowledgedAlready, BadLadder, EscalationTooLate, NotAddressed
from compliance.notify.alerts.ladder import MAX_MINUTES, EscalationRung, ladder_of
from compliance.notify.alerts.models import Alert, AlertStep, EscalationRule, role_labels
from compliance.notify.alerts.response_time import IMMEDIATE_LIMIT
from compliance.notify.alerts.states import AlertState, AlertStepKind
from rounds.ledger import append, make_entry, write_row

ESCALATE_TASK = "compliance.notify.alerts.tasks.escalate_alerts"
EMAIL_PURPOSE = "alert"
MAY_SET_LADDER = frozenset({Role.AUTHORITY_OFFICER, Role.COMPLIANCE_OFFICER})


@transaction.atomic
def raise_alert(
    *,
    casino: Casino,
    duty: str,
    to: Role | tuple[Role, ...],
    statement: str,
    clause: str,
    now: datetime,
    actor: User | None = None,
    about: tuple[str, int] | None = None,
    table: str = "",
    immediately: bool = True,
    fact_at: datetime | None = None,
) -> Alert:
    """Raises an alert within the caller's transaction, before its own last append. `statement` enters the ledger, so
    it names no person. `about` is the entry (log, index) concerned; `fact_at` when it happened, if not just now."""
    roles = list(dict.fromkeys((to,) if isinstance(to, Role) else to))
    if not roles or not statement or not clause:
        raise ValueError("An alert says to whom, of what and by which clause.")
    alert = Alert(
        casino=casino,
        duty=duty,
        to=[role.value for role in roles],
        statement=statement[:500],
        clause=clause,
        table=table,
        about_log=about[0] if about else "",
        about_index=about[1] if about else None,
        fact_at=fact_at or now,
        raised_at=now,
        raised_by=actor,
        raised_by_name=actor.name if actor else "",
        is_immediate=immediately,
        told=[role.value for role in roles],
    )
    rungs = ladder_of(alert)
    alert.escalates_at = rungs[0].due_at(now) if rungs else None
    [receipt] = append(casino.slug, [make_entry(RAISED, alert.entry_body(), table or None)], now)
    alert.log, alert.entry_index = receipt.log, receipt.index
    emails = emails_to(alert, alert.to, now)
    if not emails:
        # Nobody holds the roles, so the next rung is due at once.
        alert.escalates_at = now if rungs else None
    alert.save(force_insert=True)
    enqueue_emails(emails)
    if not emails:
        record_step(
            alert, AlertStepKind.FAILED, now, roles=alert.to, detail=f"Nobody here is {role_labels(alert.to).lower()}."
        )
        wake(ESCALATE_TASK)
    return alert


def emails_to(alert: Alert, roles: Sequence[str], now: datetime) -> list[OutgoingEmail]:
    """Unsaved outbox rows, one for each person who holds one of the roles.
    A person with several roles is notified in the first of them."""
    held = RoleAssignment.objects.current().filter(casino=alert.casino_id, role__in=roles, user__is_active=True)
    last_first = sorted(held.select_related("user"), key=lambda each: (each.user_id, -roles.index(each.role)))
    by_person = {each.user: each.role for each in last_first}
    about = {"log": alert.log, "alert": alert.entry_index, "level": alert.level}
    return [
        OutgoingEmail(
            purpose=EMAIL_PURPOSE,
            to=person.email,
            reference={**about, "person": person.pk, "role": role},
            created_at=now,
        )
        for person, role in by_person.items()
    ]


def record_step(
    alert: Alert,
    step: AlertStepKind,
    now: datetime,
    *,
    person: User | None = None,
    roles: Sequence[str] = (),
    attempt: int | None = None,
    detail: str = "",
) -> AlertStep:
    """Writes the step and its entry within the caller's transaction."""
    row = AlertStep(
        alert=alert,
        step=step,
        at=now,
        level=alert.level,
        roles=list(roles),
        person=person,
        person_name=person.name if person else "",
        attempt=attempt,
        detail=detail[:300],
    )
    return write_row(row, kind=KIND_BY_STEP[step], log=alert.log, table=alert.table or None, now=now)


@transaction.atomic
def acknowledge_alert(*, alert: Alert, actor: User, now: datetime) -> Alert:
    """Acknowledges an alert: once, by a person who had to be notified or to whom it was escalated."""
    locked = Alert.objects.select_for_update(no_key=True).get(pk=alert.pk)
    roles = roles_to_acknowledge(actor, locked)
    if not roles:
        raise NotAddressed
    if not locked.is_waiting:
        raise AcknowledgedAlready(f"{locked.acknowledged_by_name} acknowledged it before you.")
    locked.state, locked.acknowledged_at, locked.acknowledged_by_name = AlertState.ACKNOWLEDGED, now, actor.name
    locked.escalates_at = None
    locked.save(update_fields=["state", "acknowledged_at", "acknowledged_by_name", "escalates_at"])
    record_step(locked, AlertStepKind.ACKNOWLEDGED, now, person=actor, roles=roles)
    return locked


def roles_to_acknowledge(person: User, alert: Alert) -> list[str]:
    """Roles in which the person can acknowledge it.
    Queries the database: a role may have ended since the page was opened."""
    held = RoleAssignment.objects.current().filter(user=person, casino=alert.casino_id, user__is_active=True)
    return sorted(held.filter(role__in=alert.acknowledgers).values_list("role", flat=True))


@transaction.atomic
def set_ladder(
    *, casino: Casino, immediately: bool, rungs: Sequence[EscalationRung], reason: str, actor: User, now: datetime
) -> EscalationRule:
    """Sets the ladder for alerts raised from now on; open alerts keep the ladder they were raised with."""
    lock_casinos({casino.pk})
    require_any_role(actor, casino, MAY_SET_LADDER)
    minutes = [rung.minutes for rung in rungs]
    in_order = minutes == sorted(set(minutes)) and all(0 < each <= MAX_MINUTES for each in minutes)
    if not rungs or not in_order or not all(rung.roles for rung in rungs):
        raise BadLadder
    if immediately and rungs[0].due_at(now) > now + IMMEDIATE_LIMIT:
        raise EscalationTooLate
    rule = EscalationRule(
        casino=casino,
        is_immediate=immediately,
        rungs=[rung.as_json() for rung in rungs],
        reason=reason,
        by=actor,
        by_name=actor.name,
        at=now,
    )
    return write_row(rule, kind=LADDER_SET, log=casino.slug, now=now)


def require_any_role(actor: User, casino: Casino, roles: Collection[Role]) -> None:
    if not actor.has_role_in_database(*roles, casino=casino):
        raise NotFound
