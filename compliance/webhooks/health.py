"""What the status page says of webhooks: whether messages go out."""

from datetime import datetime, timedelta

from compliance.web.health import Reading, register_check
from compliance.webhooks.models import Endpoint
from compliance.webhooks.states import Standing

# The bell comes round every few seconds; a receiver may take a while, and there may be many.
GRACE = timedelta(minutes=5)


def register_checks() -> None:
    register_check("webhooks", check_webhooks, is_vital=False)


def check_webhooks(now: datetime) -> Reading:
    late = Endpoint.objects.due(now, since=now - GRACE).count()
    failed = Endpoint.objects.filter(standing=Standing.FAILED).count()
    if late or failed:
        return Reading(False, f"Webhooks behind: {late:,}. Switched off because nobody answered: {failed:,}.")
    return Reading(True, "Every webhook was called in time.")
