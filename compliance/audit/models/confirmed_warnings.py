"""Warnings that a person confirmed before they recorded an act."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from compliance.audit.models.findings import Finding
from compliance.core.accounts.ledger.person_act import ReasonedActModel
from compliance.core.accounts.models import Casino


class ConfirmedWarningQuerySet(models.QuerySet["ConfirmedWarning"]):
    def about(self, finding: Finding) -> list["ConfirmedWarning"]:
        """Warnings of this finding that were confirmed: the act is its subject or part of its evidence."""
        entries = [finding.subject_index, *finding.evidence]
        rows = self.filter(log=finding.log, entries__overlap=entries).order_by("entry_index")
        return [row for row in rows if any(each["code"] == finding.code for each in row.findings)]


class ConfirmedWarning(ReasonedActModel):
    """A person was shown what the audit would find or what was implausible, and recorded the act with a reason all the
    same.

    Written in one transaction with the act; never changed, kept for ever. `entries` are the act's entries.
    """

    app_privileges = ("SELECT", "INSERT")

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    entries = ArrayField(models.BigIntegerField())
    findings = models.JSONField()
    # What was implausible about the input, as it was shown.
    doubts = models.JSONField(default=list, blank=True)

    objects = ConfirmedWarningQuerySet.as_manager()

    class Meta(ReasonedActModel.Meta):
        indexes: ClassVar = [GinIndex(fields=["entries"], name="audit_confirmed_entries")]
        constraints: ClassVar = [
            *ReasonedActModel.Meta.constraints,
            models.CheckConstraint(condition=~Q(reason=""), name="audit_confirmed_has_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.log}: {self.reason}"

    def entry_body(self) -> Mapping[str, Any]:
        doubts = {"doubts": self.doubts} if self.doubts else {}
        return {"entries": self.entries, "findings": self.findings, **doubts, **self.act_fields()}
