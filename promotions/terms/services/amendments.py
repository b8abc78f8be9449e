"""Amendments after the start: requested with a reason, decided by an authority officer, in force once approved."""

from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import User
from compliance.core.accounts.separation import require_other_person
from compliance.core.accounts.services.roles import lock_casinos
from promotions.shared.duties import require_duties
from promotions.shared.errors import (
    AmendmentPending,
    DecidedAlready,
    NothingChanged,
    NothingToDecide,
    NotIndependent,
    PromotionNotBegun,
)
from promotions.shared.permissions import MAY_DECIDE, MAY_WRITE, check_roles
from promotions.terms.emails import tell_authority, tell_casino
from promotions.terms.entry_kinds import DECIDED, TERMS
from promotions.terms.models import AmendmentDecision, Draft, TermsVersion, VersionKind
from promotions.terms.selectors import is_independent, version_in_force
from promotions.terms.services.filing import build_version, check_complete
from rounds.ledger import write_row


@transaction.atomic
def request_amendment(
    *, draft: Draft, reason: str, actor: User, now: datetime, in_use_at: datetime | None = None
) -> TermsVersion:
    """`in_use_at` is when the new terms were first used, if that was before approval. It is recorded, and the audit
    flags it."""
    promotion = draft.promotion
    if promotion is None:
        raise PromotionNotBegun
    check_roles(actor, draft.casino, MAY_WRITE)
    lock_casinos({draft.casino_id})
    rules = require_duties(draft.casino, now)
    in_force = version_in_force(promotion, now)
    if in_force is None or in_force.starts_at > now:
        raise PromotionNotBegun
    if TermsVersion.objects.awaiting_decision().filter(promotion=promotion).exists():
        raise AmendmentPending
    if in_force.content == draft.terms.canonical_text():
        raise NothingChanged
    if in_use_at is None:
        check_complete(draft.terms, draft.casino, rules, now)
    version = build_version(draft.terms, promotion, VersionKind.AMENDMENT, rules, actor, now)
    version.reason, version.in_use_at = reason, in_use_at
    tell_authority(version, now)
    Draft.objects.filter(pk=draft.pk).delete()
    return write_row(version, kind=TERMS, log=promotion.casino.slug, now=now)


@transaction.atomic
def decide_amendment(
    *, version: TermsVersion, is_approved: bool, reasons: str, actor: User, now: datetime
) -> AmendmentDecision:
    casino = version.promotion.casino
    check_roles(actor, casino, MAY_DECIDE)
    lock_casinos({casino.pk})
    require_other_person(actor, filed=version.filed_by_id)
    if not is_independent(actor, version):
        raise NotIndependent
    if AmendmentDecision.objects.filter(version=version).exists():
        raise DecidedAlready
    is_standing = TermsVersion.objects.filter(pk=version.pk).exists()
    if version.kind != VersionKind.AMENDMENT or version.filed_at > now or not is_standing:
        raise NothingToDecide
    decision = AmendmentDecision(version=version, is_approved=is_approved, reasons=reasons, by=actor, at=now)
    tell_casino(version, actor, now)
    return write_row(decision, kind=DECIDED, log=casino.slug, now=now)
