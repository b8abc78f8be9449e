"""Giving and ending roles. Changes to a casino's administrators hold the lock on the casino's row."""

from datetime import datetime

from django.db import transaction

from compliance.core.accounts.errors import (
    CannotGiveOwnRole,
    LastAdministrator,
    NotAdministrator,
    RoleEndedAlready,
    RoleHeldAlready,
)
from compliance.core.accounts.ledger.account_events import RegulatedAct, record_regulated_acts
from compliance.core.accounts.models import Casino, EventKind, RoleAssignment, User
from compliance.core.accounts.roles import Role


def lock_casinos(casinos: set[int]) -> None:
    """Lock order: casinos by primary key. Two administrators who act on each other wait instead of deadlocking."""
    list(Casino.objects.filter(pk__in=casinos).order_by("pk").select_for_update(no_key=True).values_list("pk"))


def require_administrator(actor: User, casino: Casino) -> None:
    """Queries the database: the actor's own role may have ended since the page was opened."""
    administrators = RoleAssignment.objects.current().filter(
        role=Role.ADMINISTRATOR, casino=casino, user__is_active=True
    )
    if not administrators.filter(user=actor).exists():
        raise NotAdministrator


def require_another_administrator(subject: User, casino_ids: set[int]) -> None:
    others = RoleAssignment.objects.current().filter(
        role=Role.ADMINISTRATOR, casino__in=casino_ids, user__is_active=True
    )
    covered = set(others.exclude(user=subject).values_list("casino_id", flat=True))
    if casino_ids - covered:
        raise LastAdministrator


@transaction.atomic
def give_role(*, subject: User, casino: Casino, role: str, actor: User, now: datetime) -> RoleAssignment:
    if actor == subject:
        raise CannotGiveOwnRole
    lock_casinos({casino.pk})
    require_administrator(actor, casino)
    if RoleAssignment.objects.current().filter(user=subject, casino=casino, role=role).exists():
        raise RoleHeldAlready
    held = RoleAssignment.objects.create(user=subject, casino=casino, role=role, given_by=actor, given_at=now)
    record_regulated_acts(
        RegulatedAct(kind=EventKind.ROLE_GIVEN, actor=actor, subject=subject, role=role), casino=casino, at=now
    )
    return held


@transaction.atomic
def end_role(*, held: RoleAssignment, actor: User, now: datetime) -> RoleAssignment:
    """Ends a role, one's own included, but not that of the last administrator."""
    lock_casinos({held.casino_id})
    require_administrator(actor, held.casino)
    held = RoleAssignment.objects.select_related("casino", "user").get(pk=held.pk)
    if held.ended_at:
        raise RoleEndedAlready
    if held.role == Role.ADMINISTRATOR and held.user.is_active:
        require_another_administrator(held.user, {held.casino_id})
    held.ended_by, held.ended_at = actor, now
    held.save(update_fields=["ended_by", "ended_at"])
    ended = RegulatedAct(kind=EventKind.ROLE_ENDED, actor=actor, subject=held.user, role=held.role)
    record_regulated_acts(ended, casino=held.casino, at=now)
    return held
