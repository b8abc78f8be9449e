"""The letter that tells a claimant why."""

from collections.abc import Mapping
from typing import Any

from reportlab.lib.units import mm
from reportlab.platypus import Spacer

from compliance.web.forms import dollars
from compliance.web.moments import moment_text
from promotions.claims.models import Claim, ClaimDecision
from promotions.printing import Paper, heading, rows, said
from rounds.engine.promotion_duties import PromotionDispute


def denial_letter(
    claim: Claim, decision: ClaimDecision, person: Mapping[str, Any], dispute: PromotionDispute, terms_link: str
) -> bytes:
    """To the name and address that are kept, if any are; otherwise to nobody by name."""
    casino = claim.casino
    name, address = str(person.get("name", "")), str(person.get("address", ""))
    parts = [
        *([said(f"{name}\n{address}".strip()), Spacer(0, 8 * mm)] if name or address else []),
        said(moment_text(decision.at, casino).partition(",")[0]),
        Spacer(0, 6 * mm),
        said(f"Dear {name or 'patron'}"),
        Spacer(0, 3 * mm),
        said(
            f"You claimed “{claim.prize}”, worth ${dollars(claim.value_cents)}, in the promotion "
            f"{claim.promotion.reference} of {casino.name}. Your claim was not met."
        ),
        heading("Why"),
        said(decision.reasons),
        heading("If you disagree"),
        said(
            "Tell us: we look at it again, and the casino's decision on the terms is then final. If you are not "
            f"satisfied with that decision, you have the right to {_right(dispute)}. You can ask any member of staff "
            "to help you find an inspector."
        ),
        heading("What this is about"),
        rows(
            [
                ("Claim", claim.reference),
                ("Claimed", moment_text(claim.claimed_at, casino)),
                ("Decided", moment_text(decision.at, casino)),
                ("Terms", terms_link),
            ]
        ),
        Spacer(0, 10 * mm),
        said(f"{decision.by.name}\n{casino.name}"),
    ]
    return Paper(casino.name, f"Claim {claim.reference} of {casino.slug}", parts).printed()


def _right(dispute: PromotionDispute) -> str:
    return f"lodge {dispute.told_of} under {dispute.law}"
