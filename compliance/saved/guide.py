"""The help page of kept views, and what it prints from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.web.help import HelpPage


def facts() -> Mapping[str, Any]:
    from compliance.saved.letters import KEPT_FOR
    from compliance.saved.opening import MOST_ROWS
    from compliance.saved.services import MOST_SUBSCRIPTIONS, MOST_VIEWS, QUIET_FOR

    return {
        "most_views": MOST_VIEWS,
        "most_subscriptions": MOST_SUBSCRIPTIONS,
        "most_rows": f"{MOST_ROWS:,}",
        "quiet_minutes": QUIET_FOR.seconds // 60,
        "kept_days": KEPT_FOR.days,
    }


PAGE = HelpPage(
    "views",
    "Views you keep, and being told",
    "Keep a filtered list under a name, share it with colleagues, and be told when something new is in it.",
    "Everybody who works with lists",
    order=54,
    facts=facts,
)
