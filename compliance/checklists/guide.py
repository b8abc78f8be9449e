"""The help page of samples and checklists, and what it prints from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.web.help import HelpPage


def facts() -> Mapping[str, Any]:
    from compliance.checklists.answers import MEANS
    from compliance.checklists.services.sampling import LARGEST

    return {"bases": [(basis.label, words) for basis, words in MEANS.items()], "largest": LARGEST}


PAGE = HelpPage(
    "checklists",
    "Samples and checklists",
    "Rounds drawn by chance, a rule document clause by clause, and the sign-off.",
    "Inspectors, authority officers",
    order=53,
    facts=facts,
)
