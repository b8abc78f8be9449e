"""Health check: whether the e-mails of alerts are sent."""

from datetime import datetime, timedelta

from compliance.core.web.health import CheckResult, register_check
from compliance.notify.alerts.models import Delivery

# The task runs every few seconds; a minute is longer than any normal delay.
GRACE = timedelta(minutes=1)


def register_checks() -> None:
    register_check("alerts", check_deliveries, is_vital=False)


def check_deliveries(now: datetime) -> CheckResult:
    late = Delivery.objects.due(now - GRACE).count()
    failing = Delivery.objects.filter(state="waiting", attempts__gt=0).count()
    if late or failing:
        return CheckResult(False, f"{late:,} e-mails of alerts are late, {failing:,} could not be delivered yet.")
    return CheckResult(True, "Every e-mail of an alert was handed over.")
