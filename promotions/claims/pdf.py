"""Letter with the reasons of a denied claim."""

from collections.abc import Mapping
from typing import Any

from reportlab.lib.units import mm
from reportlab.platypus import Spacer

from compliance.core.web.local_time import format_local
from compliance.core.web.ui.forms import dollars
from promotions.claims.models import Claim, ClaimDecision
from promotions.shared.pdf import PdfDocument, facts_table, heading, paragraph
from rounds.engine import pack


def denial_letter(
    claim: Claim, decision: ClaimDecision, person: Mapping[str, Any], dispute: pack.PromotionDispute, terms_link: str
) -> bytes:
    """Addressed to the stored name and address; without them, to no named person."""
    casino = claim.casino
    name, address = str(person.get("name", "")), str(person.get("address", ""))
    parts = [
        *([paragraph(f"{name}\n{address}".strip()), Spacer(0, 8 * mm)] if name or address else []),
        paragraph(format_local(decision.at, casino).partition(",")[0]),
        Spacer(0, 6 * mm),
        paragraph(f"Dear {name or 'patron'}"),
        Spacer(0, 3 * mm),
        paragraph(
            f"You claimed “{claim.prize}”, worth ${dollars(claim.value_cents)}, in the promotion "
            f"{claim.promotion.reference} of {casino.name}. Your claim was not met."
        ),
        heading("Why"),
        paragraph(decision.reasons),
        heading("If you disagree"),
        paragraph(
            "Tell us: we look at it again, and the casino's decision on the terms is then final. If you are not "
            f"satisfied with that decision, you have the right to {_dispute_right_text(dispute)}. "
            f"You can ask any member of staff "
            "to help you find an inspector."
        ),
        heading("What this is about"),
        facts_table(
            [
                ("Claim", claim.reference),
                ("Claimed", format_local(claim.claimed_at, casino)),
                ("Decided", format_local(decision.at, casino)),
                ("Terms", terms_link),
            ]
        ),
        Spacer(0, 10 * mm),
        paragraph(f"{decision.by.name}\n{casino.name}"),
    ]
    return PdfDocument(casino.name, f"Claim {claim.reference} of {casino.slug}", parts).render()


def _dispute_right_text(dispute: pack.PromotionDispute) -> str:
    return f"lodge {dispute.told_of} under {dispute.law}"
