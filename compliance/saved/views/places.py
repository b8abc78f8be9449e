"""What these views share: who may open them, where they lie, and how a view is said."""

from django.http import QueryDict
from django.urls import reverse

from compliance.accounts.models import Casino
from compliance.accounts.roles import EVERY_ROLE
from compliance.saved.models import SavedView
from compliance.web.access import held_by

people = held_by(*EVERY_ROLE)


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"saved:{name}", kwargs={"casino": casino.slug, **kwargs})


def narrowed_words(view: SavedView) -> str:
    """Such as: state: asked; table: sb-1"""
    return "; ".join(f"{key}: {', '.join(values)}" for key, values in QueryDict(view.query).lists())
