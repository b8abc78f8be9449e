"""API tokens. Only the digest of a token is stored."""

import re
from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q

from compliance.core.accounts.ledger.person_act import ReasonedActModel
from compliance.core.accounts.models import Casino, User, person_reference
from compliance.core.web.ui.components import Tag
from rounds.ledger import LedgerModel, encode_timestamp

APPEND_ONLY = ("SELECT", "INSERT")


class Scope(models.TextChoices):
    """Types of records that a token may read."""

    FINDINGS = "findings", "Findings"
    ROUNDS = "rounds", "Rounds with their proofs"
    COVERAGE = "coverage", "Coverage: how far the audit has come"
    REPORTS = "reports", "Reports, with their files"
    ENTRIES = "entries", "The whole log, entry by entry, with its rule packs"


class ApiToken(models.Model):
    """Records that a system may read: its name, scopes and expiry. Written by a government user.

    Only `last_used_at` changes; revoked by a TokenEnd for each casino. Kept for ever.
    """

    name = models.CharField(max_length=80)
    token_sha256 = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField()
    made_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    # The name at that time. Entries must not change when somebody changes their name.
    made_by_name = models.CharField(max_length=120)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)

    app_privileges = ("SELECT", "INSERT", "UPDATE")

    class Meta:
        ordering: ClassVar = ["-made_at", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(expires_at__gt=F("made_at")), name="inspectorate_token_ends_later"),
        ]

    def __str__(self) -> str:
        return f"token {self.pk}, {self.name}"

    @property
    def scope_labels(self) -> str:
        return ", ".join(re.split(r" with |[:,]", str(Scope(scope).label))[0] for scope in self.scopes)


class TokenGrant(LedgerModel):
    """Records that a token may read at one casino, as an entry of its log. Written with the token; never changes; kept
    for ever."""

    token = models.ForeignKey(ApiToken, models.PROTECT, related_name="grants")
    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")

    read_with = ("token",)
    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        abstract = False
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.UniqueConstraint(fields=["token", "casino"], name="inspectorate_grant_once"),
        ]

    def __str__(self) -> str:
        return f"{self.token} at {self.casino}"

    def entry_body(self) -> dict[str, Any]:
        token = self.token
        return {
            "token": token.pk,
            "name": token.name,
            "token_sha256": token.token_sha256,
            "scopes": token.scopes,
            "by": person_reference(token.made_by_id, token.made_by_name),
            "at": encode_timestamp(token.made_at),
            "until": encode_timestamp(token.expires_at),
        }

    @property
    def revocation(self) -> "TokenEnd | None":
        return getattr(self, "end", None)

    def state(self, now: datetime) -> Tag:
        if self.revocation:
            return Tag("Revoked", "neutral")
        return Tag("Active", "success") if now < self.token.expires_at else Tag("Expired", "neutral")


class TokenEnd(ReasonedActModel):
    """Records that a token was revoked at a casino: by whom and why. An entry of the casino's log; never changes; kept
    for ever."""

    grant = models.OneToOneField(TokenGrant, models.PROTECT, related_name="end")

    read_with = ("grant",)
    app_privileges = APPEND_ONLY

    class Meta(ReasonedActModel.Meta):
        abstract = False
        ordering: ClassVar = ["-pk"]

    def __str__(self) -> str:
        return f"{self.grant}, revoked"

    def entry_body(self) -> dict[str, Any]:
        return {"token": self.grant.token_id, **self.act_fields()}
