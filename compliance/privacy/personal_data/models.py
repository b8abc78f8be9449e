"""Personal records, their details in a separate table, and what was done to both. Only the details can be deleted."""

from datetime import date, datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Count, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce, Greatest

from compliance.core.accounts.ledger.person_act import PersonActModel, ReasonedActModel
from compliance.core.accounts.models import Casino, User, person_reference
from compliance.privacy.personal_data.subjects import SUBJECTS
from rounds.ledger import LedgerModel, encode_timestamp

APPEND_ONLY = ("SELECT", "INSERT")


class AccessPurpose(models.TextChoices):
    """Why somebody reads the details. A closed list, because it enters the ledger, where no name may appear."""

    DECIDE = "decide", "To decide the matter"
    CONTACT = "contact", "To reach the person"
    PAY = "pay", "To pay or hand over a prize"
    INSPECT = "inspect", "Inspection"
    ANSWER = "answer", "The person asked what is kept about them"
    OTHER = "other", "Something else"


class PersonalRecordQuerySet(models.QuerySet["PersonalRecord"]):
    def with_list_details(self) -> "PersonalRecordQuerySet":
        """Annotates all that lists and pages show of a record, in one query."""
        of_this = {"record": OuterRef("pk")}
        held = (
            RetentionHold.objects.filter(**of_this)
            .order_by()
            .values("record")
            .annotate(last=Max("until_on"))
            .values("last")
        )
        looks = DetailsAccess.objects.filter(**of_this).order_by().values("record").annotate(n=Count("pk")).values("n")
        return self.select_related("destruction", "kept_by", "replacement").annotate(  # type: ignore[no-redef]
            held_until_on=Subquery(held),
            ends_on=Greatest("keep_until_on", Subquery(held)),
            looks_count=Coalesce(Subquery(looks), 0),
        )

    def in_state(self, state: str, today: date) -> "PersonalRecordQuerySet":
        """Filters records from with_list_details() by `kept`, `held`, `due` or `destroyed`."""
        there = Q(destruction=None)
        held = Q(held_until_on__gte=today)
        not_held = Q(held_until_on=None) | Q(held_until_on__lt=today)
        states = {
            "kept": there & Q(ends_on__gte=today) & not_held,
            "held": there & held,
            "due": there & Q(ends_on__lt=today),
            "destroyed": ~there,
        }
        # An unknown state, such as one typed into the URL, does not filter.
        return self.filter(states.get(state, Q()))


class PersonalRecord(models.Model):
    """Records that details of a person are stored: about what, since when, how long, and their salted digest. Written
    by the app concerned, with the entry that carries the digest. Never changed; kept for ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    subject = models.SlugField(max_length=32)
    reference = models.CharField(max_length=80)
    digest_sha256 = models.CharField(max_length=64, unique=True)
    carried_by = models.CharField(max_length=200)
    kept_at = models.DateTimeField()
    kept_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    keep_until_on = models.DateField()
    supersedes = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="replacement")

    objects = PersonalRecordQuerySet.as_manager()
    app_privileges = APPEND_ONLY
    # Annotations of with_list_details().
    held_until_on: date | None
    ends_on: date
    looks_count: int

    class Meta:
        ordering: ClassVar = ["-kept_at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["casino", "-kept_at"], name="personal_of_casino"),
            models.Index(fields=["casino", "keep_until_on"], name="personal_by_end"),
        ]

    def __str__(self) -> str:
        return f"Record {self.pk}"

    @property
    def subject_label(self) -> str:
        return SUBJECTS[self.subject].label if self.subject in SUBJECTS else self.subject

    @property
    def destroyed_at(self) -> datetime | None:
        destruction = getattr(self, "destruction", None)
        return destruction.at if destruction else None

    def as_commitment(self) -> dict[str, Any]:
        """Members that the entry carries instead of the details; the verifier finds them anywhere in the body."""
        return {"personal_record": self.pk, "digest_sha256": self.digest_sha256}


class PersonalFields(models.Model):
    """The details and their salt: the exact bytes from which the digest was made. The service can only insert: it has
    no SELECT privilege. The database function patrons_show returns a row and records the access; inserting a
    Destruction deletes it."""

    record = models.OneToOneField(PersonalRecord, models.PROTECT, primary_key=True, related_name="+")
    fields = models.TextField()
    salt = models.BinaryField()

    app_privileges = ("INSERT",)

    def __str__(self) -> str:
        return f"Details of record {self.pk}"


class DetailsAccess(PersonActModel):
    """Who read the details of a record, when and why. Written only by patrons_show; never changed; kept for ever."""

    record = models.ForeignKey(PersonalRecord, models.PROTECT, related_name="looks")
    purpose = models.CharField(max_length=16, choices=AccessPurpose.choices)
    # Outside the ledger, because free text may name the patron.
    note = models.CharField(max_length=300, blank=True)

    app_privileges = ("SELECT",)

    class Meta(PersonActModel.Meta):
        db_table = "patrons_personallook"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "entry_index"], name="patrons_personallook_one_entry")
        ]
        abstract = False
        ordering: ClassVar = ["-at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["record", "-at"], name="look_at_record")]

    def __str__(self) -> str:
        return f"{self.by_name}, {self.at:%Y-%m-%d %H:%M} UTC"

    def entry_body(self) -> dict[str, Any]:
        return {"record": self.record_id, "purpose": self.purpose, **self.act_fields()}


class RetentionHold(ReasonedActModel):
    """Extends the retention of a record to a later day, for a reason such as a court case. Written by hold_record;
    never changed; kept for ever."""

    record = models.ForeignKey(PersonalRecord, models.PROTECT, related_name="holds")
    until_on = models.DateField()

    app_privileges = APPEND_ONLY

    class Meta(ReasonedActModel.Meta):
        db_table = "patrons_hold"
        constraints: ClassVar = [models.UniqueConstraint(fields=["log", "entry_index"], name="patrons_hold_one_entry")]
        abstract = False
        ordering: ClassVar = ["at", "pk"]

    def __str__(self) -> str:
        return f"Record {self.record_id} until {self.until_on}"

    def entry_body(self) -> dict[str, Any]:
        return {"record": self.record_id, "until": self.until_on.isoformat(), **self.act_fields()}


class RetentionRule(ReasonedActModel):
    """How many years a casino keeps details on a subject, from this time on. The newest rule applies. Set by an
    authority officer with a reason. Never changed; kept for ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    subject = models.SlugField(max_length=32)
    years = models.PositiveSmallIntegerField()

    app_privileges = APPEND_ONLY

    class Meta(ReasonedActModel.Meta):
        abstract = False
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [
            *ReasonedActModel.Meta.constraints,
            models.CheckConstraint(condition=Q(years__gte=1, years__lte=50), name="retention_is_1_to_50_years"),
        ]

    def __str__(self) -> str:
        return f"{self.subject}: {self.years} years"

    def entry_body(self) -> dict[str, Any]:
        return {"subject": self.subject, "years": self.years, **self.act_fields()}


class Destruction(LedgerModel):
    """The details of a record were destroyed: a trigger deletes them when this row is inserted. `by` is null if
    retention ended. The digest stays, so the ledger still verifies; without details and salt it reveals nothing. Never
    changed; kept for ever."""

    record = models.OneToOneField(PersonalRecord, models.PROTECT, related_name="destruction")
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    by_name = models.CharField(max_length=120, blank=True)
    at = models.DateTimeField()

    read_with = ("record",)
    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        abstract = False
        ordering: ClassVar = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"Record {self.record_id}, {self.at:%Y-%m-%d %H:%M} UTC"

    def entry_body(self) -> dict[str, Any]:
        return {
            **self.record.as_commitment(),
            "reason": self.reason,
            "by": person_reference(self.by_id, self.by_name) if self.by_id else None,
            "at": encode_timestamp(self.at),
        }
