"""Two registers: marketing material, and the Authority's list of prescribed (prohibited) prizes."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from compliance.core.accounts.models import Casino, User
from promotions.shared.base_model import PromotionRecord
from promotions.terms.models.promotion import Promotion
from rounds.ledger import encode_timestamp


class Medium(models.TextChoices):
    POSTER = "poster", "Poster or screen in the casino"
    WEBSITE = "website", "Website"
    EMAIL = "email", "Email"
    MAIL = "mail", "Direct mail"
    BROCHURE = "brochure", "Brochure"
    SOCIAL = "social", "Social media"
    OTHER = "other", "Something else"


class Material(PromotionRecord):
    """Records a piece of marketing material, and whether and where it refers to the terms. Never changes; kept for
    ever."""

    promotion = models.ForeignKey(Promotion, models.PROTECT, related_name="materials")
    medium = models.CharField(max_length=16, choices=Medium.choices)
    description = models.CharField(max_length=300)
    used_from_on = models.DateField()
    is_referring = models.BooleanField()
    where = models.CharField(max_length=300, blank=True)
    # Digest of the Attachment that shows it.
    file_sha256 = models.CharField(max_length=64, blank=True)
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    read_with = ("promotion", "by")

    class Meta(PromotionRecord.Meta):
        abstract = False
        ordering: ClassVar = ["-used_from_on", "-pk"]
        constraints: ClassVar = [
            *PromotionRecord.Meta.constraints,
            models.CheckConstraint(condition=Q(is_referring=False) | ~Q(where=""), name="terms_reference_says_where"),
        ]

    def __str__(self) -> str:
        return f"{self.get_medium_display()}: {self.description}"

    def entry_body(self) -> dict[str, Any]:
        return {
            "promotion": self.promotion.number,
            "medium": self.medium,
            "description": self.description,
            "used_from": self.used_from_on.isoformat(),
            "refers_to_terms": self.is_referring,
            "where": self.where,
            "file_sha256": self.file_sha256,
            "at": encode_timestamp(self.at),
            "by": self.by.as_entry_reference(),
        }


class PrescribedItemQuerySet(models.QuerySet["PrescribedItem"]):
    def listed(self, at: datetime) -> "PrescribedItemQuerySet":
        """On the list at that time."""
        return self.filter(Q(removal=None) | Q(removal__at__gt=at), at__lte=at)


class PrescribedItem(PromotionRecord):
    """An item or service that regulations prohibit as a prize. Put on the list by an authority officer.

    Never changes; taken off the list by a PrescribedRemoval; kept for ever.
    """

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    item = models.CharField(max_length=200)
    basis = models.CharField(max_length=300)
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    objects = PrescribedItemQuerySet.as_manager()  # type: ignore[misc]
    read_with = ("by",)

    class Meta(PromotionRecord.Meta):
        abstract = False
        ordering: ClassVar = ["item", "pk"]

    def __str__(self) -> str:
        return self.item

    @property
    def key(self) -> str:
        """Key by which a prize declares that it includes the item."""
        return f"prescribed:{self.pk}"

    def entry_body(self) -> dict[str, Any]:
        return {
            "item": self.item,
            "basis": self.basis,
            "at": encode_timestamp(self.at),
            "by": self.by.as_entry_reference(),
        }


class PrescribedRemoval(PromotionRecord):
    """Records that an item was taken off the list of prescribed prizes, with the reason. Never changes; kept for
    ever."""

    item = models.OneToOneField(PrescribedItem, models.PROTECT, related_name="removal")
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    read_with = ("item", "by")

    class Meta(PromotionRecord.Meta):
        abstract = False

    def __str__(self) -> str:
        return f"{self.item} taken off"

    def entry_body(self) -> dict[str, Any]:
        return {
            "item": self.item.item,
            "listed_by_entry": self.item.entry_index,
            "reason": self.reason,
            "at": encode_timestamp(self.at),
            "by": self.by.as_entry_reference(),
        }
