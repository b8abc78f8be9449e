"""What these views share: who may open them, where they lie, and how a view is said."""

import re

from django.http import QueryDict
from django.urls import reverse

from compliance.accounts.models import Casino
from compliance.accounts.roles import EVERY_ROLE
from compliance.saved.models import SavedView
from compliance.web.access import held_by

people = held_by(*EVERY_ROLE)
# What pages call the field for words, and what the names of columns end in.
SEARCHES = frozenset({"q", "search", "words"})
AFTER = re.compile(r"(__name|_name|_at|_on|_cents|__number)$")


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"saved:{name}", kwargs={"casino": casino.slug, **kwargs})


def narrowed_words(view: SavedView) -> str:
    """Such as: severity: serious; search: sb-1; sorted by made, the last first"""
    return "; ".join(_words(key, values) for key, values in QueryDict(view.query).lists())


def _words(key: str, values: list[str]) -> str:
    if key.rpartition("-")[2] == "sort":
        field = AFTER.sub("", values[-1].removeprefix("-")).replace("_", " ")
        return f"sorted by {field}{', the last first' if values[-1].startswith('-') else ''}"
    name = "search" if key in SEARCHES else key.replace("_", " ").replace("-", " ")
    return f"{name}: {', '.join('yes' if value == 'on' else value for value in values)}"
