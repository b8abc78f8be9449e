"""Predictions that take longer than a person would wait for a page."""

from typing import Any, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse

from compliance.core.accounts.models import Casino, User
from compliance.core.web.jobs.job import Job


class BackgroundPrediction(Job):
    """Evaluates the stored entries that a planned act affects. Requested when a person sends the form of the act, run
    by the worker, deleted a day later.

    The planned entries are kept as the text of their bodies: nothing that was typed is kept beyond what the act would
    record, and no code can come from it. `act` is the digest of what they say, apart from the time and their indexes:
    the same form, sent again, finds its result. `log_size` is that of the log when the act was planned.
    """

    casino = models.ForeignKey(Casino, models.CASCADE, related_name="+")
    requested_by = models.ForeignKey(User, models.CASCADE, related_name="+")
    requested_at = models.DateTimeField()
    act = models.CharField(max_length=64)
    entries = models.JSONField()
    log_size = models.BigIntegerField()

    app_privileges = ("SELECT", "INSERT", "UPDATE", "DELETE")
    task = "compliance.audit.tasks.predict"

    class Meta:
        ordering: ClassVar = ["requested_at", "pk"]
        indexes: ClassVar = [
            models.Index(fields=["requested_by", "casino", "act"], name="audit_prediction_of_act"),
            models.Index(
                fields=["requested_at"],
                condition=Q(state__in=["waiting", "running"]),
                name="audit_prediction_unfinished",
            ),
        ]
        constraints: ClassVar = [*Job.Meta.constraints]

    def __str__(self) -> str:
        return f"Prediction {self.pk} of {self.casino.slug}"

    @property
    def progress_href(self) -> str:
        return reverse("audit:prediction", args=[self.pk])

    @property
    def done(self) -> int:
        return self._count_entries(self.parts.filter(findings__isnull=False))

    @property
    def total(self) -> int:
        return self._count_entries(self.parts.all())

    def _count_entries(self, parts: models.QuerySet["PredictedPart"]) -> int:
        sizes = parts.aggregate(entries=models.Sum(models.Func("affected", function="cardinality")))
        return int(sizes["entries"] or 0)

    def delete_results(self) -> None:
        self.parts.all().delete()


class PredictedPart(models.Model):
    """Some of the affected entries as one unit of work, and the new findings about them; null until it is done."""

    prediction = models.ForeignKey(BackgroundPrediction, models.CASCADE, related_name="parts")
    affected = ArrayField(models.BigIntegerField())
    findings: Any = models.JSONField(null=True)

    app_privileges = ("SELECT", "INSERT", "UPDATE", "DELETE")

    class Meta:
        ordering: ClassVar = ["prediction", "pk"]

    def __str__(self) -> str:
        return f"{self.prediction}: {len(self.affected)} entries"
