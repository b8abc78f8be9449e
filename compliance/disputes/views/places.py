"""What the disputes pages share: who may open them, and where they lie."""

from django.urls import reverse

from compliance.accounts.models import Casino
from compliance.disputes.standing import MAY_INSPECT, MAY_LOG, MAY_READ, MAY_SET, PROMOTERS
from compliance.web.access import held_by

# Which dispute somebody may read or act on is decided where it is reached: marketing's are those about promotions.
readers = held_by(*MAY_READ, *PROMOTERS)
operators = held_by(*MAY_LOG, *PROMOTERS)
# Of what only the floor has: tables and rounds, and the casino's own arrangements.
floor_readers = held_by(*MAY_READ)
floor_operators = held_by(*MAY_LOG)
inspectors = held_by(*MAY_INSPECT)
setters = held_by(*MAY_SET)


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"disputes:{name}", kwargs={"casino": casino.slug, **kwargs})
