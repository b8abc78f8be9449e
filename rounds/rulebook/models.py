"""Rule versions with their packs and source documents, and the drafts of proposals.

Columns of a version are written once; migration 0002 enforces it with triggers.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, OuterRef, Q, Subquery

from compliance.core.accounts.models import Casino, User
from compliance.core.web.ui.links import casino_url
from rounds.ledger import encode_timestamp
from rounds.rulebook.entry_kinds import APPROVED, PROPOSED, RULED, WITHDRAWN
from rounds.rulebook.states import TRANSITIONS, RuleVersionState

APPEND_ONLY_PRIVILEGES = ("SELECT", "INSERT")
MAX_REASON_LENGTH = 4000


class FrozenPack(models.Model):
    """The bytes of a rule pack, content-addressed by SHA-256. Written with the first version that uses them, never
    changed, kept for ever."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    content = models.BinaryField()

    app_privileges = APPEND_ONLY_PRIVILEGES

    def __str__(self) -> str:
        return self.sha256

    @classmethod
    def get_or_freeze(cls, content: bytes) -> "FrozenPack":
        """The row for these bytes, created if needed. Versions with the same pack share one row."""
        digest = hashlib.sha256(content).hexdigest()
        return cls.objects.get_or_create(sha256=digest, defaults={"content": content})[0]


class MediaType(models.TextChoices):
    TEXT = "text/plain", "Plain text"
    PDF = "application/pdf", "PDF"


class SourceDocument(models.Model):
    """A published rule document, byte for byte as uploaded. Written with a proposal, never changed, kept for ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    content = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    size_bytes = models.PositiveIntegerField()
    media_type = models.CharField(max_length=32, choices=MediaType.choices)
    file_name = models.CharField(max_length=200)
    uploaded_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField()

    app_privileges = APPEND_ONLY_PRIVILEGES

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(media_type__in=MediaType.values), name="source_document_type_known"),
        ]

    def __str__(self) -> str:
        return self.file_name

    def as_entry_reference(self) -> dict[str, Any]:
        """The document as it is referenced in ledger entries."""
        return {"file_name": self.file_name, "media_type": self.media_type, "sha256": self.sha256}


class RuleVersionQuerySet(models.QuerySet["RuleVersion"]):
    def approved(self) -> "RuleVersionQuerySet":
        """Approved and not withdrawn: versions that are, were or will be in force."""
        return self.filter(approved_at__isnull=False, withdrawn_at=None)

    def waiting(self) -> "RuleVersionQuerySet":
        return self.filter(approved_at=None, withdrawn_at=None)

    def with_superseded_at(self) -> "RuleVersionQuerySet":
        """Annotates `superseded_at`: when the next approved version of the same rules takes effect, or None."""
        later = RuleVersion.objects.approved().filter(
            casino=OuterRef("casino"), rules=OuterRef("rules"), effective_at__gt=OuterRef("effective_at")
        )
        return self.annotate(superseded_at=Subquery(later.order_by("effective_at").values("effective_at")[:1]))

    def in_force(self, now: datetime) -> "RuleVersionQuerySet":
        still = Q(superseded_at=None) | Q(superseded_at__gt=now)
        return self.approved().with_superseded_at().filter(still, effective_at__lte=now)

    def superseded(self, now: datetime) -> "RuleVersionQuerySet":
        return self.approved().with_superseded_at().filter(Q(superseded_at__lte=now))

    def with_people(self) -> "RuleVersionQuerySet":
        """Selects everything that pages about versions show, without the bytes of documents."""
        people = ("casino", "proposed_by", "approved_by", "withdrawn_by", "source_document", "rules_on")
        return self.with_superseded_at().select_related(*people).defer("source_document__content")


class RuleVersion(models.Model):
    """A rule pack with adopted readings, for one casino: proposed by one person, approved by a second.

    Written by the services in versions/: proposal, approval and withdrawal each fill their own columns once and append
    a ledger entry. Filled columns never change. Kept for ever: a round is audited under the version that was in force
    when it commenced.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="rule_versions")
    rules = models.SlugField(max_length=80)
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    pack = models.ForeignKey(FrozenPack, models.PROTECT, related_name="+")
    pack_name = models.CharField(max_length=120)
    # `readings`: the adopted choice of every reading. `truth_sha256`: digest of the truth table of each pay table.
    readings = models.JSONField()
    truth_sha256 = models.JSONField()
    source_document = models.ForeignKey(SourceDocument, models.PROTECT, related_name="+")
    # Rulings only: the version whose reading is changed, the reading, the reasons, and the requested effective time.
    rules_on = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="rulings")
    ruled_reading = models.CharField(max_length=80, blank=True)
    ruling_reasons = models.TextField(blank=True)
    wanted_at = models.DateTimeField(null=True, blank=True)
    proposed_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField()
    proposed_index = models.BigIntegerField()

    effective_at = models.DateTimeField(null=True, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)
    evidence = models.TextField(blank=True)
    # The house edges outside the ordinary range, as confirmed by the approver, and the reason given.
    edges_confirmed = models.JSONField(null=True, blank=True)
    edge_reason = models.TextField(blank=True)
    approved_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    approved_at = models.DateTimeField(null=True, blank=True)
    approved_index = models.BigIntegerField(null=True, blank=True)

    withdrawal_reason = models.TextField(blank=True)
    withdrawn_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_index = models.BigIntegerField(null=True, blank=True)

    objects = RuleVersionQuerySet.as_manager()
    app_privileges = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        ordering: ClassVar = ["rules", "-number"]
        indexes: ClassVar = [models.Index(fields=["casino", "rules", "-effective_at"], name="rule_version_in_force")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["casino", "rules", "number"], name="rule_version_number_once"),
            models.UniqueConstraint(
                fields=["casino", "rules", "effective_at"],
                condition=Q(withdrawn_at=None),
                name="rule_version_one_at_an_instant",
            ),
            models.UniqueConstraint(fields=["casino", "proposed_index"], name="rule_version_proposed_entry"),
            models.UniqueConstraint(fields=["casino", "approved_index"], name="rule_version_approved_entry"),
            models.UniqueConstraint(fields=["casino", "withdrawn_index"], name="rule_version_withdrawn_entry"),
            models.CheckConstraint(condition=Q(number__gte=1), name="rule_version_number_from_one"),
            models.CheckConstraint(
                condition=Q(rules_on=None, ruled_reading="", ruling_reasons="", wanted_at=None)
                | Q(rules_on__isnull=False, wanted_at__isnull=False) & ~Q(ruled_reading="") & ~Q(ruling_reasons=""),
                name="rule_version_ruling_whole",
            ),
            models.CheckConstraint(
                condition=Q(
                    approved_at=None,
                    approved_by=None,
                    approved_index=None,
                    effective_at=None,
                    edges_confirmed__isnull=True,
                    time_zone="",
                    evidence="",
                    edge_reason="",
                )
                | Q(
                    approved_at__isnull=False,
                    approved_by__isnull=False,
                    approved_index__isnull=False,
                    effective_at__isnull=False,
                    edges_confirmed__isnull=False,
                )
                & ~Q(time_zone=""),
                name="rule_version_approval_whole",
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_at=None, withdrawn_by=None, withdrawn_index=None, withdrawal_reason="")
                | Q(withdrawn_at__isnull=False, withdrawn_by__isnull=False, withdrawn_index__isnull=False)
                & ~Q(withdrawal_reason=""),
                name="rule_version_withdrawal_whole",
            ),
            models.CheckConstraint(
                condition=Q(approved_by=None) | ~Q(approved_by=F("proposed_by")), name="rule_version_second_person"
            ),
            models.CheckConstraint(
                condition=Q(approved_at=None) | Q(approved_at__gte=F("proposed_at")), name="rule_version_approved_later"
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_at=None) | Q(effective_at=None) | Q(withdrawn_at__lt=F("effective_at")),
                name="rule_version_withdrawn_before_effect",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title}, version {self.number}"

    def get_absolute_url(self) -> str:
        return self.address("version")

    def address(self, name: str) -> str:
        """The URL of one of this version's pages, by URL name without the namespace."""
        return casino_url(f"rulebook:{name}", self.casino, rules=self.rules, number=self.number)

    @property
    def name(self) -> str:
        """The name in commands and in addresses, such as nsw-sic-bo@2. On pages the title stands: see __str__."""
        return f"{self.rules}@{self.number}"

    @property
    def reference(self) -> str:
        """The reference that people quote, such as harbour/nsw-sic-bo/2."""
        return f"{self.casino.slug}/{self.rules}/{self.number}"

    @property
    def is_ruling(self) -> bool:
        return self.rules_on_id is not None

    @property
    def is_retroactive(self) -> bool:
        """Effective before it was approved, so rounds already played are audited again under it."""
        return bool(self.approved_at and self.effective_at and self.effective_at < self.approved_at)

    def state(self, now: datetime) -> RuleVersionState:
        """The state at `now`. Needs `superseded_at`, which `with_superseded_at()` annotates."""
        if self.withdrawn_at:
            return RuleVersionState.WITHDRAWN
        if self.effective_at is None:
            return RuleVersionState.PROPOSED
        if self.effective_at > now:
            return RuleVersionState.APPROVED
        ends_at: datetime | None = self.superseded_at  # type: ignore[attr-defined]
        return RuleVersionState.SUPERSEDED if ends_at and ends_at <= now else RuleVersionState.IN_FORCE

    def may_become(self, state: RuleVersionState, now: datetime) -> bool:
        return state in TRANSITIONS[self.state(now)]

    def recorded_acts(self) -> Iterator["VersionAct"]:
        """The acts recorded for this version so far, each with the index of its ledger entry."""
        yield VersionAct(self, RULED if self.is_ruling else PROPOSED, self.proposed_index)
        if self.approved_index is not None:
            yield VersionAct(self, APPROVED, self.approved_index)
        if self.withdrawn_index is not None:
            yield VersionAct(self, WITHDRAWN, self.withdrawn_index)

    @classmethod
    def rows_between(cls, log: str, first: int, last: int) -> Iterable["VersionAct"]:
        """The acts whose entries are first..last-1 of a casino's log."""
        span = (first, last - 1)
        touched = Q(proposed_index__range=span) | Q(approved_index__range=span) | Q(withdrawn_index__range=span)
        versions = cls.objects.with_people().filter(touched, casino__slug=log)
        return (act for version in versions for act in version.recorded_acts() if first <= act.entry_index < last)

    def as_entry_reference(self) -> dict[str, Any]:
        return {"rules": self.rules, "number": self.number, "pack_sha256": self.pack_id}

    def proposal_entry_body(self) -> dict[str, Any]:
        body = self.as_entry_reference() | {
            "pack": self.pack_name,
            "readings": self.readings,
            "truth_sha256": self.truth_sha256,
            "source": self.source_document.as_entry_reference(),
            "by": self.proposed_by.as_entry_reference(),
        }
        if self.rules_on is None or self.wanted_at is None:
            return body
        return body | {
            "rules_on": self.rules_on.number,
            "reading": self.ruled_reading,
            "choice": self.readings[self.ruled_reading],
            "reasons": self.ruling_reasons,
            "wanted_at": encode_timestamp(self.wanted_at),
        }

    def approval_entry_body(self) -> dict[str, Any]:
        assert self.approved_by is not None
        assert self.effective_at is not None
        return self.as_entry_reference() | {
            "readings": self.readings,
            "truth_sha256": self.truth_sha256,
            "source_sha256": self.source_document.sha256,
            "effective_at": encode_timestamp(self.effective_at),
            "time_zone": self.time_zone,
            "evidence": self.evidence,
            "edges_confirmed": self.edges_confirmed,
            "edge_reason": self.edge_reason,
            "by": self.approved_by.as_entry_reference(),
        }

    def withdrawal_entry_body(self) -> dict[str, Any]:
        assert self.withdrawn_by is not None
        return self.as_entry_reference() | {
            "reason": self.withdrawal_reason,
            "by": self.withdrawn_by.as_entry_reference(),
        }


@dataclass(frozen=True)
class VersionAct:
    """One act on a version with its ledger entry. `verify_ledger` compares `entry_body()` with that entry."""

    version: RuleVersion
    kind: str
    entry_index: int

    def entry_body(self) -> Mapping[str, Any]:
        if self.kind == APPROVED:
            return self.version.approval_entry_body()
        return self.version.withdrawal_entry_body() if self.kind == WITHDRAWN else self.version.proposal_entry_body()


class Draft(models.Model):
    """A proposal in progress, one per person and casino, so that nothing is lost between the pages of the proposal.

    Written by versions/drafts.py, changed freely, deleted when the proposal is sent or discarded. Not in the ledger."""

    casino = models.ForeignKey(Casino, models.CASCADE, related_name="+")
    person = models.ForeignKey(User, models.CASCADE, related_name="+")
    started_at = models.DateTimeField()
    pack_content = models.BinaryField(null=True, blank=True)
    pack_file = models.CharField(max_length=200, blank=True)
    source_content = models.BinaryField(null=True, blank=True)
    source_file = models.CharField(max_length=200, blank=True)
    source_media_type = models.CharField(max_length=32, blank=True, choices=MediaType.choices)
    readings = models.JSONField(default=dict, blank=True)
    has_chosen_readings = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["casino", "person"], name="rule_draft_one_a_person"),
        ]

    def __str__(self) -> str:
        return f"Draft of {self.person} for {self.casino}"


class PackEdit(models.Model):
    """The text of a rule pack in the editor, valid or not, autosaved while a person types. Deleted with its draft.

    Optimistic locking: `number` grows with each save, and `window` is the browser window that saved last. A save from
    another window with an older number is refused, so nothing is overwritten. `put_aside` holds the text that was last
    replaced as a whole, so that it can be restored."""

    draft = models.OneToOneField(Draft, models.CASCADE, related_name="edit")
    content = models.BinaryField()
    number = models.PositiveIntegerField(default=1)
    window = models.CharField(max_length=32, blank=True)
    kept_at = models.DateTimeField()
    began_from = models.CharField(max_length=300)
    began_content = models.BinaryField()
    began_readings = models.JSONField(default=dict, blank=True)
    put_aside = models.BinaryField(null=True, blank=True)

    def __str__(self) -> str:
        return f"Edit of {self.began_from}"

    @property
    def text(self) -> str:
        return bytes(self.content).decode()

    @property
    def starting_text(self) -> str:
        return bytes(self.began_content).decode()

    @property
    def is_applied_to_draft(self) -> bool:
        """Whether the draft's pack is the current text."""
        applied = self.draft.pack_content
        return applied is not None and bytes(applied) == bytes(self.content)
