"""What the disputes pages share: who may open them, and where they lie."""

from django.urls import reverse

from compliance.accounts.models import Casino
from compliance.disputes.standing import MAY_INSPECT, MAY_LOG, MAY_READ, MAY_SET
from compliance.web.access import held_by

readers = held_by(*MAY_READ)
operators = held_by(*MAY_LOG)
inspectors = held_by(*MAY_INSPECT)
setters = held_by(*MAY_SET)


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"disputes:{name}", kwargs={"casino": casino.slug, **kwargs})
