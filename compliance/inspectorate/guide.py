"""What the help page for other systems prints: scopes, limits, addresses and refusals, taken from the code itself."""

from collections.abc import Mapping
from typing import Any

from compliance.inspectorate.cursors import LARGEST_PAGE, MOST_ENTRIES, PAGE_SIZE
from compliance.inspectorate.models import Scope
from compliance.inspectorate.openapi import REFUSED
from compliance.inspectorate.reading import MOST_A_MINUTE
from compliance.inspectorate.services import LONGEST_DAYS
from compliance.web.help import HelpPage


def facts() -> Mapping[str, Any]:
    return {
        "scopes": Scope.choices,
        "page_size": PAGE_SIZE,
        "largest_page": LARGEST_PAGE,
        "most_entries": MOST_ENTRIES,
        "most_a_minute": MOST_A_MINUTE,
        "longest_days": LONGEST_DAYS,
        "answers": [(status, refusal) for status, refusals in REFUSED.items() for refusal in refusals],
    }


PAGE = HelpPage(
    "other-systems",
    "Reading records from another system",
    "Tokens, addresses and pages of the API for inspectorates.",
    "Inspectors, and those who build their systems",
    order=82,
    facts=facts,
)
