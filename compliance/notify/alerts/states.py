"""States of alerts. Database triggers enforce the same transitions."""

from django.db.models import TextChoices


class AlertState(TextChoices):
    WAITING = "waiting", "Not acknowledged"
    ACKNOWLEDGED = "acknowledged", "Acknowledged"


class AlertStepKind(TextChoices):
    """What happens to an alert after it was raised. Each is a ledger entry of the kind `alert-<step>`."""

    SENT = "sent", "E-mailed"
    FAILED = "failed", "Could not be delivered"
    ESCALATED = "escalated", "Escalated"
    ACKNOWLEDGED = "acknowledged", "Acknowledged"


ALERT_TRANSITIONS: dict[AlertState, frozenset[AlertState]] = {
    AlertState.WAITING: frozenset({AlertState.ACKNOWLEDGED}),
    AlertState.ACKNOWLEDGED: frozenset(),
}
