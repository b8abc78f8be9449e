from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig


class AlertsConfig(AppConfig):
    name = "compliance.alerts"
    label = "alerts"

    def ready(self) -> None:
        from compliance.alerts import health, kinds
        from compliance.web import help
        from compliance.web.navigation import NavItem, register

        kinds.register_kinds()
        health.register_checks()
        register(NavItem("Alerts", "alerts:casinos", 20, covers=r"/casinos/[^/]+/alerts/"))
        help.register(
            help.HelpPage(
                "alerts",
                "Alerts: telling the right person",
                "What an alert is, who must be told, what happens when nobody acknowledges it.",
                "Inspectors, officers and casino staff",
                order=40,
                facts=ladder_facts,
            )
        )


def ladder_facts() -> Mapping[str, Any]:
    from compliance.alerts.delivering import MOST_ATTEMPTS
    from compliance.alerts.ladder import AT_ONCE, IN_TIME
    from compliance.alerts.measuring import IMMEDIATELY

    minutes = int(IMMEDIATELY.total_seconds()) // 60
    return {"at_once": AT_ONCE, "in_time": IN_TIME, "most_attempts": MOST_ATTEMPTS, "immediately_minutes": minutes}
