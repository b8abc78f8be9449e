"""Reports that people asked for. Who asked for what never changes; neither do the pages, once they are recorded."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, cast

from django.conf import settings
from django.db import models
from django.db.models import Q

from compliance.accounts.models import Casino, User, named
from compliance.reports.states import UNFINISHED, State
from compliance.web.components import Kind, Tag
from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import RecordedRow

MADE = register_kind("report-made", "A report was made for somebody: the digests of its pages and of what it says.")
TAGS: dict[str, Kind] = {"ready": "success", "failed": "danger"}
STEPS = 100


class Report(models.Model):
    """A report: asked for by a person, made by a worker, recorded in the log with the digests of its pages.

    Kept for ever, with its file. The entry stands for what was said; `file_sha256` is of the file with its proofs."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="reports")
    kind = models.CharField(max_length=20)
    chosen = models.JSONField()
    asked_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    # As it was on that day: what the entry says must not change when somebody changes their name.
    asked_by_name = models.CharField(max_length=120)
    asked_at = models.DateTimeField()

    state = models.CharField(max_length=12, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    done = models.PositiveSmallIntegerField(default=0)
    failure = models.TextField(default="")

    title = models.CharField(max_length=200, default="")
    made_at = models.DateTimeField(null=True)
    pages = models.PositiveIntegerField(null=True)
    pages_sha256 = models.CharField(max_length=64, default="")
    document_sha256 = models.CharField(max_length=64, default="")
    log = models.TextField(default="")
    entry_index = models.BigIntegerField(null=True)

    records = models.PositiveIntegerField(null=True)
    file_bytes = models.BigIntegerField(null=True)
    file_sha256 = models.CharField(max_length=64, default="")

    app_privileges = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        ordering: ClassVar = ["-asked_at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["casino", "-asked_at"], name="reports_of_casino"),
            models.Index(fields=["state"], condition=~Q(state="ready"), name="reports_unfinished"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "entry_index"], name="reports_report_one_entry"),
            models.CheckConstraint(condition=Q(state__in=State.values), name="reports_state_known"),
            models.CheckConstraint(
                condition=Q(state__in=["recorded", "ready"], entry_index__isnull=False, made_at__isnull=False)
                & ~Q(pages_sha256="")
                | Q(state__in=["waiting", "making", "failed"], entry_index__isnull=True),
                name="reports_recorded_whole",
            ),
            models.CheckConstraint(
                condition=~Q(state="ready") | Q(file_bytes__isnull=False) & ~Q(file_sha256=""),
                name="reports_ready_has_file",
            ),
        ]

    def __str__(self) -> str:
        return f"Report {self.pk}"

    @classmethod
    def recorded_between(cls, log: str, first: int, last: int) -> Iterable[RecordedRow]:
        recorded = cls.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last)
        return cast(Iterable[RecordedRow], recorded.order_by("entry_index"))

    def as_record(self) -> Mapping[str, Any]:
        return {
            "report": self.pk,
            "kind": self.kind,
            "chosen": self.chosen,
            "title": self.title,
            "by": named(self.asked_by_id, self.asked_by_name),
            "pages": self.pages,
            "pages_sha256": self.pages_sha256,
            "document_sha256": self.document_sha256,
        }

    @property
    def is_unfinished(self) -> bool:
        return self.state in UNFINISHED

    @property
    def is_ready(self) -> bool:
        return self.state == State.READY

    @property
    def tag(self) -> Tag:
        return Tag(self.get_state_display(), TAGS.get(self.state, "info"))

    @property
    def file_name(self) -> str:
        return f"{self.casino.slug}-{self.kind}-{self.pk}.pdf"

    def path(self, suffix: str) -> Path:
        """`.pdf` the report, `.json` what it says, `.pages` its pages before the proofs were attached."""
        return Path(settings.REPORTS_DIR) / f"{self.pk}{suffix}"
