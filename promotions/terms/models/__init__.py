"""What the terms app keeps.

promotion.py  promotions, their stops, versions of the terms, amendments, drafts, files
registers.py  marketing material, prescribed prizes
"""

from promotions.terms.models.promotion import (
    FOLLOWS,
    LONGEST_NAME,
    AmendmentDecision,
    Attachment,
    Draft,
    Integrity,
    Kind,
    Promotion,
    PromotionStep,
    State,
    Stop,
    TermsVersion,
    TermsVersionQuerySet,
    latest_of,
)
from promotions.terms.models.registers import (
    Material,
    Medium,
    PrescribedItem,
    PrescribedItemQuerySet,
    PrescribedRemoval,
)

__all__ = [
    "FOLLOWS",
    "LONGEST_NAME",
    "AmendmentDecision",
    "Attachment",
    "Draft",
    "Integrity",
    "Kind",
    "Material",
    "Medium",
    "PrescribedItem",
    "PrescribedItemQuerySet",
    "PrescribedRemoval",
    "Promotion",
    "PromotionStep",
    "State",
    "Stop",
    "TermsVersion",
    "TermsVersionQuerySet",
    "latest_of",
]
