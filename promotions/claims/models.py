"""Claims, decisions, notifications of reasons, and payments. All append-only."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Exists, OuterRef, Prefetch, Q, Subquery

from compliance.core.accounts.models import Casino, User
from compliance.core.web.ui.links import casino_url
from compliance.privacy.personal_data.models import PersonalRecord
from promotions.draws.models import Winner
from promotions.shared.base_model import PromotionRecord
from promotions.terms.models import Promotion
from rounds.ledger import StandingManager, encode_timestamp


class ClaimState(models.TextChoices):
    OPEN = "open", "Not decided"
    MET = "met", "Met, not paid yet"
    PAID = "paid", "Paid"
    DENIED = "denied", "Denied"


class HandoverType(models.TextChoices):
    """What was handed over for a granted claim."""

    AS_DESCRIBED = "as-described", "The prize as the terms describe it"
    CASH = "cash", "The cash prize"
    CASH_ALTERNATIVE = "cash-alternative", "Cash instead of the prize"


class ClaimQuerySet(models.QuerySet["Claim"]):
    def with_details(self) -> "ClaimQuerySet":
        """Loads everything that lists and pages show of a claim, and annotates what stands of its outcome."""
        decisions = ClaimDecision.objects.filter(claim=OuterRef("pk"))
        people = self.select_related("casino", "promotion__casino", "winner", "personal", "by")
        return people.prefetch_related(  # type: ignore[no-redef]
            Prefetch("decisions", ClaimDecision.objects.select_related("by", "personal")),
            "decisions__notifications",
            "payments",
        ).annotate(
            is_met=Subquery(decisions.values("is_met")[:1]),
            decided_at=Subquery(decisions.values("at")[:1]),
            is_told=Exists(ReasonsTold.objects.filter(decision__claim=OuterRef("pk"))),
            is_paid=Exists(Payment.objects.filter(claim=OuterRef("pk"))),
        )

    def denied(self) -> "ClaimQuerySet":
        """Requires `with_details()`, as do the methods below."""
        return self.filter(Q(("is_met", False)))

    def unnotified(self) -> "ClaimQuerySet":
        return self.denied().filter(Q(("is_told", False)))


class Claim(PromotionRecord):
    """Records that a prize was claimed: which, its value, when. Name and address, if given, are stored as personal
    data.

    A dispute may refer to its entry. Written by marketing; never changes; kept for ever.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    promotion = models.ForeignKey(Promotion, models.PROTECT, related_name="claims")
    winner = models.ForeignKey(Winner, models.PROTECT, null=True, blank=True, related_name="claims")
    prize = models.CharField(max_length=120)
    value_cents = models.BigIntegerField()
    details = models.TextField(blank=True)
    claimed_at = models.DateTimeField()
    personal = models.ForeignKey(PersonalRecord, models.PROTECT, null=True, blank=True, related_name="+")
    # Which details were given, because the details cannot be read without recording it. None, and no member of the
    # entry, in rows from before this was recorded.
    person_fields = models.JSONField(null=True, blank=True)
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    objects = StandingManager.from_queryset(ClaimQuerySet)()  # type: ignore[misc]
    recorded = ClaimQuerySet.as_manager()  # type: ignore[misc]
    read_with = ("promotion", "winner__draw", "personal", "by")
    # Annotation of `with_details()`.
    decided_at: datetime | None

    class Meta(PromotionRecord.Meta):
        abstract = False
        ordering: ClassVar = ["-number"]
        indexes: ClassVar = [models.Index(fields=["casino", "-claimed_at"], name="claims_of_casino")]
        constraints: ClassVar = [
            *PromotionRecord.Meta.constraints,
            models.UniqueConstraint(fields=["casino", "number"], name="claims_number_once"),
            models.CheckConstraint(condition=Q(value_cents__gt=0), name="claims_value_positive"),
        ]

    def __str__(self) -> str:
        return self.reference

    def get_absolute_url(self) -> str:
        return self.address("claim")

    @property
    def reference(self) -> str:
        return f"C-{self.number}"

    @property
    def record_id(self) -> int | None:
        """The personal record with the claimant's details, given with the claim or at the denial."""
        decision = self.get_decision()
        return (decision.personal_id if decision else None) or self.personal_id

    def kept_details(self) -> frozenset[str] | None:
        """The details that were given with the claim or at the denial. None if a record does not say which."""
        rows = [row for row in (self, self.get_decision()) if row is not None and row.personal_id]
        if any(row.person_fields is None for row in rows):
            return None
        return frozenset(name for row in rows for name in row.person_fields or ())

    @property
    def state(self) -> ClaimState:
        decision = self.get_decision()
        if decision is None:
            return ClaimState.OPEN
        if not decision.is_met:
            return ClaimState.DENIED
        return ClaimState.PAID if self.get_payment() else ClaimState.MET

    def address(self, name: str) -> str:
        return casino_url(f"claims:{name}", self.casino, claim=self.number)

    def get_decision(self) -> "ClaimDecision | None":
        """The decision that was not withdrawn."""
        return next(iter(self.decisions.all()), None)

    @property
    def decision(self) -> "ClaimDecision":
        """For claims that are known to be decided."""
        decision = self.get_decision()
        assert decision is not None
        return decision

    def get_payment(self) -> "Payment | None":
        return next(iter(self.payments.all()), None)

    def entry_body(self) -> dict[str, Any]:
        return {
            "claim": self.number,
            "promotion": self.promotion.number,
            "draw": self.winner.draw.number if self.winner else None,
            "winner": self.winner.number if self.winner else None,
            "prize": self.prize,
            "value_cents": self.value_cents,
            "details": self.details,
            "claimed_at": encode_timestamp(self.claimed_at),
            "person": self.personal.as_commitment() if self.personal else None,
            **({} if self.person_fields is None else {"person_fields": self.person_fields}),
            "at": encode_timestamp(self.at),
            "by": self.by.as_entry_reference(),
        }


class ClaimDecision(PromotionRecord):
    """Records that a claim was granted or denied, with reasons; a denial may add the claimant's details. Never changes;
    kept for ever."""

    claim = models.ForeignKey(Claim, models.PROTECT, related_name="decisions")
    is_met = models.BooleanField()
    reasons = models.TextField(blank=True)
    personal = models.ForeignKey(PersonalRecord, models.PROTECT, null=True, blank=True, related_name="+")
    person_fields = models.JSONField(null=True, blank=True)
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    read_with = ("claim", "personal", "by")

    class Meta(PromotionRecord.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"{self.claim}: {'met' if self.is_met else 'denied'}"

    def get_reasons_told(self) -> "ReasonsTold | None":
        return next(iter(self.notifications.all()), None)

    def entry_body(self) -> dict[str, Any]:
        return {
            "claim": self.claim.number,
            "value_cents": self.claim.value_cents,
            "decision": "met" if self.is_met else "denied",
            "reasons": self.reasons,
            "person": self.personal.as_commitment() if self.personal else None,
            **({} if self.person_fields is None else {"person_fields": self.person_fields}),
            "at": encode_timestamp(self.at),
            "by": self.by.as_entry_reference(),
        }


class ReasonsTold(PromotionRecord):
    """Records how and when the patron was given the reasons of a denial. Never changes; kept for ever."""

    decision = models.ForeignKey(ClaimDecision, models.PROTECT, related_name="notifications")
    method = models.CharField(max_length=32)
    told_at = models.DateTimeField()
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    read_with = ("decision__claim", "by")

    class Meta(PromotionRecord.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"{self.decision.claim}: told"

    def entry_body(self) -> dict[str, Any]:
        return {
            "claim": self.decision.claim.number,
            "method": self.method,
            "told_at": encode_timestamp(self.told_at),
            "at": encode_timestamp(self.at),
            "by": self.by.as_entry_reference(),
        }


class Payment(PromotionRecord):
    """Records that a prize was handed over or paid: what, the methods chosen, the methods used. Never changes; kept for
    ever."""

    claim = models.ForeignKey(Claim, models.PROTECT, related_name="payments")
    form = models.CharField(max_length=16, choices=HandoverType.choices)
    statement = models.CharField(max_length=300, blank=True)
    # Method → cents: `chosen` by the winner, and `paid`.
    chosen = models.JSONField(default=dict, blank=True)
    paid = models.JSONField(default=dict, blank=True)
    # Prohibited items that the handed-over prize included.
    includes = models.JSONField(default=list, blank=True)
    liquor_ml = models.PositiveIntegerField(default=0)
    paid_at = models.DateTimeField()
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    read_with = ("claim__promotion", "by")

    class Meta(PromotionRecord.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"{self.claim}: paid"

    @property
    def is_money(self) -> bool:
        return self.form != HandoverType.AS_DESCRIBED

    @property
    def paid_cents(self) -> int:
        return sum(self.paid.values())

    def entry_body(self) -> dict[str, Any]:
        return {
            "claim": self.claim.number,
            "promotion": self.claim.promotion.number,
            "form": self.form,
            "statement": self.statement,
            "chosen": self.chosen,
            "paid": self.paid,
            "includes": self.includes,
            "liquor_ml": self.liquor_ml,
            "paid_at": encode_timestamp(self.paid_at),
            "at": encode_timestamp(self.at),
            "by": self.by.as_entry_reference(),
        }
