"""The help page "what-if"."""

from collections.abc import Mapping
from typing import Any

from compliance.core.web.help_pages import HelpPage


def help_facts() -> Mapping[str, Any]:
    from compliance.analysis.what_if.services import MAX_WAITING

    return {"most_waiting": MAX_WAITING}


PAGE = HelpPage(
    "what-if",
    "What would change?",
    "Rules tried over what was played: what is tried, what the figures mean, and what they do not.",
    "Authority officers, inspectors",
    order=43,
    facts=help_facts,
)
