"""The letter that tells a claimant why, and the register of denied claims on paper."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from reportlab.lib.units import mm
from reportlab.platypus import Spacer

from compliance.accounts.models import Casino
from compliance.web.forms import dollars
from compliance.web.moments import moment_text
from promotions.claims.denials import waited, waited_words
from promotions.claims.models import Claim, ClaimDecision
from promotions.printing import Grid, Paper, heading, rows, said
from rounds.engine.promotion_duties import PromotionDispute

SHARES = (11, 16, 12, 18, 27, 16)


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


def register_pdf(casino: Casino, claims: Iterable[Claim], now: datetime, total: int) -> bytes:
    """Without names and addresses: the register says which personal record holds them."""
    lines = [line_of(claim, now) for claim in claims]
    left_out = f" These are the newest of {total:,}; the CSV has them all." if total > len(lines) else ""
    grid = Grid(("Claim", "Prize", "Value", "Denied", "Reasons", "Told"), lines, SHARES)
    parts = [
        said(f"{casino.name}, as it stood on {moment_text(now, casino)}. Claims: {len(lines):,}.{left_out}"),
        Spacer(0, 4 * mm),
        *(grid.parts() if lines else [said("No claim was denied.")]),
        Spacer(0, 4 * mm),
        said("Names and addresses are kept apart, under the number of the personal record; every look is recorded."),
    ]
    return Paper("Register of denied claims", f"Denied claims of {casino.slug}", parts, grid).printed()


def line_of(claim: Claim, now: datetime) -> tuple[str, ...]:
    decision = claim.decided()
    assert decision is not None
    told = decision.reasons_told()
    after = waited_words(waited(decision, now))
    record = f" Personal record {claim.record_id}." if claim.record_id else ""
    return (
        claim.reference,
        f"{claim.prize} ({claim.promotion.reference})",
        f"${dollars(claim.value_cents)}",
        moment_text(decision.at, claim.casino),
        f"{decision.reasons}{record}",
        f"After {after}, {told.method.replace('-', ' ')}" if told else f"Not told for {after}",
    )
