"""What the status page says of alerts: whether the e-mails go out."""

from datetime import datetime, timedelta

from compliance.alerts.models import Delivery
from compliance.web.health import Reading, register_check

# The bell comes round every few seconds; a minute is longer than any honest delay.
GRACE = timedelta(minutes=1)


def register_checks() -> None:
    register_check("alerts", check_deliveries, is_vital=False)


def check_deliveries(now: datetime) -> Reading:
    late = Delivery.objects.due(now - GRACE).count()
    failing = Delivery.objects.filter(state="waiting", attempts__gt=0).count()
    if late or failing:
        return Reading(False, f"{late:,} e-mails of alerts are late, {failing:,} could not be delivered yet.")
    return Reading(True, "Every e-mail of an alert was handed over.")
