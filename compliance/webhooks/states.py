"""What a system can be told, how an endpoint stands, what becomes of a message. The database holds to the same."""

from django.db.models import TextChoices


class Event(TextChoices):
    FINDING_RECORDED = "finding.recorded", "A finding was recorded"
    FINDING_SUPERSEDED = "finding.superseded", "A finding no longer stands"
    ALERT_RAISED = "alert.raised", "An alert was raised"
    ALERT_ACKNOWLEDGED = "alert.acknowledged", "An alert was acknowledged"
    TERMS_FILED = "terms.filed", "A promotion's terms were filed, or an amendment asked for"
    TERMS_DECIDED = "terms.decided", "The Authority decided about an amendment"
    TEST = "test", "Test"


# A test is asked for, not subscribed to.
SUBSCRIBED = [event for event in Event if event is not Event.TEST]


class Standing(TextChoices):
    ACTIVE = "active", "Active"
    OFF = "off", "Switched off"
    FAILED = "failed", "Switched off by itself"
    REMOVED = "removed", "Removed"


class Act(TextChoices):
    """What happens to an endpoint. Each is an entry of the kind `webhook-<act>`."""

    REGISTERED = "registered", "Registered"
    CHANGED = "changed", "Changed"
    SWITCHED_OFF = "switched-off", "Switched off"
    SWITCHED_ON = "switched-on", "Switched on"
    FAILED = "failed", "Switched off by itself"
    REMOVED = "removed", "Removed"


# Of which standings an act makes which. A change leaves it as it is.
MOVES: dict[Act, dict[Standing, Standing]] = {
    Act.CHANGED: {each: each for each in Standing if each is not Standing.REMOVED},
    Act.SWITCHED_OFF: {Standing.ACTIVE: Standing.OFF},
    Act.SWITCHED_ON: {Standing.OFF: Standing.ACTIVE, Standing.FAILED: Standing.ACTIVE},
    Act.FAILED: {Standing.ACTIVE: Standing.FAILED},
    Act.REMOVED: {each: Standing.REMOVED for each in Standing if each is not Standing.REMOVED},
}


class Sending(TextChoices):
    WAITING = "waiting", "To be sent"
    DELIVERED = "delivered", "Delivered"
    GIVEN_UP = "given-up", "Given up"


# What was given up can be sent again; what was delivered stays so.
SENDING_MAY_FOLLOW: dict[Sending, frozenset[Sending]] = {
    Sending.WAITING: frozenset({Sending.DELIVERED, Sending.GIVEN_UP}),
    Sending.GIVEN_UP: frozenset({Sending.WAITING}),
    Sending.DELIVERED: frozenset(),
}
