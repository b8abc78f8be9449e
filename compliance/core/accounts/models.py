"""Casinos, people, their roles and account events. Rows are never deleted, except the second factor's."""

import hashlib
import zoneinfo
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django_otp.models import Device, ThrottlingMixin
from django_otp.plugins.otp_totp.models import TOTPDevice

from compliance.core.accounts.roles import CASINO_SIDE, GOVERNMENT_SIDE, Role
from compliance.core.accounts.sso.models import IdentityLink
from rounds.ledger import LedgerModel, encode_timestamp

INVITATION_VALID_FOR = timedelta(days=7)
DEMO_DOMAIN = "@demo.example"
# Database privileges of tables whose rows are kept for ever: no DELETE.
KEPT = ("SELECT", "INSERT", "UPDATE")


def known_time_zone(name: str) -> None:
    if name not in zoneinfo.available_timezones():
        raise ValidationError(f"{name} is not a time zone. Use a name such as Australia/Sydney.")


def log_name(slug: str) -> None:
    """Validator: the slug becomes the log's permanent name, which is lower case."""
    if slug != slug.lower() or "_" in slug or slug.startswith("-") or slug == "site":
        raise ValidationError(f"{slug} cannot name a log. Use small letters, figures and hyphens, such as harbour.")


class Casino(models.Model):
    """A casino under supervision. Written by `bootstrap` or the demo.
    The slug is the name of its log and never changes."""

    slug = models.SlugField(unique=True, validators=[log_name])
    name = models.CharField(max_length=120)
    time_zone = models.CharField(max_length=64, validators=[known_time_zone])
    created_at = models.DateTimeField()

    app_privileges = KEPT

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name

    def lock(self) -> None:
        """Row lock until the transaction ends: of two writers who choose a slug, a number or an effective time, the
        second waits and sees what the first chose."""
        Casino.objects.select_for_update(no_key=True).get(pk=self.pk)

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        return zoneinfo.ZoneInfo(self.time_zone)


class UserManager(BaseUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").lower())


def person_reference(person_id: int | None, name: str) -> dict[str, Any]:
    """How ledger entries refer to the person who acted: id, and the name as it was then. E-mail addresses are left
    out; patrons never appear."""
    return {"id": person_id, "name": name}


class User(AbstractBaseUser):  # type: ignore[django-manager-missing]
    """A person who signs in. Disabled, never deleted, so that what they signed keeps its name. E-mail addresses are
    stored in lower case, because failures are counted for each spelling."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=120)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField()
    session_epoch = models.PositiveIntegerField(default=0)

    objects = UserManager()
    app_privileges = KEPT

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    class Meta:
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="user_email_lower_case")
        ]

    def __str__(self) -> str:
        return self.name

    def get_full_name(self) -> str:
        return self.name

    def as_entry_reference(self) -> dict[str, Any]:
        return person_reference(self.pk, self.name)

    def get_session_auth_hash(self) -> str:
        """Bound to password and `session_epoch`:
        raising the epoch ends every session of this person at its next request."""
        return self._session_hash(None)

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """Hashes under each former SECRET_KEY that is still accepted; Django then moves the session to the new key."""
        yield from map(self._session_hash, settings.SECRET_KEY_FALLBACKS)

    def _session_hash(self, secret_key: str | None) -> str:
        signed = f"{self.password}:{self.session_epoch}"
        return salted_hmac(
            "compliance.core.accounts.session", signed, secret=secret_key, algorithm="sha256"
        ).hexdigest()

    def has_role(self, *roles: str, casino: Casino | None = None) -> bool:
        return any(held.role in roles and casino in (None, held.casino) for held in self.roles_now())

    def has_role_in_database(self, *roles: str, casino: Casino) -> bool:
        """Queries the database, not the cache of roles_now: a role may have ended since the page was opened."""
        return self.roles.current().filter(casino=casino, role__in=roles, user__is_active=True).exists()

    def casinos_with(self, *roles: str) -> list[Casino]:
        """Casinos at which this person holds one of the roles, sorted by name."""
        held = {role.casino for role in self.roles_now() if role.role in roles}
        return sorted(held, key=lambda casino: casino.name)

    def roles_now(self) -> list["RoleAssignment"]:
        """Current roles, cached for the request."""
        if not hasattr(self, "_roles_now"):
            self._roles_now = list(self.roles.current().select_related("casino"))
        return self._roles_now

    @property
    def needs_second_factor(self) -> bool:
        """Every role signs, decides, files or gives roles."""
        return bool(self.roles_now())

    def is_verified(self) -> bool:
        """Whether a code was given in this session. OTPMiddleware replaces this method on the request's user."""
        return False

    @property
    def has_second_factor(self) -> bool:
        return bool(TOTPDevice.objects.filter(user=self, confirmed=True).exists())

    @property
    def is_demo(self) -> bool:
        """Demo people have published passwords,
        so outside demo mode they cannot sign in (auth/credentials.py, auth/middleware.py)."""
        return self.email.endswith(DEMO_DOMAIN)


class RoleAssignmentQuerySet(models.QuerySet["RoleAssignment"]):
    def current(self) -> "RoleAssignmentQuerySet":
        return self.filter(ended_at=None)

    def of_both_sides(self) -> "RoleAssignmentQuerySet":
        """Current roles of people who hold government and casino roles. New ones are refused; older ones were listed
        and their holders suspended by `migrate`."""
        current = RoleAssignment.objects.filter(user=models.OuterRef("user"), ended_at=None)
        return self.current().filter(
            models.Exists(current.filter(role__in=GOVERNMENT_SIDE)), models.Exists(current.filter(role__in=CASINO_SIDE))
        )

    def held_at(self, instant: datetime) -> "RoleAssignmentQuerySet":
        return self.filter(given_at__lte=instant).exclude(ended_at__lte=instant)


class RoleAssignment(models.Model):
    """A person's role at one casino for a period. Written by services.roles and services.invitations; ended, otherwise
    never changed; kept for ever."""

    user = models.ForeignKey(User, models.PROTECT, related_name="roles")
    casino = models.ForeignKey(Casino, models.PROTECT, related_name="roles")
    role = models.CharField(max_length=32, choices=Role.choices)
    given_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    given_at = models.DateTimeField()
    ended_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = RoleAssignmentQuerySet.as_manager()
    app_privileges = KEPT

    class Meta:
        db_table = "accounts_roleheld"
        ordering: ClassVar = ["casino__name", "role"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "casino", "role"], condition=models.Q(ended_at=None), name="role_held_once"
            ),
            models.CheckConstraint(
                condition=models.Q(given_by=None) | ~models.Q(given_by=models.F("user")), name="role_not_given_to_self"
            ),
            models.CheckConstraint(
                condition=models.Q(ended_at=None) | models.Q(ended_at__gte=models.F("given_at")), name="role_ends_later"
            ),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="role_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.get_role_display()}, {self.casino}"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self) -> "InvitationQuerySet":
        """Neither accepted nor withdrawn; it may have expired."""
        return self.filter(accepted_at=None, withdrawn_at=None)

    def waiting(self, now: datetime) -> "InvitationQuerySet":
        return self.open().filter(expires_at__gt=now)

    def expired(self, now: datetime) -> "InvitationQuerySet":
        return self.open().filter(expires_at__lte=now)


class Invitation(models.Model):
    """An offer of one role at one casino, sent by e-mail. Accepted once, withdrawn or expired; kept for ever."""

    email = models.EmailField()
    name = models.CharField(max_length=120)
    casino = models.ForeignKey(Casino, models.PROTECT, related_name="invitations")
    role = models.CharField(max_length=32, choices=Role.choices)
    invited_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    invited_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    token_sha256 = models.CharField(max_length=64, unique=True)
    accepted_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    accepted_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = InvitationQuerySet.as_manager()
    app_privileges = KEPT

    class Meta:
        ordering: ClassVar = ["-invited_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["casino", "role", "email"],
                condition=models.Q(accepted_at=None, withdrawn_at=None),
                name="invitation_open_once",
            ),
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="invitation_email_lower_case"),
            models.CheckConstraint(
                condition=models.Q(expires_at__gt=models.F("invited_at")), name="invitation_expires_later"
            ),
            models.CheckConstraint(
                condition=models.Q(accepted_at=None) | models.Q(withdrawn_at=None), name="invitation_ends_one_way"
            ),
            models.CheckConstraint(
                condition=models.Q(accepted_by=None) | ~models.Q(accepted_by=models.F("invited_by")),
                name="invitation_needs_two_people",
            ),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="invitation_role_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.get_role_display()}, {self.casino}"

    def state(self, now: datetime) -> str:
        if self.accepted_at:
            return "accepted"
        if self.withdrawn_at:
            return "withdrawn"
        return "expired" if now >= self.expires_at else "waiting"


class RecoverySheet(ThrottlingMixin, Device):  # type: ignore[misc]
    """A person's set of recovery codes, the second factor when the phone is lost.
    Replaced as a whole; deleted on a reset."""

    salt = models.CharField(max_length=32)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user"], name="recovery_sheet_once")]

    def get_throttle_factor(self) -> int:
        return 1

    def hash_code(self, code: str) -> str:
        """Slow hash (scrypt), so that a stolen database does not reveal the codes."""
        return hashlib.scrypt(code.encode(), salt=self.salt.encode(), n=2**14, r=8, p=1, dklen=32).hex()

    def verify_token(self, token: str) -> bool:
        """Interface of django-otp. The caller holds the row lock, so a code cannot be used twice at once."""
        if not self.verify_is_allowed()[0]:
            return False
        was_good = bool(self.codes.unused().filter(code_scrypt=self.hash_code(token)).update(used_at=timezone.now()))
        if was_good:
            self.throttle_reset()
        else:
            self.throttle_increment()
        return was_good


class RecoveryCodeQuerySet(models.QuerySet["RecoveryCode"]):
    def unused(self) -> "RecoveryCodeQuerySet":
        return self.filter(used_at=None)


class RecoveryCode(models.Model):
    """One recovery code, stored as a hash. Works once; deleted when new codes are made."""

    sheet = models.ForeignKey(RecoverySheet, models.CASCADE, related_name="codes")
    code_scrypt = models.CharField(max_length=64)
    used_at = models.DateTimeField(null=True, blank=True)

    objects = RecoveryCodeQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["sheet", "code_scrypt"], name="recovery_code_once")]

    def __str__(self) -> str:
        return "used" if self.used_at else "unused"


class EventKind(models.TextChoices):
    SIGNED_IN = "signed-in", "Signed in"
    SIGN_IN_FAILED = "sign-in-failed", "Sign-in failed"
    CODE_REFUSED = "code-refused", "Second-factor code refused"
    SIGN_OFF_REFUSED = "sign-off-refused", "Sign-off refused"
    LOCKED = "locked", "Sign-in locked"
    UNLOCKED = "unlocked", "Sign-in unlocked"
    SIGNED_OUT = "signed-out", "Signed out"
    SIGNED_OUT_EVERYWHERE = "signed-out-everywhere", "Signed out everywhere"
    SECOND_FACTOR_ENROLLED = "second-factor-enrolled", "Second factor set up"
    SECOND_FACTOR_RESET = "second-factor-reset", "Second factor reset"
    RECOVERY_CODE_USED = "recovery-code-used", "Recovery code used"
    RECOVERY_CODES_MADE = "recovery-codes-made", "New recovery codes made"
    PASSWORD_CHANGED = "password-changed", "Password changed"
    PASSWORD_RESET_ASKED = "password-reset-asked", "Link for a new password asked for"
    PASSWORD_RESET = "password-reset", "Password reset by e-mail"
    INVITED = "invited", "Invited"
    INVITED_AGAIN = "invited-again", "Invitation sent again"
    INVITATION_WITHDRAWN = "invitation-withdrawn", "Invitation withdrawn"
    INVITATION_ACCEPTED = "invitation-accepted", "Invitation accepted"
    ROLE_GIVEN = "role-given", "Role given"
    ROLE_ENDED = "role-ended", "Role ended"
    DISABLED = "disabled", "Account disabled"
    ENABLED = "enabled", "Account enabled"
    IDENTITY_OFFERED = "identity-offered", "Single sign-on offered"
    IDENTITY_LINKED = "identity-linked", "Single sign-on linked"
    IDENTITY_REMOVED = "identity-removed", "Single sign-on removed"


class AccountEvent(models.Model):
    """One event of an account: what, when, by whom, to whom.
    Written by ledger.account_events; append-only, kept for ever."""

    kind = models.CharField(max_length=32, choices=EventKind.choices)
    at = models.DateTimeField()
    actor = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    subject = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="events")
    casino = models.ForeignKey(Casino, models.PROTECT, null=True, blank=True, related_name="+")
    address = models.GenericIPAddressField(null=True, blank=True)
    detail = models.CharField(max_length=300, blank=True)

    app_privileges = ("SELECT", "INSERT")

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["subject", "-at"], name="event_of_person"),
            models.Index(fields=["casino", "-at"], name="event_at_casino"),
            models.Index(fields=["kind", "-at"], name="event_of_kind"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(kind__in=EventKind.values), name="event_kind_is_known")
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.at:%Y-%m-%d %H:%M} UTC"


class AccountAct(LedgerModel):
    """Ledger row of a regulated event: somebody changed who may act here, or in whose name. One row an entry. Names
    are stored as they were then. Written with its event; append-only, kept for ever."""

    event = models.OneToOneField(AccountEvent, models.PROTECT, related_name="act")
    actor_name = models.CharField(max_length=120, blank=True)
    subject_name = models.CharField(max_length=120, blank=True)
    role = models.CharField(max_length=32, choices=Role.choices, blank=True)
    reason = models.CharField(max_length=300, blank=True)
    invitation = models.ForeignKey(Invitation, models.PROTECT, null=True, blank=True, related_name="+")
    identity = models.ForeignKey(IdentityLink, models.PROTECT, null=True, blank=True, related_name="acts")

    read_with = ("event", "identity")
    app_privileges = ("SELECT", "INSERT")

    class Meta(LedgerModel.Meta):
        abstract = False

    def __str__(self) -> str:
        return str(self.event)

    def entry_body(self) -> dict[str, Any]:
        """Body of the ledger entry. An invitation appears by id only: its e-mail address is personal data."""
        event = self.event
        record = {
            "act": event.kind,
            "at": encode_timestamp(event.at),
            "by": {"id": event.actor_id, "name": self.actor_name} if event.actor_id else None,
            "subject": {"id": event.subject_id, "name": self.subject_name} if event.subject_id else None,
            "role": self.role or None,
            "reason": self.reason or None,
            "invitation": self.invitation_id,
        }
        if self.identity is not None:
            # The identity is not known yet when a link is offered.
            record["identity"] = self.identity.as_entry_reference(is_offer=event.kind == EventKind.IDENTITY_OFFERED)
        return record
