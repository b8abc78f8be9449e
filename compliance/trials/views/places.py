"""Addresses of trials, and who may open them."""

from django.urls import reverse

from compliance.accounts.models import Casino
from compliance.trials.selectors import MAY_READ, MAY_TRY
from compliance.web.access import held_by

readers = held_by(*MAY_READ)
officers = held_by(*MAY_TRY)


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"trials:{name}", kwargs={"casino": casino.slug, **kwargs})
