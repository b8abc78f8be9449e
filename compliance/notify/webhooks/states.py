"""Events, states of endpoints and deliveries, and their transitions.
Database triggers enforce the same transitions."""

from django.db.models import TextChoices


class Event(TextChoices):
    FINDING_RECORDED = "finding.recorded", "A finding was recorded"
    FINDING_SUPERSEDED = "finding.superseded", "A finding no longer stands"
    ALERT_RAISED = "alert.raised", "An alert was raised"
    ALERT_ACKNOWLEDGED = "alert.acknowledged", "An alert was acknowledged"
    TERMS_FILED = "terms.filed", "A promotion's terms were filed, or an amendment asked for"
    TERMS_DECIDED = "terms.decided", "The Authority decided about an amendment"
    TEST = "test", "Test"


# A test message is requested, not subscribed to.
SUBSCRIBABLE_EVENTS = [event for event in Event if event is not Event.TEST]


class EndpointState(TextChoices):
    ACTIVE = "active", "Active"
    OFF = "off", "Switched off"
    FAILED = "failed", "Switched off by itself"
    REMOVED = "removed", "Removed"


class EndpointAct(TextChoices):
    """What happens to an endpoint. Each is a ledger entry of the kind `webhook-<act>`."""

    REGISTERED = "registered", "Registered"
    CHANGED = "changed", "Changed"
    SWITCHED_OFF = "switched-off", "Switched off"
    SWITCHED_ON = "switched-on", "Switched on"
    FAILED = "failed", "Switched off by itself"
    REMOVED = "removed", "Removed"


# For each act: state before and after. A change of values keeps the state.
ENDPOINT_TRANSITIONS: dict[EndpointAct, dict[EndpointState, EndpointState]] = {
    EndpointAct.CHANGED: {each: each for each in EndpointState if each is not EndpointState.REMOVED},
    EndpointAct.SWITCHED_OFF: {EndpointState.ACTIVE: EndpointState.OFF},
    EndpointAct.SWITCHED_ON: {EndpointState.OFF: EndpointState.ACTIVE, EndpointState.FAILED: EndpointState.ACTIVE},
    EndpointAct.FAILED: {EndpointState.ACTIVE: EndpointState.FAILED},
    EndpointAct.REMOVED: {each: EndpointState.REMOVED for each in EndpointState if each is not EndpointState.REMOVED},
}


class DeliveryState(TextChoices):
    WAITING = "waiting", "To be sent"
    DELIVERED = "delivered", "Delivered"
    GIVEN_UP = "given-up", "Given up"


# A delivery that was given up can be resent; a delivered one is final.
DELIVERY_TRANSITIONS: dict[DeliveryState, frozenset[DeliveryState]] = {
    DeliveryState.WAITING: frozenset({DeliveryState.DELIVERED, DeliveryState.GIVEN_UP}),
    DeliveryState.GIVEN_UP: frozenset({DeliveryState.WAITING}),
    DeliveryState.DELIVERED: frozenset(),
}
