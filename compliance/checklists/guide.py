"""The help page of samples and checklists, and what it prints from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.web.help import HelpPage


def facts() -> Mapping[str, Any]:
    from compliance.checklists.answers import MEANS
    from compliance.checklists.factors import FACTORS, MOST_ADDED
    from compliance.checklists.services.drawing import AT_ONCE
    from compliance.checklists.services.sampling import LARGEST

    return {
        "bases": [(basis.label, words) for basis, words in MEANS.items()],
        "factors": [(one.label, one.sentence.format(_open_threshold(one.unit))) for one in FACTORS.values()],
        "at_once": f"{AT_ONCE:,}",
        "largest": LARGEST,
        "most_added": MOST_ADDED,
    }


def _open_threshold(unit: str) -> str:
    return "an amount you choose" if unit == "cents" else f"so many {unit} as you choose"


PAGE = HelpPage(
    "checklists",
    "Samples and checklists",
    "Rounds drawn by chance, a rule document clause by clause, and the sign-off.",
    "Inspectors, authority officers",
    order=53,
    facts=facts,
)
