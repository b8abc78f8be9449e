"""What people do to their own account. Callers have authenticated them."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django_otp.plugins.otp_totp.models import TOTPDevice

from compliance.core.accounts.auth.second_factor import issue_recovery_codes, matching_time_step
from compliance.core.accounts.emails import queue_password_reset
from compliance.core.accounts.errors import DemoPasswordIsFixed, EnrolledAlready, WrongCode
from compliance.core.accounts.ledger.account_events import RegulatedAct, record_event, record_regulated_acts
from compliance.core.accounts.models import EventKind, User
from compliance.core.accounts.services.people import delete_second_factor, end_sessions

MAX_RESET_EMAILS_PER_HOUR = 3


@dataclass(frozen=True)
class EnrolledDevice:
    """The new device, and the recovery codes, which can be shown only now."""

    device: TOTPDevice
    recovery_codes: list[str]


def _lock_user(user: User) -> None:
    User.objects.select_for_update(no_key=True).get(pk=user.pk)


def _record_own_act(kind: EventKind, actor: User, now: datetime) -> None:
    """Recorded in the site's log: an account spans casinos and belongs to none of them."""
    record_regulated_acts(RegulatedAct(kind=kind, actor=actor, subject=actor), casino=None, at=now)


@transaction.atomic
def enrol_second_factor(*, actor: User, key: str, code: str, now: datetime) -> EnrolledDevice:
    """Sets up TOTP. The code proves that the app has the key, and is thereby used up."""
    _lock_user(actor)
    if actor.has_second_factor:
        raise EnrolledAlready
    step = matching_time_step(key, code, now)
    if step is None:
        raise WrongCode
    device = TOTPDevice.objects.create(user=actor, name="Authenticator app", key=key, confirmed=True, last_t=step)
    codes = issue_recovery_codes(actor)
    _record_own_act(EventKind.SECOND_FACTOR_ENROLLED, actor, now)
    return EnrolledDevice(device, codes)


@transaction.atomic
def remove_second_factor(*, actor: User, now: datetime) -> None:
    """Deletes the second factor before a change of phone; the next sign-in asks to set up a new one."""
    _lock_user(actor)
    delete_second_factor(actor)
    _record_own_act(EventKind.SECOND_FACTOR_RESET, actor, now)


@transaction.atomic
def make_recovery_codes(*, actor: User, now: datetime) -> list[str]:
    _lock_user(actor)
    codes = issue_recovery_codes(actor)
    _record_own_act(EventKind.RECOVERY_CODES_MADE, actor, now)
    return codes


@transaction.atomic
def change_password(*, actor: User, password: str, now: datetime) -> User:
    """Ends every session, this one included, unless the caller renews it."""
    return _set_password(actor, password, EventKind.PASSWORD_CHANGED, now)


@transaction.atomic
def request_password_reset(*, email: str, site: str, now: datetime) -> None:
    """Sends a link, if the address is known. At most three an hour, or anyone could flood somebody's mailbox."""
    person = User.objects.select_for_update(no_key=True).filter(email=email.lower(), is_active=True).first()
    if person is None:
        return
    recent_requests = person.events.filter(kind=EventKind.PASSWORD_RESET_ASKED, at__gt=now - timedelta(hours=1))
    if recent_requests.count() < MAX_RESET_EMAILS_PER_HOUR:
        event = record_event(EventKind.PASSWORD_RESET_ASKED, at=now, subject=person)
        queue_password_reset(event, person, site)


@transaction.atomic
def reset_password(*, actor: User, password: str, now: datetime) -> User:
    """Sets the password after the link in an e-mail was opened. The second factor stays."""
    return _set_password(actor, password, EventKind.PASSWORD_RESET, now)


def _set_password(actor: User, password: str, kind: EventKind, now: datetime) -> User:
    if actor.is_demo:
        raise DemoPasswordIsFixed
    actor.set_password(password)
    actor.save(update_fields=["password"])
    end_sessions(actor)
    _record_own_act(kind, actor, now)
    actor.refresh_from_db()
    return actor


@transaction.atomic
def sign_out_everywhere(*, actor: User, now: datetime) -> None:
    end_sessions(actor)
    record_event(EventKind.SIGNED_OUT_EVERYWHERE, at=now, actor=actor, subject=actor)
