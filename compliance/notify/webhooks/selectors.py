"""Reads of webhooks, and their permissions.
Reached through access_endpoint; absent and forbidden both raise NotFound."""

from django.db.models import QuerySet

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from compliance.core.web.errors import NotFound
from compliance.notify.webhooks.models import Delivery, Endpoint, EndpointQuerySet

# The roles that register table controllers and their keys: they are responsible for data that leaves the casino.
MAY_MANAGE = frozenset({Role.ADMINISTRATOR, Role.COMPLIANCE_OFFICER})
MAY_VIEW = MAY_MANAGE | GOVERNMENT_ROLES


def endpoints_of(casino: Casino) -> EndpointQuerySet:
    return Endpoint.objects.filter(casino=casino)


def access_endpoint(user: User, casino: Casino, endpoint: int) -> Endpoint:
    may = user.has_role(*MAY_VIEW, casino=casino)
    found = endpoints_of(casino).select_related("casino").filter(pk=endpoint).first() if may else None
    if found is None:
        raise NotFound
    return found


def access_delivery(user: User, casino: Casino, endpoint: int, delivery: int) -> Delivery:
    of_it = access_endpoint(user, casino, endpoint)
    found = Delivery.objects.to_endpoint(of_it).select_related("endpoint__casino").filter(pk=delivery).first()
    if found is None:
        raise NotFound
    return found


def search_deliveries(endpoint: Endpoint, *, state: str, event: str) -> QuerySet[Delivery]:
    """Deliveries that match; empty filters are ignored."""
    found = Delivery.objects.to_endpoint(endpoint)
    if state:
        found = found.filter(state=state)
    return found.filter(event=event) if event else found
