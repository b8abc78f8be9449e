"""Health check: whether messages are delivered."""

from datetime import datetime, timedelta

from compliance.core.web.health import CheckResult, register_check
from compliance.notify.webhooks.models import Endpoint
from compliance.notify.webhooks.states import EndpointState

# The task runs every few seconds, but receivers may be slow and many.
GRACE = timedelta(minutes=5)


def register_checks() -> None:
    register_check("webhooks", check_webhooks, is_vital=False)


def check_webhooks(now: datetime) -> CheckResult:
    late = Endpoint.objects.due(now, since=now - GRACE).count()
    failed = Endpoint.objects.filter(standing=EndpointState.FAILED).count()
    if late or failed:
        return CheckResult(False, f"Webhooks behind: {late:,}. Switched off because nobody answered: {failed:,}.")
    return CheckResult(True, "Every webhook was called in time.")
