"""Gaming tables, and the terminals of electronic tables."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from compliance.core.accounts.models import Casino, User, person_reference
from rounds.floor.models.common import SLUG_PATTERN, UPDATABLE
from rounds.ledger import LedgerModel


def in_use_at(instant: datetime) -> Q:
    """Filter for models with `added_at` and `retired_at`."""
    return Q(added_at__lte=instant) & (Q(retired_at=None) | Q(retired_at__gt=instant))


class TableQuerySet(models.QuerySet["Table"]):
    def in_use(self, instant: datetime) -> "TableQuerySet":
        return self.filter(in_use_at(instant))


class Table(LedgerModel):
    """A gaming table of a casino. Added by the casino's staff, retired once, never deleted: ledger entries name its
    slug."""

    entry_time = "added_at"

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="tables")
    slug = models.CharField(max_length=40)
    name = models.CharField(max_length=120)
    added_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    added_by_name = models.CharField(max_length=120)
    added_at = models.DateTimeField()
    retired_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    retired_at = models.DateTimeField(null=True, blank=True)

    objects = TableQuerySet.as_manager()
    app_privileges = UPDATABLE

    class Meta(LedgerModel.Meta):
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.UniqueConstraint(fields=["casino", "slug"], name="floor_table_slug_once"),
            models.CheckConstraint(condition=Q(slug__regex=SLUG_PATTERN), name="floor_table_slug_form"),
            models.CheckConstraint(
                condition=Q(retired_at=None, retired_by=None)
                | Q(retired_at__gte=F("added_at"), retired_by__isnull=False),
                name="floor_table_retired_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def entry_body(self) -> Mapping[str, Any]:
        return {"table": self.slug, "name": self.name, "by": person_reference(self.added_by_id, self.added_by_name)}


class Terminal(LedgerModel):
    """A player's terminal at an electronic table. Added by the casino's staff, retired once, kept for ever."""

    entry_time = "added_at"
    read_with = ("table",)

    table = models.ForeignKey(Table, models.PROTECT, related_name="terminals")
    slug = models.CharField(max_length=40)
    added_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    added_by_name = models.CharField(max_length=120)
    added_at = models.DateTimeField()
    retired_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    retired_at = models.DateTimeField(null=True, blank=True)

    objects = models.Manager()
    app_privileges = UPDATABLE

    class Meta(LedgerModel.Meta):
        ordering: ClassVar = ["slug", "pk"]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.UniqueConstraint(fields=["table", "slug"], name="floor_terminal_slug_once"),
            models.CheckConstraint(condition=Q(slug__regex=SLUG_PATTERN), name="floor_terminal_slug_form"),
            models.CheckConstraint(
                condition=Q(retired_at=None, retired_by=None)
                | Q(retired_at__gte=F("added_at"), retired_by__isnull=False),
                name="floor_terminal_retired_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return self.slug

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "table": self.table.slug,
            "terminal": self.slug,
            "by": person_reference(self.added_by_id, self.added_by_name),
        }
