"""The help page of trials."""

from collections.abc import Mapping
from typing import Any

from compliance.web.help import HelpPage


def facts() -> Mapping[str, Any]:
    from compliance.trials.services import MOST_WAITING

    return {"most_waiting": MOST_WAITING}


PAGE = HelpPage(
    "what-if",
    "What would change?",
    "Rules tried over what was played: what is tried, what the figures mean, and what they do not.",
    "Authority officers, inspectors",
    order=43,
    facts=facts,
)
