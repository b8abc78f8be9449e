"""Requested evidence bundles."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar, cast

from django.conf import settings
from django.db import models

from compliance.core.accounts.models import Casino, User, person_reference
from compliance.core.web.jobs.job import Job
from compliance.core.web.ui.components import Tag
from rounds.ledger import registry

RETENTION = timedelta(days=7)


class Bundle(Job):
    """A file of exported entries. Requested by a person, built by a worker.

    Who requested what never changes. Once done, the content does not change either and is recorded as an entry of the
    log. The row is kept for ever, the file for seven days.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="bundles")
    asked_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    # A copy: the entry's body must not change when the person is renamed.
    asked_by_name = models.CharField(max_length=120)
    asked_at = models.DateTimeField()
    first_index = models.BigIntegerField()
    end_index = models.BigIntegerField()
    # Null means every entry of the range; otherwise only these entries.
    chosen = models.JSONField(null=True)
    # If set, the file has no entries and proofs but the wagers of these gaming days, for analysis; the entries of the
    # days lie between the two indexes.
    first_day = models.DateField(null=True)
    last_day = models.DateField(null=True)

    done = models.BigIntegerField(default=0)
    removed_at = models.DateTimeField(null=True)

    prepared_at = models.DateTimeField(null=True)
    checkpoint_size = models.BigIntegerField(null=True)
    file_bytes = models.BigIntegerField(null=True)
    file_sha256 = models.CharField(max_length=64, default="")
    log = models.TextField(default="")
    entry_index = models.BigIntegerField(null=True)

    task = "compliance.transparency.ledger_pages.tasks.build_bundles"
    app_privileges = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        ordering: ClassVar = ["-asked_at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["casino", "-asked_at"], name="evidence_bundle_of_casino"),
            models.Index(fields=["state"], name="evidence_bundle_state"),
        ]
        constraints: ClassVar = [
            *Job.Meta.constraints,
            models.UniqueConstraint(fields=["log", "entry_index"], name="evidence_bundle_one_entry"),
            models.CheckConstraint(
                condition=models.Q(first_index__gte=0, end_index__gt=models.F("first_index")),
                name="evidence_bundle_range",
            ),
            models.CheckConstraint(
                condition=models.Q(state="done", prepared_at__isnull=False, entry_index__isnull=False)
                | models.Q(entry_index=None, removed_at=None) & ~models.Q(state="done"),
                name="evidence_bundle_recorded_when_done",
            ),
            models.CheckConstraint(
                condition=models.Q(first_day=None, last_day=None)
                | models.Q(
                    first_day__isnull=False,
                    last_day__isnull=False,
                    last_day__gte=models.F("first_day"),
                    chosen__isnull=True,
                ),
                name="evidence_bundle_days",
            ),
        ]

    def __str__(self) -> str:
        return f"Bundle {self.pk}"

    @classmethod
    def rows_between(cls, log: str, first: int, last: int) -> Iterable[registry.LedgerRow]:
        recorded = cls.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last)
        # These rows all have an entry index; only bundles that are not done lack one.
        return cast(Iterable[registry.LedgerRow], recorded.order_by("entry_index"))

    def entry_body(self) -> Mapping[str, Any]:
        days = {"days": [str(self.first_day), str(self.last_day)]} if self.is_for_analysis else {}
        return {
            "bundle": self.pk,
            "by": person_reference(self.asked_by_id, self.asked_by_name),
            "first": self.first_index,
            "end": self.end_index,
            "only": self.chosen,
            "entries": self.total,
            "checkpoint": self.checkpoint_size,
            "bytes": self.file_bytes,
            "sha256": self.file_sha256,
            **days,
        }

    @property
    def is_for_analysis(self) -> bool:
        return self.first_day is not None

    @property
    def total(self) -> int:
        return self.end_index - self.first_index if self.chosen is None else len(self.chosen)

    @property
    def description(self) -> str:
        """The content in words. Ends are inclusive, as people count."""
        if self.first_day is not None:
            days = [f"{day.day} {day:%b %Y}" for day in dict.fromkeys((self.first_day, self.last_day)) if day]
            return f"Wagers of {' to '.join(days)}"
        if self.chosen is None:
            last = self.end_index - 1
            return f"Entry {last}" if self.total == 1 else f"Entries {self.first_index:,} to {last:,}"
        return f"Entry {self.chosen[0]:,} alone" if self.total == 1 else f"{self.total:,} chosen entries"

    @property
    def tag(self) -> Tag:
        return Tag("File removed") if self.removed_at else super().tag

    @property
    def has_file(self) -> bool:
        return self.is_done and self.removed_at is None

    @property
    def file_removed_at(self) -> datetime | None:
        """When the file is, or was, deleted."""
        return self.removed_at or (self.prepared_at and self.prepared_at + RETENTION)

    @property
    def name(self) -> str:
        return f"{self.casino.slug}-{'analysis' if self.is_for_analysis else 'evidence'}-{self.pk}"

    @property
    def path(self) -> Path:
        return Path(settings.EVIDENCE_DIR) / f"{self.pk}.zip"
