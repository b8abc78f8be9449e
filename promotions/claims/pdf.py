"""Letter with the reasons of a denied claim."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from compliance.core.corrections.selectors import withdrawals_of
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.page_layout import (
    TITLE,
    PageText,
    heading,
    labelled_values,
    make_pdf,
    paragraph,
    vertical_gap,
)
from promotions.claims.models import Claim, ClaimDecision
from rounds.engine import pack
from rounds.engine.money import format_cents


def denial_letter(
    claim: Claim,
    decision: ClaimDecision,
    person: Mapping[str, Any],
    dispute: pack.PromotionDispute,
    terms_link: str,
    now: datetime,
) -> bytes:
    """Addressed to the stored name and address; without them, to no named person."""
    casino = claim.casino
    name, address = str(person.get("name", "")), str(person.get("address", ""))
    parts = [
        paragraph(casino.name, TITLE),
        *([paragraph(f"{name}\n{address}".strip()), vertical_gap(8 * mm)] if name or address else []),
        paragraph(format_local(decision.at, casino).partition(",")[0]),
        vertical_gap(6 * mm),
        paragraph(f"Dear {name or 'patron'}"),
        vertical_gap(3 * mm),
        paragraph(
            f"You claimed “{claim.prize}”, worth {format_cents(claim.value_cents)}, in the promotion "
            f"{claim.promotion.reference} of {casino.name}. Your claim was not met."
        ),
        *_correction_parts(claim),
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
        *labelled_values(
            [
                ("Claim", claim.reference),
                ("Claimed", format_local(claim.claimed_at, casino)),
                ("Decided", format_local(decision.at, casino)),
                ("Terms", terms_link),
            ]
        ),
        vertical_gap(10 * mm),
        paragraph(f"{decision.by.name}\n{casino.name}"),
    ]
    title, made = f"Letter on {claim.reference}", f"Made {format_local(now, casino)}"
    return make_pdf(parts, PageText(title, casino.name, made, f"Claim {claim.reference} of {casino.slug}"))


def _correction_parts(claim: Claim) -> Iterator[Flowable]:
    """That an earlier decision was withdrawn, so that the claimant knows which letter counts."""
    made_at = dict(ClaimDecision.recorded.filter(claim=claim).values_list("entry_index", "at"))
    for index, withdrawal in withdrawals_of(claim.log, made_at).items():
        yield paragraph(
            f"We corrected our records: the decision of {format_local(made_at[index], claim.casino)} was withdrawn on "
            f"{format_local(withdrawal.at, claim.casino)}. This letter replaces any letter about that decision."
        )


def _dispute_right_text(dispute: pack.PromotionDispute) -> str:
    return f"lodge {dispute.told_of} under {dispute.law}"
