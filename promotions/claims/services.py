"""Records claims, decisions, notifications of reasons, and payments."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from compliance.core.accounts.models import User
from compliance.core.accounts.services.roles import lock_casinos
from compliance.privacy.personal_data.models import PersonalRecord
from compliance.privacy.personal_data.services import store_personal_details
from compliance.privacy.personal_data.subjects import CLAIM as CLAIM_SUBJECT
from promotions.claims.entry_kinds import CLAIM, DECIDED, PAID, TOLD
from promotions.claims.errors import NoReasons, NotDenied, NotMet
from promotions.claims.models import Claim, ClaimDecision, HandoverType, Payment, ReasonsTold
from promotions.draws.models import Winner
from promotions.shared.errors import DecidedAlready
from promotions.shared.permissions import MAY_WRITE, check_roles
from promotions.terms.models import Promotion
from rounds.ledger import write_row


@transaction.atomic
def record_claim(
    *,
    promotion: Promotion,
    prize: str,
    value_cents: int,
    claimed_at: datetime,
    details: str,
    actor: User,
    now: datetime,
    winner: Winner | None = None,
    person: Mapping[str, str] | None = None,
) -> Claim:
    """`person` holds details that the claimant chose to give; they are optional here."""
    casino = promotion.casino
    check_roles(actor, casino, MAY_WRITE)
    lock_casinos({casino.pk})
    last = Claim.recorded.filter(casino=casino).aggregate(last=Max("number"))["last"]
    claim = Claim(
        casino=casino,
        number=(last or 0) + 1,
        promotion=promotion,
        winner=winner,
        prize=prize,
        value_cents=value_cents,
        details=details,
        claimed_at=claimed_at,
        by=actor,
        at=now,
    )
    _save_claimant(claim, claim, person, CLAIM, actor, now, None)
    return write_row(claim, kind=CLAIM, log=casino.slug, now=now)


@transaction.atomic
def decide_claim(
    *,
    claim: Claim,
    is_met: bool,
    reasons: str,
    actor: User,
    now: datetime,
    person: Mapping[str, str] | None = None,
) -> ClaimDecision:
    """A denial needs reasons. A denial above the threshold without name and address is still recorded; the audit flags
    it."""
    check_roles(actor, claim.casino, MAY_WRITE)
    lock_casinos({claim.casino_id})
    if ClaimDecision.objects.filter(claim=claim).exists():
        raise DecidedAlready
    if not is_met and not reasons:
        raise NoReasons
    decision = ClaimDecision(claim=claim, is_met=is_met, reasons=reasons, by=actor, at=now)
    _save_claimant(decision, claim, person, DECIDED, actor, now, claim.personal)
    return write_row(decision, kind=DECIDED, log=claim.casino.slug, now=now)


def _save_claimant(
    row: Claim | ClaimDecision,
    claim: Claim,
    person: Mapping[str, str] | None,
    kind: str,
    actor: User,
    now: datetime,
    older: PersonalRecord | None,
) -> None:
    """Stores the details that are not empty, and in the row which they are."""
    given = {name: value.strip() for name, value in (person or {}).items() if value.strip()}
    row.person_fields = sorted(given)
    if not given:
        return
    row.personal = store_personal_details(
        casino=claim.casino,
        subject=CLAIM_SUBJECT,
        reference=claim.reference,
        fields=given,
        carried_by=kind,
        actor=actor,
        now=now,
        supersedes=older,
    )


@transaction.atomic
def record_reasons_told(*, claim: Claim, method: str, told_at: datetime, actor: User, now: datetime) -> ReasonsTold:
    check_roles(actor, claim.casino, MAY_WRITE)
    lock_casinos({claim.casino_id})
    decision = ClaimDecision.objects.filter(claim=claim, is_met=False).first()
    if decision is None or decision.get_reasons_told() is not None:
        raise NotDenied
    row = ReasonsTold(decision=decision, method=method, told_at=told_at, by=actor, at=now)
    return write_row(row, kind=TOLD, log=claim.casino.slug, now=now)


@transaction.atomic
def pay_prize(
    *,
    claim: Claim,
    form: HandoverType,
    paid_at: datetime,
    actor: User,
    now: datetime,
    chosen: Mapping[str, int] | None = None,
    paid: Mapping[str, int] | None = None,
    statement: str = "",
    includes: Sequence[str] = (),
    liquor_ml: int = 0,
) -> Payment:
    """Records the payment as made. One that differs from the winner's choice is still recorded; the audit flags it."""
    check_roles(actor, claim.casino, MAY_WRITE)
    lock_casinos({claim.casino_id})
    met = ClaimDecision.objects.filter(claim=claim, is_met=True)
    if not met.exists() or Payment.objects.filter(claim=claim).exists():
        raise NotMet
    payment = Payment(
        claim=claim,
        form=form,
        statement=statement,
        chosen=dict(chosen or {}),
        paid=dict(paid or {}),
        includes=list(includes),
        liquor_ml=liquor_ml,
        paid_at=paid_at,
        by=actor,
        at=now,
    )
    return write_row(payment, kind=PAID, log=claim.casino.slug, now=now)
