"""Disclosures, and a database view over them and the reads of patrons' details."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from compliance.core.accounts.ledger.person_act import PersonActModel
from compliance.core.accounts.models import Casino, User
from compliance.privacy.personal_data.models import AccessPurpose


class AccessMethod(models.TextChoices):
    """How something was seen or exported."""

    LOOK = "look", "Patron's details seen"
    LIST = "list", "List downloaded"
    FILE = "file", "File downloaded"
    API = "api", "Read by another system"


class Disclosure(PersonActModel):
    """A list, a file or records left the service: what, in which format, to whom. Written before the first byte is
    sent. Written by the middleware and the API; never changed; kept for ever. The entry has the names of the filters
    without their values, because people may type a patron's name into a filter, and no name may enter the ledger."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    way = models.CharField(max_length=8, choices=AccessMethod.choices)
    what = models.CharField(max_length=200)
    address = models.CharField(max_length=400)
    format = models.CharField(max_length=80)
    filters = models.JSONField(default=dict)
    # Null for files, whose rows are not counted.
    rows = models.PositiveBigIntegerField(null=True)
    # Name of the API token of another system; `by` is the person who created it and is responsible.
    through = models.CharField(max_length=120, blank=True)

    app_privileges = ("SELECT", "INSERT")

    class Meta(PersonActModel.Meta):
        abstract = False
        ordering: ClassVar = ["-at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["casino", "-at"], name="disclosures_of_casino")]
        constraints: ClassVar = [
            *PersonActModel.Meta.constraints,
            models.CheckConstraint(condition=Q(way__in=["list", "file", "api"]), name="disclosures_way_known"),
        ]

    def __str__(self) -> str:
        return f"{self.what}, {self.at:%Y-%m-%d %H:%M} UTC"

    def entry_body(self) -> dict[str, Any]:
        return {
            "way": str(self.way),
            "what": self.what,
            "address": self.address,
            "format": self.format,
            "filters": sorted(self.filters),
            "rows": self.rows,
            "through": self.through,
            **self.act_fields(),
        }


class AccessLogEntry(models.Model):
    """Disclosures and reads of patrons' details as one list. A read-only database view over both tables."""

    id = models.CharField(max_length=30, primary_key=True)
    casino = models.ForeignKey(Casino, models.DO_NOTHING, related_name="+")
    way = models.CharField(max_length=8, choices=AccessMethod.choices)
    what = models.TextField()
    address = models.TextField()
    format = models.TextField()
    filters = models.JSONField()
    rows = models.BigIntegerField(null=True)
    purpose = models.TextField()
    note = models.TextField()
    by = models.ForeignKey(User, models.DO_NOTHING, related_name="+")
    by_name = models.TextField()
    through = models.TextField()
    at = models.DateTimeField()
    log = models.TextField()
    entry_index = models.BigIntegerField()

    app_privileges = ("SELECT",)

    class Meta:
        managed = False
        db_table = "disclosures_seen"

    def __str__(self) -> str:
        return f"{self.by_name}: {self.what}"

    @property
    def reason_text(self) -> str:
        """The filters of an export, or the reason given for a read of a patron's details."""
        if self.way == AccessMethod.LOOK:
            reason = str(AccessPurpose(self.purpose).label)
            return f"{reason}: {self.note}" if self.note else reason
        return "; ".join(f"{name}: {value}" for name, value in self.filters.items())

    @property
    def person_text(self) -> str:
        return f"{self.by_name}, by {self.through}" if self.through else self.by_name
