"""Values for the API's help page, taken from the code: scopes, limits, URLs, errors."""

from collections.abc import Mapping
from typing import Any

from compliance.api.endpoints.authentication import MAX_REQUESTS_PER_MINUTE
from compliance.api.endpoints.openapi import REFUSALS_BY_STATUS
from compliance.api.endpoints.query_parameters import LARGEST_PAGE, MAX_ENTRIES_LIMIT, PAGE_SIZE
from compliance.api.models import Scope
from compliance.api.tokens.services import MAX_VALID_DAYS
from compliance.core.web.help_pages import HelpPage


def help_facts() -> Mapping[str, Any]:
    return {
        "scopes": Scope.choices,
        "page_size": PAGE_SIZE,
        "largest_page": LARGEST_PAGE,
        "most_entries": MAX_ENTRIES_LIMIT,
        "most_a_minute": MAX_REQUESTS_PER_MINUTE,
        "longest_days": MAX_VALID_DAYS,
        "answers": [(status, refusal) for status, refusals in REFUSALS_BY_STATUS.items() for refusal in refusals],
    }


PAGE = HelpPage(
    "other-systems",
    "Reading records from another system",
    "Tokens, addresses and pages of the API for inspectorates.",
    "Inspectors, and those who build their systems",
    order=82,
    facts=help_facts,
)
