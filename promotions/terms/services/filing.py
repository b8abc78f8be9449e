"""Filing terms with the Authority: frozen under their digest, the receipt an entry of the ledger."""

from datetime import datetime

from django.db import transaction
from django.db.models import Max

from compliance.accounts.models import Casino, User
from compliance.accounts.services.roles import lock_casinos
from promotions.duties import Governing, require_duties
from promotions.errors import HasBegun, IncompleteTerms, NothingChanged, ProhibitedPrize
from promotions.standing import MAY_WRITE, require
from promotions.terms.completeness import missing
from promotions.terms.content import Terms, digest_of
from promotions.terms.kinds import TERMS
from promotions.terms.models import Draft, Kind, Promotion, TermsVersion, latest_of
from promotions.terms.prizes import every_prohibition
from promotions.terms.selectors import prescribed_at, version_in_force
from rounds.ledger.rows import write_row


@transaction.atomic
def file_terms(*, draft: Draft, actor: User, now: datetime) -> TermsVersion:
    """Before the start, also again: a change restarts the clock. Late is recorded like any other.

    What is still to come must be complete and lawful. A promotion that has begun is a fact: it is recorded as it is.
    """
    casino = draft.casino
    require(actor, casino, MAY_WRITE)
    lock_casinos({casino.pk})
    found = require_duties(casino, now)
    terms = draft.terms
    if draft.promotion is not None:
        _check_not_begun(draft.promotion, terms, now)
    check_fit(terms, casino, found, now)
    promotion = draft.promotion or _next_promotion(casino, now)
    version = frozen(terms, promotion, Kind.FILING, found, actor, now)
    draft.delete()
    return write_row(version, kind=TERMS, log=casino.slug, now=now)


def check_fit(terms: Terms, casino: Casino, found: Governing, now: datetime) -> None:
    """Without a start or a name they cannot even be recorded; what has begun may break any other rule."""
    lacking = missing(terms, found.duties)
    if terms.has_begun(now) and terms.name:
        return
    if lacking:
        raise IncompleteTerms(" ".join(f"{lack.sentence} ({lack.clause})" for lack in lacking))
    if wrong := every_prohibition(terms.prizes, found.duties, prescribed_at(casino, now)):
        raise ProhibitedPrize(" ".join(f"{each.sentence} ({each.clause})" for each in wrong))


def frozen(
    terms: Terms, promotion: Promotion, kind: Kind, found: Governing, actor: User, now: datetime
) -> TermsVersion:
    text = terms.as_text()
    last = latest_of(promotion)
    assert terms.starts_at is not None
    return TermsVersion(
        promotion=promotion, number=last.number + 1 if last else 1, kind=kind, content=text,
        terms_sha256=digest_of(text), name=terms.name, starts_at=terms.starts_at, ends_at=terms.ends_at,
        closes_at=terms.closes_at, awarded_at=terms.awarded_at, rules=found.version.named(), filed_by=actor,
        filed_at=now,
    )  # fmt: skip


def _check_not_begun(promotion: Promotion, terms: Terms, now: datetime) -> None:
    standing = version_in_force(promotion, now)
    if standing is not None and standing.starts_at <= now:
        raise HasBegun
    if standing is not None and standing.content == terms.as_text():
        raise NothingChanged


def _next_promotion(casino: Casino, now: datetime) -> Promotion:
    last = Promotion.objects.filter(casino=casino).aggregate(last=Max("number"))["last"]
    return Promotion.objects.create(casino=casino, number=(last or 0) + 1, made_at=now)
