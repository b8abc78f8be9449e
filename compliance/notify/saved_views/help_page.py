"""Help page on saved views, and the limits it prints from the code."""

from collections.abc import Mapping
from typing import Any

from compliance.core.web.help_pages import HelpPage


def help_page_values() -> Mapping[str, Any]:
    from compliance.core.web.mail.outbox import RETENTION
    from compliance.notify.saved_views.list_access import MAX_ROWS
    from compliance.notify.saved_views.services import MAX_SUBSCRIPTIONS, MAX_VIEWS, QUIET_PERIOD

    return {
        "most_views": MAX_VIEWS,
        "most_subscriptions": MAX_SUBSCRIPTIONS,
        "most_rows": f"{MAX_ROWS:,}",
        "quiet_minutes": QUIET_PERIOD.seconds // 60,
        "kept_days": RETENTION.days,
    }


PAGE = HelpPage(
    "views",
    "Views you keep, and being told",
    "Keep a filtered list under a name, share it with colleagues, and be told when something new is in it.",
    "Everybody who works with lists",
    order=54,
    facts=help_page_values,
)
