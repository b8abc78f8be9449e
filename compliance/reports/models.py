"""Reports, the schedules that ask for them, and the letters that tell of them. What was recorded never changes."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, cast

from django.conf import settings
from django.db import models
from django.db.models import Q

from compliance.core.accounts.ledger.person_act import PersonActModel, ReasonedActModel
from compliance.core.accounts.models import Casino, User, person_reference
from compliance.core.accounts.roles import Role
from compliance.core.web.ui.components import Tag, TagKind
from compliance.notify.alerts.states import DeliveryState
from compliance.reports.states import SCHEDULE_MAY_FOLLOW, UNFINISHED, ScheduleInterval, ScheduleState, State
from rounds.ledger import LedgerModel, LedgerRow, encode_timestamp, register_kind

MADE = register_kind("report-made", "A report was made for somebody: the digests of its pages and of what it says.")
SCHEDULED = register_kind("report-scheduled", "A report is made every day or every week from now on, and who is told.")
SIGNED = register_kind("report-signed", "A report was signed: the digest of its file, and with which certificate.")
KEY = register_kind("report-key", "PDF files are signed with this certificate from now on, and why.")
RESCHEDULED = register_kind("report-schedule-changed", "A schedule of reports was paused, resumed or stopped.")
SCHEDULE_STATE_TAGS: dict[str, TagKind] = {"active": "success", "paused": "warning", "stopped": "neutral"}
REPORT_STATE_TAGS: dict[str, TagKind] = {"ready": "success", "failed": "danger"}
PROGRESS_STEPS = 100


class Schedule(PersonActModel):
    """That a kind of report is made of every gaming day or week of a casino, and whom to e-mail that it is there.

    Set up by an inspector, an officer or a compliance officer. What it says never changes; whether it runs moves by its
    steps, each an entry, and `next_on` with every report made. Kept for ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20)
    every = models.CharField(max_length=4, choices=ScheduleInterval.choices)
    # Roles at the casino: whoever holds one when a report is ready gets the link.
    to = models.JSONField()

    state = models.CharField(max_length=8, choices=ScheduleState.choices, default=ScheduleState.ACTIVE)
    # The first gaming day that no report of this schedule has covered.
    next_on = models.DateField()

    app_privileges = ("SELECT", "INSERT", "UPDATE")

    class Meta(PersonActModel.Meta):
        abstract = False
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [
            *PersonActModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["casino", "kind", "every"], condition=~Q(state="stopped"), name="reports_schedule_once"
            ),
            models.CheckConstraint(condition=Q(state__in=ScheduleState.values), name="reports_schedule_state_known"),
            models.CheckConstraint(condition=Q(every__in=ScheduleInterval.values), name="reports_schedule_every_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} every {self.every}"

    def may_become(self, state: ScheduleState) -> bool:
        return state in SCHEDULE_MAY_FOLLOW[ScheduleState(self.state)]

    @property
    def days(self) -> int:
        return 7 if self.every == ScheduleInterval.WEEK else 1

    @property
    def addressees(self) -> str:
        return ", ".join(str(Role(role).label) for role in self.to)

    @property
    def tag(self) -> Tag:
        return Tag(self.get_state_display(), SCHEDULE_STATE_TAGS[self.state])

    def entry_body(self) -> Mapping[str, Any]:
        return {"kind": self.kind, "every": self.every, "to": self.to, **self.act_fields()}


class ScheduleStep(ReasonedActModel):
    """That a schedule was paused, resumed or stopped: by whom, when, why. Written once; kept for ever."""

    schedule = models.ForeignKey(Schedule, models.PROTECT, related_name="steps")
    state = models.CharField(max_length=8, choices=ScheduleState.choices)

    read_with = ("schedule",)
    app_privileges = ("SELECT", "INSERT")

    class Meta(ReasonedActModel.Meta):
        abstract = False
        ordering: ClassVar = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.schedule}: {self.state}"

    def entry_body(self) -> Mapping[str, Any]:
        return {"schedule": self.schedule.entry_index, "state": self.state, **self.act_fields()}


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
    # Of one made by schedule: which, and the gaming day that it begins with.
    schedule = models.ForeignKey(Schedule, models.PROTECT, null=True, blank=True, related_name="reports")
    scheduled_on = models.DateField(null=True, blank=True)

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
            models.UniqueConstraint(fields=["schedule", "scheduled_on"], name="reports_report_once_a_schedule"),
            models.CheckConstraint(
                condition=Q(schedule=None, scheduled_on=None) | Q(schedule__isnull=False, scheduled_on__isnull=False),
                name="reports_scheduled_of_a_day",
            ),
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
    def rows_between(cls, log: str, first: int, last: int) -> Iterable[LedgerRow]:
        recorded = cls.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last).select_related("schedule")
        return cast(Iterable[LedgerRow], recorded.order_by("entry_index"))

    def entry_body(self) -> Mapping[str, Any]:
        by_schedule = {"schedule": self.schedule.entry_index} if self.schedule else {}
        return {
            **by_schedule,
            "report": self.pk,
            "kind": self.kind,
            "chosen": self.chosen,
            "title": self.title,
            "by": person_reference(self.asked_by_id, self.asked_by_name),
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
        return Tag(self.get_state_display(), REPORT_STATE_TAGS.get(self.state, "info"))

    @property
    def file_name(self) -> str:
        return f"{self.casino.slug}-{self.kind}-{self.pk}.pdf"

    def path(self, suffix: str) -> Path:
        """`.pdf` the report, `.json` what it says, `.pages` its pages before the proofs were attached."""
        return Path(settings.REPORTS_DIR) / f"{self.pk}{suffix}"


class Certificate(LedgerModel):
    """That PDF files are signed with this certificate from now on; in the site's log and in that of every casino.

    Written when the key is made or changed, before anything is signed with it that a report proves. Written once; kept
    for ever, so that what was signed with an older one can still be checked."""

    certificate_sha256 = models.CharField(max_length=64)
    # As DER, in base64.
    certificate = models.TextField()
    # The one before it in this log, if any.
    former_sha256 = models.CharField(max_length=64, default="", blank=True)
    reason = models.CharField(max_length=300)
    at = models.DateTimeField()

    app_privileges = ("SELECT", "INSERT")

    class Meta(LedgerModel.Meta):
        abstract = False
        ordering: ClassVar = ["-entry_index"]

    def __str__(self) -> str:
        return self.certificate_sha256

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "certificate_sha256": self.certificate_sha256,
            "certificate": self.certificate,
            "former_sha256": self.former_sha256,
            "reason": self.reason,
            "at": encode_timestamp(self.at),
        }


class SignedFile(LedgerModel):
    """That the file of a report was signed: the digest of its bytes as they go out. Written once; kept for ever.

    The report's own entry cannot say it, because the file carries the proof of that entry."""

    report = models.OneToOneField(Report, models.PROTECT, related_name="signed_file")
    file_sha256 = models.CharField(max_length=64)
    certificate_sha256 = models.CharField(max_length=64)
    at = models.DateTimeField()

    read_with = ("report",)
    app_privileges = ("SELECT", "INSERT")

    class Meta(LedgerModel.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"{self.report}, signed"

    def entry_body(self) -> Mapping[str, Any]:
        return {
            "report": self.report.entry_index,
            "file_sha256": self.file_sha256,
            "certificate_sha256": self.certificate_sha256,
            "at": encode_timestamp(self.at),
        }


class ReportEmailQuerySet(models.QuerySet["ReportEmail"]):
    def due(self, now: datetime) -> "ReportEmailQuerySet":
        return self.filter(state=DeliveryState.WAITING, next_try_at__lte=now)


class ReportEmail(models.Model):
    """The outbox: one person who is to be e-mailed that a report is there, or could not be made. A link, no contents.

    Written when the report is finished; workers move it as they move the alerts' outbox. Kept as long as the report."""

    report = models.ForeignKey(Report, models.PROTECT, related_name="letters")
    recipient = models.ForeignKey(User, models.PROTECT, related_name="+")
    state = models.CharField(max_length=16, choices=DeliveryState.choices, default=DeliveryState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)

    objects = ReportEmailQuerySet.as_manager()
    app_privileges = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        db_table = "reports_letter"
        ordering: ClassVar = ["next_try_at", "pk"]
        indexes: ClassVar = [
            models.Index(fields=["next_try_at"], condition=Q(state="waiting"), name="reports_letter_due")
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["report", "recipient"], name="reports_letter_once"),
            models.CheckConstraint(condition=Q(state__in=DeliveryState.values), name="reports_letter_state_known"),
        ]

    def __str__(self) -> str:
        return f"{self.report} to {self.recipient}"
