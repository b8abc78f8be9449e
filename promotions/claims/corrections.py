"""Which records of claims can be withdrawn, and what depends on them."""

from collections.abc import Iterator

from compliance.core.corrections.registry import CorrectableRecord, find_row, register_correctable
from promotions.claims import entry_kinds
from promotions.claims.models import Claim, ClaimDecision, Payment, ReasonsTold
from promotions.shared.permissions import MAY_WRITE


def register() -> None:
    register_correctable(
        CorrectableRecord(
            kind=entry_kinds.CLAIM,
            writers=MAY_WRITE,
            find=find_row(Claim, "casino"),
            page=lambda claim: claim.get_absolute_url(),
            dependents=lambda claim: map(str, claim.decisions.select_related("claim")),
        ),
        CorrectableRecord(
            kind=entry_kinds.DECIDED,
            writers=MAY_WRITE,
            find=find_row(ClaimDecision, "claim__casino"),
            page=lambda decision: decision.claim.get_absolute_url(),
            dependents=_of_decision,
        ),
        CorrectableRecord(
            kind=entry_kinds.TOLD,
            writers=MAY_WRITE,
            find=find_row(ReasonsTold, "decision__claim__casino"),
            page=lambda told: told.decision.claim.get_absolute_url(),
        ),
        CorrectableRecord(
            kind=entry_kinds.PAID,
            writers=MAY_WRITE,
            find=find_row(Payment, "claim__casino"),
            page=lambda payment: payment.claim.get_absolute_url(),
        ),
    )


def _of_decision(decision: ClaimDecision) -> Iterator[str]:
    yield from map(str, decision.claim.payments.select_related("claim"))
    yield from map(str, decision.notifications.select_related("decision__claim"))
