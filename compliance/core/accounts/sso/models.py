"""IdentityLink, the model of single sign-on. accounts/models.py has the people."""

import hashlib
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.db import models

OFFER_VALID_FOR = timedelta(days=7)


class IdentityLinkQuerySet(models.QuerySet["IdentityLink"]):
    def open(self) -> "IdentityLinkQuerySet":
        """Offered or linked, and not removed."""
        return self.filter(ended_at=None)

    def linked(self) -> "IdentityLinkQuerySet":
        return self.open().exclude(linked_at=None)

    def open_offers(self, now: datetime) -> "IdentityLinkQuerySet":
        """Offers that can still be accepted."""
        return self.open().filter(linked_at=None, offered_at__gt=now - OFFER_VALID_FOR)


class IdentityLink(models.Model):
    """Lets a person sign in by one identity (issuer and subject) of a provider. Gives no role. Offered by an
    administrator or linked by the person, removed by either (services/identities.py); kept for ever."""

    user = models.ForeignKey("accounts.User", models.PROTECT, related_name="identity_links")
    provider = models.SlugField(max_length=32)
    issuer = models.CharField(max_length=400)
    subject = models.CharField(max_length=255, blank=True)
    salt = models.CharField(max_length=32)
    offered_by = models.ForeignKey("accounts.User", models.PROTECT, null=True, blank=True, related_name="+")
    offered_at = models.DateTimeField(null=True, blank=True)
    linked_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey("accounts.User", models.PROTECT, null=True, blank=True, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = IdentityLinkQuerySet.as_manager()
    app_privileges = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["issuer", "subject"],
                condition=models.Q(ended_at=None, linked_at__isnull=False),
                name="identity_of_one_person",
            ),
            models.UniqueConstraint(
                fields=["user", "issuer"], condition=models.Q(ended_at=None), name="identity_once_a_person"
            ),
            models.CheckConstraint(
                condition=models.Q(linked_at=None, subject="")
                | (models.Q(linked_at__isnull=False) & ~models.Q(subject="")),
                name="identity_linked_is_named",
            ),
            models.CheckConstraint(
                condition=models.Q(offered_by=None) | ~models.Q(offered_by=models.F("user")),
                name="identity_not_offered_to_self",
            ),
            models.CheckConstraint(
                condition=models.Q(offered_at__isnull=False) | models.Q(linked_at__isnull=False),
                name="identity_offered_or_linked",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} by {self.issuer}"

    @property
    def offer_expires_at(self) -> datetime | None:
        """Expiry of an offer; None for a link."""
        return self.offered_at + OFFER_VALID_FOR if self.offered_at and not self.linked_at else None

    def has_expired(self, now: datetime) -> bool:
        return self.offer_expires_at is not None and now >= self.offer_expires_at

    @property
    def identity_sha256(self) -> str:
        """Hash by which entries refer to the identity: a subject may be an e-mail address, which is personal data."""
        return hashlib.sha256(f"{self.salt}\n{self.issuer}\n{self.subject}".encode()).hexdigest()

    def as_entry_reference(self, *, is_offer: bool) -> dict[str, Any]:
        named = {"id": self.pk, "issuer": self.issuer}
        return named if is_offer else named | {"identity_sha256": self.identity_sha256}
