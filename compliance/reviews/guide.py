"""The help page of reviews, and what it prints from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.web.help import HelpPage


def facts() -> Mapping[str, Any]:
    from compliance.reviews.models import SERVICE_HOURS
    from compliance.reviews.outcomes import WAYS
    from compliance.reviews.services.claiming import CLAIM_LASTS
    from compliance.reviews.services.deciding import MOST_TOGETHER

    return {
        "ways": WAYS,
        "claim_minutes": int(CLAIM_LASTS.total_seconds()) // 60,
        "service_hours": [(severity.value.capitalize(), hours) for severity, hours in SERVICE_HOURS.items()],
        "most_together": MOST_TOGETHER,
    }


PAGE = HelpPage(
    "reviews",
    "Reviewing findings",
    "The queue, deciding alone and together, asking the operator, and the keys for it.",
    "Inspectors, authority officers, compliance officers",
    order=52,
    facts=facts,
)
