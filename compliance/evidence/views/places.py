"""What these views share: who may open them, and where they lie."""

from django.urls import reverse

from compliance.accounts.models import Casino
from compliance.evidence.selectors import MAY_READ, MAY_TAKE
from compliance.web.access import held_by

readers = held_by(*MAY_READ)
takers = held_by(*MAY_TAKE)


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"evidence:{name}", kwargs={"casino": casino.slug, **kwargs})
