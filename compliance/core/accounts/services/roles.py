"""Giving and ending roles. Changes to a casino's administrators hold the lock on the casino's row. Government roles are
given by the government's own administrators, never by those of the casino."""

from datetime import datetime

from django.db import transaction

from compliance.core.accounts.errors import (
    CannotGiveOwnRole,
    LastAdministrator,
    NotAdministrator,
    NotAdministratorOfSide,
    RoleEndedAlready,
    RoleHeldAlready,
    RolesOfBothSides,
)
from compliance.core.accounts.ledger.account_events import RegulatedAct, record_regulated_acts
from compliance.core.accounts.models import Casino, EventKind, RoleAssignment, RoleAssignmentQuerySet, User
from compliance.core.accounts.roles import ADMINISTERED_ROLES, administrator_of, side_of


def lock_casinos(casinos: set[int]) -> None:
    """Lock order: casinos by primary key. Two administrators who act on each other wait instead of deadlocking."""
    list(Casino.objects.filter(pk__in=casinos).order_by("pk").select_for_update(no_key=True).values_list("pk"))


def require_administrator(actor: User, casino: Casino, role: str) -> None:
    """Requires an administrator of the side to which `role` belongs. Queries the database: the actor's own role may
    have ended since the page was opened."""
    own = RoleAssignment.objects.current().filter(
        user=actor, role__in=ADMINISTERED_ROLES, casino=casino, user__is_active=True
    )
    held = set(own.values_list("role", flat=True))
    if not held:
        raise NotAdministrator
    if administrator_of(role) not in held:
        raise NotAdministratorOfSide


def require_one_side(email: str, role: str) -> None:
    """Refuses a role to a person who holds one of the other side, at any casino. The database refuses it too."""
    if RoleAssignment.objects.current().filter(user__email=email).exclude(role__in=side_of(role)).exists():
        raise RolesOfBothSides


def require_another_administrator(subject: User, lost: RoleAssignmentQuerySet) -> None:
    """Raises LastAdministrator if a casino would have no administrator of a side without these roles of the person."""
    administrators = RoleAssignment.objects.current().filter(role__in=ADMINISTERED_ROLES, user__is_active=True)
    others = administrators.exclude(user=subject).values_list("casino_id", "role")
    if set(lost.filter(role__in=ADMINISTERED_ROLES).values_list("casino_id", "role")) - set(others):
        raise LastAdministrator


@transaction.atomic
def give_role(*, subject: User, casino: Casino, role: str, actor: User, now: datetime) -> RoleAssignment:
    if actor == subject:
        raise CannotGiveOwnRole
    lock_casinos({casino.pk})
    require_administrator(actor, casino, role)
    if RoleAssignment.objects.current().filter(user=subject, casino=casino, role=role).exists():
        raise RoleHeldAlready
    require_one_side(subject.email, role)
    held = RoleAssignment.objects.create(user=subject, casino=casino, role=role, given_by=actor, given_at=now)
    record_regulated_acts(
        RegulatedAct(kind=EventKind.ROLE_GIVEN, actor=actor, subject=subject, role=role), casino=casino, at=now
    )
    return held


@transaction.atomic
def end_role(*, held: RoleAssignment, actor: User, now: datetime) -> RoleAssignment:
    """Ends a role, one's own included, but not that of the last administrator."""
    lock_casinos({held.casino_id})
    require_administrator(actor, held.casino, held.role)
    held = RoleAssignment.objects.select_related("casino", "user").get(pk=held.pk)
    if held.ended_at:
        raise RoleEndedAlready
    if held.user.is_active:
        require_another_administrator(held.user, RoleAssignment.objects.filter(pk=held.pk))
    held.ended_by, held.ended_at = actor, now
    held.save(update_fields=["ended_by", "ended_at"])
    ended = RegulatedAct(kind=EventKind.ROLE_ENDED, actor=actor, subject=held.user, role=held.role)
    record_regulated_acts(ended, casino=held.casino, at=now)
    return held
