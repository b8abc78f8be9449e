"""Use cases of administrators on a whole account: disable, enable, reset the second factor, unlock sign-in. An account
spans casinos, so these need an administrator of every casino where the person works, of the side they work for."""

from collections.abc import Iterable
from datetime import datetime

from axes.utils import reset as reset_axes
from django.db import transaction
from django.db.models import F
from django_otp.plugins.otp_totp.models import TOTPDevice

from compliance.core.accounts.errors import (
    CannotChangeOwnAccount,
    DisabledAlready,
    EnabledAlready,
    NoSecondFactor,
    WorksElsewhere,
)
from compliance.core.accounts.ledger.account_events import RegulatedAct, record_regulated_acts
from compliance.core.accounts.models import Casino, EventKind, RecoverySheet, RoleAssignment, User
from compliance.core.accounts.roles import Role, administrator_of
from compliance.core.accounts.services.roles import lock_casinos, require_administrator, require_another_administrator


def roles_of(user: User) -> set[tuple[int, str]]:
    """Casino and role of each role that the person holds now."""
    return set(RoleAssignment.objects.current().filter(user=user).values_list("casino_id", "role"))


def require_administrator_for(actor: User, subject: User, casino: Casino) -> None:
    """An administrator here of the side for which the person works here, or worked last."""
    if actor == subject:
        raise CannotChangeOwnAccount
    last = subject.roles.filter(casino=casino).order_by("ended_at", "pk").last()
    require_administrator(actor, casino, last.role if last else "")


def require_administrator_everywhere(actor: User, subject: User, casino: Casino) -> None:
    lock_casinos({casino.pk} | {held_at for held_at, _ in roles_of(subject)})
    require_administrator_for(actor, subject, casino)
    needed = {(held_at, administrator_of(role).value) for held_at, role in roles_of(subject)}
    if needed - roles_of(actor):
        raise WorksElsewhere


def end_sessions(subject: User) -> None:
    """Every session is bound to the epoch in which it began (User.get_session_auth_hash)."""
    User.objects.filter(pk=subject.pk).update(session_epoch=F("session_epoch") + 1)


@transaction.atomic
def disable_person(*, subject: User, casino: Casino, reason: str, actor: User, now: datetime) -> User:
    require_administrator_everywhere(actor, subject, casino)
    if not User.objects.filter(pk=subject.pk, is_active=True).exists():
        raise DisabledAlready
    require_another_administrator(subject, RoleAssignment.objects.current().filter(user=subject))
    User.objects.filter(pk=subject.pk).update(is_active=False)
    end_sessions(subject)
    disabled = RegulatedAct(kind=EventKind.DISABLED, actor=actor, subject=subject, reason=reason)
    record_regulated_acts(disabled, casino=casino, at=now)
    subject.refresh_from_db()
    return subject


@transaction.atomic
def enable_person(*, subject: User, casino: Casino, actor: User, now: datetime) -> User:
    require_administrator_everywhere(actor, subject, casino)
    if not User.objects.filter(pk=subject.pk, is_active=False).update(is_active=True):
        raise EnabledAlready
    record_regulated_acts(RegulatedAct(kind=EventKind.ENABLED, actor=actor, subject=subject), casino=casino, at=now)
    subject.refresh_from_db()
    return subject


@transaction.atomic
def suspend_people_of_both_sides(*, now: datetime) -> list[User]:
    """Disables whoever holds government and casino roles from before that was refused, with an entry in the log of each
    of those casinos. Lock order: logs by name. They stay disabled until the roles of one side have ended."""
    held = RoleAssignment.objects.of_both_sides().filter(user__is_active=True).select_related("user", "casino")
    by_person: dict[User, list[RoleAssignment]] = {}
    for one in held.order_by("user_id", "casino__slug", "role"):
        by_person.setdefault(one.user, []).append(one)
    lock_casinos({one.casino_id for one in held})
    acts_by_casino: dict[str, tuple[Casino, list[RegulatedAct]]] = {}
    for person, roles in by_person.items():
        User.objects.filter(pk=person.pk).update(is_active=False)
        end_sessions(person)
        reason = f"Government and casino roles at the same time: {describe_roles(roles)}."
        act = RegulatedAct(kind=EventKind.DISABLED, subject=person, reason=reason)
        for casino in {one.casino for one in roles}:
            acts_by_casino.setdefault(casino.slug, (casino, []))[1].append(act)
    for _, (casino, acts) in sorted(acts_by_casino.items()):
        record_regulated_acts(*acts, casino=casino, at=now)
    return list(by_person)


def describe_roles(held: Iterable[RoleAssignment]) -> str:
    return "; ".join(f"{Role(one.role).label.lower()} at {one.casino}" for one in held)


def delete_second_factor(subject: User) -> None:
    """Also ends all sessions: a thief in a stolen session must not enrol the next phone."""
    TOTPDevice.objects.filter(user=subject).delete()
    RecoverySheet.objects.filter(user=subject).delete()
    end_sessions(subject)


@transaction.atomic
def reset_second_factor(*, subject: User, casino: Casino, actor: User, now: datetime) -> User:
    require_administrator_everywhere(actor, subject, casino)
    if not subject.has_second_factor:
        raise NoSecondFactor
    delete_second_factor(subject)
    record_regulated_acts(
        RegulatedAct(kind=EventKind.SECOND_FACTOR_RESET, actor=actor, subject=subject), casino=casino, at=now
    )
    subject.refresh_from_db()
    return subject


@transaction.atomic
def reset_second_factor_by_operator(*, subject: User, now: datetime) -> User:
    """For the command line, by the operators of the service: there is no actor."""
    delete_second_factor(subject)
    reset = RegulatedAct(kind=EventKind.SECOND_FACTOR_RESET, subject=subject, reason="by those who run the service")
    record_regulated_acts(reset, casino=None, at=now)
    subject.refresh_from_db()
    return subject


@transaction.atomic
def unlock_sign_in(*, subject: User, casino: Casino, actor: User, now: datetime) -> User:
    """Clears the failed attempts for passwords and codes.
    Harmless elsewhere, so an administrator of one casino is enough."""
    require_administrator_for(actor, subject, casino)
    reset_axes(username=subject.email)
    cleared = {"throttling_failure_count": 0, "throttling_failure_timestamp": None}
    TOTPDevice.objects.filter(user=subject).update(**cleared)
    RecoverySheet.objects.filter(user=subject).update(**cleared)
    record_regulated_acts(RegulatedAct(kind=EventKind.UNLOCKED, actor=actor, subject=subject), casino=casino, at=now)
    return subject
