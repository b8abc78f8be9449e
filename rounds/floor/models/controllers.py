"""Table controllers: the tables each one reports for, for how long, and the keys it signs with."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from compliance.core.accounts.models import Casino, User, person_reference
from rounds.floor.models.common import APPEND_ONLY, SLUG_PATTERN, UPDATABLE
from rounds.floor.models.tables import Table
from rounds.ledger import LedgerModel, encode_timestamp
from rounds.transparency_log import formats


class Controller(LedgerModel):
    """A machine that reports rounds. Registered by the casino's staff. Never changed; kept for ever, because ledger
    entries name its slug."""

    entry_time = "registered_at"

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="controllers")
    slug = models.CharField(max_length=40)
    name = models.CharField(max_length=120)
    registered_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    registered_by_name = models.CharField(max_length=120)
    registered_at = models.DateTimeField()

    objects = models.Manager()
    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.UniqueConstraint(fields=["casino", "slug"], name="floor_controller_slug_once"),
            models.CheckConstraint(condition=Q(slug__regex=SLUG_PATTERN), name="floor_controller_slug_form"),
        ]

    def __str__(self) -> str:
        return self.name

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "controller": self.slug,
            "name": self.name,
            "by": person_reference(self.registered_by_id, self.registered_by_name),
        }


class ControllerTableQuerySet(models.QuerySet["ControllerTable"]):
    def assigned_at(self, instant: datetime) -> "ControllerTableQuerySet":
        return self.filter(Q(from_at__lte=instant) & (Q(until_at=None) | Q(until_at__gt=instant)))


class ControllerTable(LedgerModel):
    """That a controller may report for a table during a period. Given and ended once by the casino's staff; kept for
    ever."""

    read_with = ("controller", "table")

    controller = models.ForeignKey(Controller, models.PROTECT, related_name="tables")
    table = models.ForeignKey(Table, models.PROTECT, related_name="controllers")
    given_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    given_by_name = models.CharField(max_length=120)
    from_at = models.DateTimeField()
    ended_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    until_at = models.DateTimeField(null=True, blank=True)

    objects = ControllerTableQuerySet.as_manager()
    app_privileges = UPDATABLE

    class Meta(LedgerModel.Meta):
        ordering: ClassVar = ["from_at", "pk"]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["controller", "table"], condition=Q(until_at=None), name="floor_controllertable_open_once"
            ),
            models.CheckConstraint(
                condition=Q(until_at=None, ended_by=None) | Q(until_at__gte=F("from_at"), ended_by__isnull=False),
                name="floor_controllertable_ended_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.controller} for {self.table}"

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "controller": self.controller.slug,
            "table": self.table.slug,
            "from_at": encode_timestamp(self.from_at),
            "by": person_reference(self.given_by_id, self.given_by_name),
        }


class ControllerKeyQuerySet(models.QuerySet["ControllerKey"]):
    def active(self, instant: datetime) -> "ControllerKeyQuerySet":
        """Approved, valid from that instant or earlier, and not revoked by then."""
        return self.filter(Q(valid_from__lte=instant) & (Q(revoked_at=None) | Q(revoked_at__gt=instant)))

    def waiting(self) -> "ControllerKeyQuerySet":
        return self.filter(approved_at=None, revoked_at=None)


class ControllerKey(LedgerModel):
    """The public half of a controller's Ed25519 key. One person proposes it, a second approves it, either may revoke
    it.

    The private half never reaches the service. Approved once and revoked once; kept for ever, because the signatures of
    old batches are verified with it."""

    entry_time = "proposed_at"
    read_with = ("controller",)

    controller = models.ForeignKey(Controller, models.PROTECT, related_name="keys")
    key_id = models.CharField(max_length=16, unique=True)
    public_key = models.BinaryField(max_length=32)
    proposed_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    proposed_by_name = models.CharField(max_length=120)
    proposed_at = models.DateTimeField()
    approved_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    approved_at = models.DateTimeField(null=True, blank=True)
    valid_from = models.DateTimeField(null=True, blank=True)
    revoked_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ControllerKeyQuerySet.as_manager()
    app_privileges = UPDATABLE

    class Meta(LedgerModel.Meta):
        ordering: ClassVar = ["-proposed_at", "-pk"]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.CheckConstraint(
                condition=Q(approved_at=None, approved_by=None, valid_from=None)
                | Q(approved_at__gte=F("proposed_at"), approved_by__isnull=False, valid_from__gte=F("approved_at")),
                name="floor_key_approved_whole",
            ),
            models.CheckConstraint(
                condition=Q(approved_by=None) | ~Q(approved_by=F("proposed_by")), name="floor_key_needs_two_people"
            ),
            models.CheckConstraint(
                condition=Q(revoked_at=None, revoked_by=None)
                | Q(revoked_at__gte=F("proposed_at"), revoked_by__isnull=False),
                name="floor_key_revoked_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return self.key_id

    def state(self, now: datetime) -> str:
        if self.revoked_at:
            return "revoked"
        if self.valid_from is None:
            return "waiting"
        return "active" if self.valid_from <= now else "approved"

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "controller": self.controller.slug,
            "key_id": self.key_id,
            "public_key": formats.encode_base64(bytes(self.public_key)),
            "by": person_reference(self.proposed_by_id, self.proposed_by_name),
        }
