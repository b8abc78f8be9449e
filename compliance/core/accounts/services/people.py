"""Use cases of administrators on a whole account: disable, enable, reset the second factor, unlock sign-in. An account
spans casinos, so these need an administrator of every casino where the person works."""

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
from compliance.core.accounts.roles import Role
from compliance.core.accounts.services.roles import lock_casinos, require_administrator, require_another_administrator


def casinos_with_roles(user: User, *roles: str) -> set[int]:
    held = RoleAssignment.objects.current().filter(user=user)
    return set((held.filter(role__in=roles) if roles else held).values_list("casino_id", flat=True))


def require_administrator_everywhere(actor: User, subject: User, casino: Casino) -> None:
    if actor == subject:
        raise CannotChangeOwnAccount
    lock_casinos({casino.pk} | casinos_with_roles(subject))
    require_administrator(actor, casino)
    if casinos_with_roles(subject) - casinos_with_roles(actor, Role.ADMINISTRATOR):
        raise WorksElsewhere


def end_sessions(subject: User) -> None:
    """Every session is bound to the epoch in which it began (User.get_session_auth_hash)."""
    User.objects.filter(pk=subject.pk).update(session_epoch=F("session_epoch") + 1)


@transaction.atomic
def disable_person(*, subject: User, casino: Casino, reason: str, actor: User, now: datetime) -> User:
    require_administrator_everywhere(actor, subject, casino)
    if not User.objects.filter(pk=subject.pk, is_active=True).exists():
        raise DisabledAlready
    require_another_administrator(subject, casinos_with_roles(subject, Role.ADMINISTRATOR))
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
    if actor == subject:
        raise CannotChangeOwnAccount
    require_administrator(actor, casino)
    reset_axes(username=subject.email)
    cleared = {"throttling_failure_count": 0, "throttling_failure_timestamp": None}
    TOTPDevice.objects.filter(user=subject).update(**cleared)
    RecoverySheet.objects.filter(user=subject).update(**cleared)
    record_regulated_acts(RegulatedAct(kind=EventKind.UNLOCKED, actor=actor, subject=subject), casino=casino, at=now)
    return subject
