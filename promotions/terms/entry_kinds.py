"""Entry kinds of terms, marketing material and prescribed prizes."""

from rounds.ledger import EntryKind

TERMS = EntryKind(
    "promotion-terms",
    "Terms filed or amendment requested",
    "Promotion {promotion}, version {version}: {terms[name]}",
    "terms.TermsVersion",
    webhook_event="terms.filed",
    meaning="Terms of a promotion reached the Authority: filed, or as an amendment asked for.",
)
DECIDED = EntryKind(
    "promotion-amendment-decided",
    "Amendment of terms decided",
    "Promotion {promotion}, version {version} {decision}: {reasons}",
    "terms.AmendmentDecision",
    webhook_event="terms.decided",
    meaning="The Authority decided about an amendment of a promotion's terms.",
)
MATERIAL = EntryKind(
    "promotion-material",
    "Marketing material recorded",
    "Promotion {promotion}, {medium:words}: {description}",
    "terms.Material",
    meaning="Marketing material of a promotion, and whether it refers to the terms.",
)
POSTPONED = EntryKind(
    "promotion-postponed",
    "Promotion postponed",
    "Promotion {promotion}: {statement}",
    "terms.PromotionStep",
    meaning="A whole promotion was postponed because its integrity was in doubt.",
)
VALIDATED = EntryKind(
    "promotion-validated",
    "Promotion validated",
    "Promotion {promotion}: {statement}",
    "terms.PromotionStep",
    meaning="The integrity of a postponed promotion was validated, and it goes on.",
)
PRESCRIBED = EntryKind(
    "prescribed-prize-listed",
    "Prohibited prize listed",
    "{item}",
    "terms.PrescribedItem",
    meaning="The Authority put an item on the list of what no prize may be.",
)
UNPRESCRIBED = EntryKind(
    "prescribed-prize-removed",
    "Prohibited prize taken off the list",
    "{item}: {reason}",
    "terms.PrescribedRemoval",
    meaning="The Authority took an item off the list of what no prize may be.",
)
