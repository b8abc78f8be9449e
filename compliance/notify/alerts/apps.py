from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig


class AlertsConfig(AppConfig):
    name = "compliance.notify.alerts"
    label = "alerts"

    def ready(self) -> None:
        from compliance.core.web import help_pages
        from compliance.core.web.mail.outbox import register_purposes
        from compliance.core.web.ui.navigation import NavItem, register_items
        from compliance.notify.alerts import entry_kinds, verify
        from compliance.notify.alerts.mailer import PURPOSE
        from rounds.ledger import register_projection

        register_projection("how alerts stand", [entry_kinds.RAISED], verify.verify_rows)
        register_purposes(PURPOSE)
        register_items(NavItem("Alerts", "alerts:casinos", 20, covers=r"/casinos/[^/]+/alerts/"))
        help_pages.register_pages(
            help_pages.HelpPage(
                "alerts",
                "Alerts: telling the right person",
                "What an alert is, who must be told, what happens when nobody acknowledges it.",
                "Inspectors, officers and casino staff",
                order=40,
                facts=ladder_help_values,
            )
        )


def ladder_help_values() -> Mapping[str, Any]:
    from compliance.core.web.mail.outbox import MAX_ATTEMPTS
    from compliance.notify.alerts.ladder import IMMEDIATE_LADDER, USUAL_LADDER
    from compliance.notify.alerts.response_time import IMMEDIATE_LIMIT

    minutes = int(IMMEDIATE_LIMIT.total_seconds()) // 60
    return {
        "at_once": IMMEDIATE_LADDER,
        "in_time": USUAL_LADDER,
        "most_attempts": MAX_ATTEMPTS,
        "immediately_minutes": minutes,
    }
