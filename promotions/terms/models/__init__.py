"""Models of the terms.

promotion.py  promotions, their integrity steps, versions of the terms, amendment decisions, drafts, attachments
material_registers.py  marketing material, prescribed prizes
"""

from promotions.terms.models.material_registers import (
    Material,
    Medium,
    PrescribedItem,
    PrescribedItemQuerySet,
    PrescribedRemoval,
)
from promotions.terms.models.promotion import (
    INTEGRITY_TRANSITIONS,
    MAX_NAME_LENGTH,
    AmendmentDecision,
    Attachment,
    Draft,
    Integrity,
    Promotion,
    PromotionAct,
    PromotionStep,
    TermsVersion,
    TermsVersionQuerySet,
    VersionKind,
    VersionState,
    latest_version,
)

__all__ = [
    "INTEGRITY_TRANSITIONS",
    "MAX_NAME_LENGTH",
    "AmendmentDecision",
    "Attachment",
    "Draft",
    "Integrity",
    "Material",
    "Medium",
    "PrescribedItem",
    "PrescribedItemQuerySet",
    "PrescribedRemoval",
    "Promotion",
    "PromotionAct",
    "PromotionStep",
    "TermsVersion",
    "TermsVersionQuerySet",
    "VersionKind",
    "VersionState",
    "latest_version",
]
