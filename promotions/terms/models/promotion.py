"""Promotions, their integrity state, and the frozen versions of their terms. Only drafts can change."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from compliance.core.accounts.models import Casino, User
from compliance.core.web.ui.links import casino_url
from promotions.shared.base_model import APPEND_ONLY, PromotionRecord
from promotions.terms.content.terms import Terms
from rounds.ledger import StandingManager, encode_timestamp, is_taken_back
from rounds.transparency_log import formats

MAX_NAME_LENGTH = 120


class Promotion(models.Model):
    """A promotion with its permanent number. Created by its first filing; never changes; kept for ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="promotions")
    number = models.PositiveIntegerField()
    made_at = models.DateTimeField()

    app_privileges = APPEND_ONLY

    class Meta:
        ordering: ClassVar = ["-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["casino", "number"], name="terms_promotion_number_once"),
        ]

    def __str__(self) -> str:
        return self.reference

    def get_absolute_url(self) -> str:
        return self.address("promotion")

    @property
    def reference(self) -> str:
        return f"P-{self.number}"

    def address(self, name: str, app: str = "terms", **parts: object) -> str:
        return casino_url(f"{app}:{name}", self.casino, promotion=self.number, **parts)


class Integrity(models.TextChoices):
    """Whether a promotion continues. It can be postponed but not cancelled; only a draw can be (clause 10.12)."""

    SOUND = "sound", "Sound"
    POSTPONED = "postponed", "Postponed"


class PromotionAct(models.TextChoices):
    POSTPONED = "postponed", "Postponed"
    VALIDATED = "validated", "Validated"


INTEGRITY_TRANSITIONS: dict[tuple[Integrity, PromotionAct], Integrity] = {
    (Integrity.SOUND, PromotionAct.POSTPONED): Integrity.POSTPONED,
    (Integrity.POSTPONED, PromotionAct.VALIDATED): Integrity.SOUND,
}


class PromotionStep(PromotionRecord):
    """Records that a whole promotion was postponed because its integrity was in doubt, or validated and continued.

    Written by marketing or the compliance officer, in order; never changes; kept for ever.
    """

    entry_time = "recorded_at"

    promotion = models.ForeignKey(Promotion, models.PROTECT, related_name="stops")
    step = models.PositiveSmallIntegerField()
    act = models.CharField(max_length=16, choices=PromotionAct.choices)
    before = models.CharField(max_length=16, choices=Integrity.choices)
    after = models.CharField(max_length=16, choices=Integrity.choices)
    # When it happened, as stated by the casino. `recorded_at` is when it was recorded.
    happened_at = models.DateTimeField()
    statement = models.TextField()
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField()

    read_with = ("promotion", "by")

    class Meta(PromotionRecord.Meta):
        abstract = False
        ordering: ClassVar = ["promotion", "step"]
        constraints: ClassVar = [
            *PromotionRecord.Meta.constraints,
            models.UniqueConstraint(fields=["promotion", "step"], name="terms_stop_once"),
            models.CheckConstraint(condition=~Q(statement=""), name="terms_stop_says_why"),
        ]

    def __str__(self) -> str:
        return f"{self.promotion}: {self.get_act_display().lower()}"

    def entry_body(self) -> dict[str, Any]:
        return {
            "promotion": self.promotion.number,
            "step": self.step,
            "act": self.act,
            "before": self.before,
            "after": self.after,
            "happened_at": encode_timestamp(self.happened_at),
            "statement": self.statement,
            "recorded_at": encode_timestamp(self.recorded_at),
            "by": self.by.as_entry_reference(),
        }


class VersionKind(models.TextChoices):
    FILING = "filing", "Filed with the Authority"
    AMENDMENT = "amendment", "Amendment asked for"


class VersionState(models.TextChoices):
    IN_FORCE = "in-force", "In force"
    SUPERSEDED = "superseded", "Superseded"
    WAITING = "waiting", "Waiting for the Authority"
    REFUSED = "refused", "Refused"
    WITHDRAWN = "withdrawn", "Withdrawn"


class TermsVersionQuerySet(models.QuerySet["TermsVersion"]):
    def effective(self, at: datetime) -> "TermsVersionQuerySet":
        """Filings, and amendments approved by the Authority before `at`."""
        approvals = AmendmentDecision.objects.filter(version=OuterRef("pk"), is_approved=True, at__lte=at)
        filed = Q(kind=VersionKind.FILING, filed_at__lte=at)
        return self.filter(filed | Q(Exists(approvals), kind=VersionKind.AMENDMENT))

    def in_force(self, at: datetime) -> "TermsVersionQuerySet":
        """The newest effective version of each promotion."""
        newest = TermsVersion.objects.effective(at).filter(promotion=OuterRef("promotion")).order_by("-number")
        return self.filter(number=Subquery(newest.values("number")[:1]))

    def awaiting_decision(self) -> "TermsVersionQuerySet":
        decided = AmendmentDecision.objects.filter(version=OuterRef("pk"))
        return self.filter(~Exists(decided), kind=VersionKind.AMENDMENT)

    def with_related(self) -> "TermsVersionQuerySet":
        """Also annotates `integrity`: whether the promotion continues or was postponed; and `is_withdrawn`."""
        last = PromotionStep.objects.filter(promotion=OuterRef("promotion")).order_by("-step")
        related = self.select_related("promotion__casino", "filed_by").prefetch_related("decisions")
        return related.annotate(  # type: ignore[no-redef]
            is_withdrawn=is_taken_back(),
            integrity=Coalesce(Subquery(last.values("after")[:1]), models.Value(Integrity.SOUND.value)),
        )


class TermsVersion(PromotionRecord):
    """The terms of a promotion as filed, or as proposed by an amendment, frozen under their digest.

    Written when marketing files; the entry is the receipt. Never changes; kept for ever.
    """

    promotion = models.ForeignKey(Promotion, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=16, choices=VersionKind.choices)
    # Canonical JSON: the exact bytes of the digest.
    content = models.TextField()
    terms_sha256 = models.CharField(max_length=64)
    name = models.CharField(max_length=MAX_NAME_LENGTH)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    awarded_at = models.DateTimeField(null=True, blank=True)
    # The rule version whose duties applied to the filing.
    rules = models.JSONField()
    reason = models.TextField(blank=True)
    # Set if an amendment was used before its approval. Recorded as a fact; the audit flags it.
    in_use_at = models.DateTimeField(null=True, blank=True)
    filed_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    filed_at = models.DateTimeField()

    objects = StandingManager.from_queryset(TermsVersionQuerySet)()  # type: ignore[misc]
    recorded = TermsVersionQuerySet.as_manager()  # type: ignore[misc]
    read_with = ("promotion", "filed_by")
    # Annotations of `with_related()`.
    integrity: str
    is_withdrawn: bool

    class Meta(PromotionRecord.Meta):
        abstract = False
        ordering: ClassVar = ["-number"]
        indexes: ClassVar = [
            models.Index(fields=["starts_at"], name="terms_by_start"),
            models.Index(fields=["promotion", "kind", "-number"], name="terms_of_promotion"),
        ]
        constraints: ClassVar = [
            *PromotionRecord.Meta.constraints,
            models.UniqueConstraint(fields=["promotion", "number"], name="terms_version_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="terms_version_from_one"),
            models.CheckConstraint(
                condition=Q(kind=VersionKind.FILING, reason="", in_use_at=None)
                | Q(kind=VersionKind.AMENDMENT) & ~Q(reason=""),
                name="terms_amendment_has_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, version {self.number}"

    @property
    def reference(self) -> str:
        return f"{self.promotion.reference}/{self.number}"

    @property
    def terms(self) -> Terms:
        return Terms(formats.parse_strict_object(self.content.encode()))

    @property
    def is_amendment(self) -> bool:
        return self.kind == VersionKind.AMENDMENT

    def address(self, name: str) -> str:
        return self.promotion.address(name, version=self.number)

    def get_decision(self) -> "AmendmentDecision | None":
        """The decision that was not withdrawn."""
        return next(iter(self.decisions.all()), None)

    def is_effective(self) -> bool:
        decision = self.get_decision()
        return not self.is_amendment or (decision is not None and decision.is_approved)

    def entry_body(self) -> dict[str, Any]:
        return {
            "promotion": self.promotion.number,
            "version": self.number,
            "act": self.kind,
            "terms": formats.parse_strict_object(self.content.encode()),
            "terms_sha256": self.terms_sha256,
            "rules": self.rules,
            "reason": self.reason,
            "in_use_at": encode_timestamp(self.in_use_at) if self.in_use_at else None,
            "received_at": encode_timestamp(self.filed_at),
            "by": self.filed_by.as_entry_reference(),
        }


class AmendmentDecision(PromotionRecord):
    """Records an authority officer's decision on an amendment. If approved, it is in force from then on.

    Written once, after reauthentication; never changes; kept for ever.
    """

    version = models.ForeignKey(TermsVersion, models.PROTECT, related_name="decisions")
    is_approved = models.BooleanField()
    reasons = models.TextField()
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    read_with = ("version__promotion", "by")

    class Meta(PromotionRecord.Meta):
        abstract = False
        constraints: ClassVar = [
            *PromotionRecord.Meta.constraints,
            models.CheckConstraint(condition=~Q(reasons=""), name="terms_decision_has_reasons"),
        ]

    def __str__(self) -> str:
        return f"{'Approved' if self.is_approved else 'Refused'}, {self.at:%Y-%m-%d %H:%M} UTC"

    def entry_body(self) -> dict[str, Any]:
        return {
            "promotion": self.version.promotion.number,
            "version": self.version.number,
            "terms_sha256": self.version.terms_sha256,
            "decision": "approved" if self.is_approved else "refused",
            "reasons": self.reasons,
            "at": encode_timestamp(self.at),
            "by": self.by.as_entry_reference(),
        }


class Draft(models.Model):
    """Terms not filed yet: of a new promotion, or the next version of an existing one.

    Shared by the casino's marketing staff; can change at any time; deleted when filed or discarded. No ledger entry.
    """

    casino = models.ForeignKey(Casino, models.CASCADE, related_name="+")
    promotion = models.OneToOneField(Promotion, models.CASCADE, null=True, blank=True, related_name="draft")
    answers = models.JSONField(default=dict)
    begun_by = models.ForeignKey(User, models.CASCADE, related_name="+")
    begun_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-changed_at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["casino", "-changed_at"], name="terms_drafts_of_casino")]

    def __str__(self) -> str:
        return self.terms.name or "Promotion without a name"

    @property
    def terms(self) -> Terms:
        return Terms(self.answers)

    def address(self, name: str, **parts: object) -> str:
        return casino_url(f"terms:{name}", self.casino, draft=self.pk, **parts)


class Attachment(models.Model):
    """An uploaded file that belongs to terms or shows marketing material, byte for byte. Never changes; kept for
    ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    sha256 = models.CharField(max_length=64)
    media_type = models.CharField(max_length=32)
    file_name = models.CharField(max_length=120)
    content = models.BinaryField()
    kept_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    kept_at = models.DateTimeField()

    app_privileges = APPEND_ONLY

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["casino", "sha256"], name="terms_attachment_once"),
        ]

    def __str__(self) -> str:
        return self.file_name


def latest_version(promotion: Promotion) -> TermsVersion | None:
    """The newest version, effective or not, withdrawn or not. The next version number follows it."""
    return TermsVersion.recorded.filter(promotion=promotion).order_by(F("number").desc()).first()
