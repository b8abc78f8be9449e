"""What these views share: who may open them, where they lie, and how a time is said."""

from datetime import datetime

from django.urls import reverse

from compliance.accounts.models import Casino
from compliance.checklists.selectors import MAY_INSPECT
from compliance.web.access import held_by
from compliance.web.moments import moment_text

inspectors = held_by(*MAY_INSPECT)


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"checklists:{name}", kwargs={"casino": casino.slug, **kwargs})


def period_words(since: datetime, until: datetime, casino: Casino) -> str:
    return f"{moment_text(since, casino)} to {moment_text(until, casino)}"
