"""Entry kinds of terms, and the models whose rows record them."""

from promotions.terms.models import (
    AmendmentDecision,
    Material,
    PrescribedItem,
    PrescribedRemoval,
    PromotionStep,
    TermsVersion,
)
from promotions.terms.verify import verify_rows
from rounds.ledger import register_kind, register_projection, register_rows

TERMS = "promotion-terms"
DECIDED = "promotion-amendment-decided"
MATERIAL = "promotion-material"
POSTPONED = "promotion-postponed"
VALIDATED = "promotion-validated"
PRESCRIBED = "prescribed-prize-listed"
UNPRESCRIBED = "prescribed-prize-removed"


def register_kinds() -> None:
    register_kind(TERMS, "Terms of a promotion reached the Authority: filed, or as an amendment asked for.")
    register_kind(DECIDED, "The Authority decided about an amendment of a promotion's terms.")
    register_kind(MATERIAL, "Marketing material of a promotion, and whether it refers to the terms.")
    register_kind(POSTPONED, "A whole promotion was postponed because its integrity was in doubt.")
    register_kind(VALIDATED, "The integrity of a postponed promotion was validated, and it goes on.")
    register_kind(PRESCRIBED, "The Authority put an item on the list of what no prize may be.")
    register_kind(UNPRESCRIBED, "The Authority took an item off the list of what no prize may be.")
    register_rows(TERMS, TermsVersion.rows_between)
    register_projection("dates of promotions", [TERMS], verify_rows)
    register_rows(DECIDED, AmendmentDecision.rows_between)
    register_rows(MATERIAL, Material.rows_between)
    for kind in (POSTPONED, VALIDATED):
        register_rows(kind, PromotionStep.rows_between)
    register_rows(PRESCRIBED, PrescribedItem.rows_between)
    register_rows(UNPRESCRIBED, PrescribedRemoval.rows_between)
