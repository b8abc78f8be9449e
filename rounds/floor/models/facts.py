"""Dated facts: what held at a casino, table or terminal, from when on, and who recorded it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Q

from compliance.core.accounts.models import Casino, User, person_reference
from rounds.floor.fact_catalogue import FACT_KINDS, FactKind
from rounds.floor.fact_values import FactValue, read_value
from rounds.floor.models.common import APPEND_ONLY
from rounds.floor.models.tables import Table, Terminal
from rounds.ledger import LedgerModel, encode_timestamp


class FactSource(models.TextChoices):
    PERSON = "person", "Stated by a person"
    CONTROLLER = "controller", "Reported by a controller"
    # Dice, shakers and shoes that a person placed or removed: the ledger entry is a controller-style line, not
    # `table-facts`.
    RECORD = "record", "Recorded by a person"


class FactQuerySet(models.QuerySet["Fact"]):
    def not_retracted(self) -> "FactQuerySet":
        return self.filter(taken_back=None)

    def in_force(self, instant: datetime) -> "FactQuerySet":
        """For each name and subject the fact that took effect last; of several at one instant, the last recorded."""
        subject = ("casino_id", "table_id", "terminal_id", "name")
        begun = self.not_retracted().filter(effective_at__lte=instant)
        return begun.order_by(*subject, "-effective_at", "-recorded_at", "-pk").distinct(*subject)

    def newest_first(self) -> "FactQuerySet":
        return self.order_by("-effective_at", "-recorded_at", "-pk")

    def with_people(self) -> "FactQuerySet":
        return self.select_related("recorded_by", "terminal", "taken_back", "taken_back__by")


class Fact(LedgerModel):
    """That something held at a casino, table or terminal from an instant on, until the next fact with the same name.

    Written by a service when a person states it, or by the ledger consumer from a controller's entry. Never changed or
    deleted: a mistake gets a FactRetraction, a change gets a later fact. Kept for ever."""

    entry_time = "recorded_at"
    read_with = ("table", "terminal")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="facts")
    table = models.ForeignKey(Table, models.PROTECT, null=True, blank=True, related_name="facts")
    terminal = models.ForeignKey(Terminal, models.PROTECT, null=True, blank=True, related_name="facts")
    name = models.CharField(max_length=32)
    value = models.JSONField()
    effective_at = models.DateTimeField()
    note = models.CharField(max_length=500, blank=True)
    source = models.CharField(max_length=12, choices=FactSource.choices)
    recorded_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    recorded_by_name = models.CharField(max_length=120, blank=True)
    recorded_at = models.DateTimeField()
    # The controller's line that the fact was read from. A controller corrects its own lines by sequence number.
    controller = models.CharField(max_length=40, blank=True)
    sequence = models.BigIntegerField(null=True, blank=True)

    objects = FactQuerySet.as_manager()
    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        ordering: ClassVar = ["-effective_at", "-recorded_at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["table", "name", "-effective_at"], name="floor_fact_of_table"),
            models.Index(fields=["casino", "name", "-effective_at"], name="floor_fact_of_casino"),
        ]
        constraints: ClassVar = [
            # A controller's entry may state several facts, but each name only once.
            models.UniqueConstraint(fields=["log", "entry_index", "name"], name="floor_fact_one_entry"),
            models.CheckConstraint(condition=Q(name__in=list(FACT_KINDS)), name="floor_fact_is_in_the_catalogue"),
            models.CheckConstraint(condition=Q(terminal=None) | Q(table__isnull=False), name="floor_fact_has_a_table"),
            models.CheckConstraint(
                condition=Q(source__in=["person", "record"], recorded_by__isnull=False, controller="", sequence=None)
                | Q(source="controller", recorded_by=None, sequence__isnull=False) & ~Q(controller=""),
                name="floor_fact_has_a_source",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} from {self.effective_at:%Y-%m-%d %H:%M} UTC"

    @property
    def kind(self) -> FactKind:
        return FACT_KINDS[self.name]

    def parse_value(self) -> FactValue:
        return read_value(self.kind.value, self.value)

    @property
    def is_reported(self) -> bool:
        return self.source == FactSource.CONTROLLER

    @property
    def by(self) -> str:
        """Who recorded it, as text."""
        return f"controller {self.controller}" if self.is_reported else self.recorded_by_name

    @classmethod
    def rows_between(cls, log: str, first: int, last: int) -> models.QuerySet[Self]:
        """Only facts that people stated. A fact from a controller belongs to the controller's entry, which is checked
        by the consumer's `verify_rows`."""
        return super().rows_between(log, first, last).filter(source=FactSource.PERSON)

    def entry_body(self) -> Mapping[str, Any]:
        assert self.recorded_by_id is not None
        return {
            "table": self.table.slug if self.table else None,
            "terminal": self.terminal.slug if self.terminal else None,
            "name": self.name,
            "value": self.value,
            "effective_at": encode_timestamp(self.effective_at),
            "note": self.note,
            "by": person_reference(self.recorded_by_id, self.recorded_by_name),
        }


class FactRetraction(models.Model):
    """That a fact was a mistake and never held. Written together with the correction's entry, or by the ledger consumer
    when it reads a correction. Made by a person or by the controller that reported the fact. Never changed; kept for
    ever."""

    fact = models.OneToOneField(Fact, models.PROTECT, related_name="taken_back")
    reason = models.CharField(max_length=500)
    by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    by_name = models.CharField(max_length=120)
    at = models.DateTimeField()
    log = models.TextField()
    entry_index = models.BigIntegerField()

    objects = models.Manager()
    app_privileges = APPEND_ONLY

    class Meta:
        db_table = "floor_takenback"

    def __str__(self) -> str:
        return f"{self.fact} taken back"
