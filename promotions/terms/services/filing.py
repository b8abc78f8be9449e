"""Files terms with the Authority: frozen under their digest, with the ledger entry as receipt."""

from datetime import datetime

from django.db import transaction
from django.db.models import Max

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.services.roles import lock_casinos
from promotions.shared.duties import PromotionRules, require_duties
from promotions.shared.errors import IncompleteTerms, NothingChanged, PrizeProhibited, PromotionHasBegun
from promotions.shared.permissions import MAY_WRITE, check_roles
from promotions.terms.content.completeness import find_missing, unanswered_questions
from promotions.terms.content.prize_rules import all_prohibitions
from promotions.terms.content.terms import Terms, terms_digest
from promotions.terms.emails import tell_authority
from promotions.terms.entry_kinds import TERMS
from promotions.terms.models import Draft, Promotion, TermsVersion, VersionKind, latest_version
from promotions.terms.selectors import prescribed_items_at, version_in_force
from rounds.ledger import write_row


@transaction.atomic
def file_terms(*, draft: Draft, actor: User, now: datetime) -> TermsVersion:
    """Files the terms, or files them again before the start, which restarts the notice period. A late filing is
    recorded too.

    The terms of a future promotion must be complete and lawful. One that has begun is a fact and is recorded as it is.
    """
    casino = draft.casino
    check_roles(actor, casino, MAY_WRITE)
    lock_casinos({casino.pk})
    rules = require_duties(casino, now)
    terms = draft.terms
    if draft.promotion is not None:
        _check_not_begun(draft.promotion, terms, now)
    check_complete(terms, casino, rules, now)
    promotion = draft.promotion or _create_next_promotion(casino, now)
    version = build_version(terms, promotion, VersionKind.FILING, rules, actor, now)
    tell_authority(version, now)
    Draft.objects.filter(pk=draft.pk).delete()
    return write_row(version, kind=TERMS, log=casino.slug, now=now)


def check_complete(terms: Terms, casino: Casino, rules: PromotionRules, now: datetime) -> None:
    """Terms of a promotion that has begun may break any rule: they are a fact."""
    if terms.has_begun(now):
        return
    prescribed = prescribed_items_at(casino, now)
    if lacking := [*find_missing(terms, rules.duties), *unanswered_questions(terms, rules.duties, prescribed)]:
        raise IncompleteTerms(" ".join(f"{lack.sentence} ({lack.clause})" for lack in lacking))
    if wrong := all_prohibitions(terms.prizes, rules.duties, prescribed):
        raise PrizeProhibited(" ".join(f"{each.sentence} ({each.clause})" for each in wrong))


def build_version(
    terms: Terms, promotion: Promotion, kind: VersionKind, rules: PromotionRules, actor: User, now: datetime
) -> TermsVersion:
    text = terms.canonical_text()
    last = latest_version(promotion)
    if terms.starts_at is None or not terms.name:
        raise IncompleteTerms("The terms have no name, or do not say when the promotion starts.")
    return TermsVersion(
        promotion=promotion,
        number=last.number + 1 if last else 1,
        kind=kind,
        content=text,
        terms_sha256=terms_digest(text),
        name=terms.name,
        starts_at=terms.starts_at,
        ends_at=terms.ends_at,
        closes_at=terms.closes_at,
        awarded_at=terms.awarded_at,
        rules=rules.version.as_entry_reference(),
        filed_by=actor,
        filed_at=now,
    )


def _check_not_begun(promotion: Promotion, terms: Terms, now: datetime) -> None:
    in_force = version_in_force(promotion, now)
    if in_force is not None and in_force.starts_at <= now:
        raise PromotionHasBegun
    if in_force is not None and in_force.content == terms.canonical_text():
        raise NothingChanged


def _create_next_promotion(casino: Casino, now: datetime) -> Promotion:
    last = Promotion.objects.filter(casino=casino).aggregate(last=Max("number"))["last"]
    return Promotion.objects.create(casino=casino, number=(last or 0) + 1, made_at=now)
