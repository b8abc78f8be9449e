"""Help page of reviews, with the values it takes from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.core.web.help_pages import HelpPage


def help_facts() -> Mapping[str, Any]:
    from compliance.inspection.reviews.models import DEFAULT_SERVICE_HOURS
    from compliance.inspection.reviews.outcomes import DECISION_OPTIONS
    from compliance.inspection.reviews.services.decisions import MAX_ANSWER_TIME, MAX_GROUP_SIZE
    from compliance.inspection.reviews.services.finding_claims import CLAIM_DURATION

    return {
        "ways": DECISION_OPTIONS,
        "claim_minutes": int(CLAIM_DURATION.total_seconds()) // 60,
        "service_hours": [(severity.value.capitalize(), hours) for severity, hours in DEFAULT_SERVICE_HOURS.items()],
        "most_together": MAX_GROUP_SIZE,
        "answer_days": MAX_ANSWER_TIME.days,
    }


PAGE = HelpPage(
    "reviews",
    "Reviewing findings",
    "The queue, deciding alone and together, asking the operator, and the keys for it.",
    "Inspectors, authority officers, compliance officers",
    order=52,
    facts=help_facts,
)
