"""Help page of samples and checklists, with the values it takes from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.core.web.help_pages import HelpPage


def help_facts() -> Mapping[str, Any]:
    from compliance.inspection.checklists.answer_choices import BASIS_MEANINGS
    from compliance.inspection.checklists.sampling_factors import FACTORS, MAX_ADDED_WEIGHT
    from compliance.inspection.checklists.services.draws import MAX_IMMEDIATE_ROUNDS
    from compliance.inspection.checklists.services.samples import MAX_SAMPLE_SIZE

    return {
        "bases": [(basis.label, words) for basis, words in BASIS_MEANINGS.items()],
        "factors": [(one.label, one.sentence.format(_threshold_placeholder(one.unit))) for one in FACTORS.values()],
        "at_once": f"{MAX_IMMEDIATE_ROUNDS:,}",
        "largest": MAX_SAMPLE_SIZE,
        "most_added": MAX_ADDED_WEIGHT,
    }


def _threshold_placeholder(unit: str) -> str:
    return "an amount you choose" if unit == "cents" else f"so many {unit} as you choose"


PAGE = HelpPage(
    "checklists",
    "Samples and checklists",
    "Rounds drawn by chance, a rule document clause by clause, and the sign-off.",
    "Inspectors, authority officers",
    order=53,
    facts=help_facts,
)
