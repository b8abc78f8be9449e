"""URLs of a casino's pages."""

from typing import Protocol

from django.urls import reverse


class HasSlug(Protocol):
    """A casino, which this package may not import."""

    slug: str


def casino_url(name: str, casino: HasSlug | str, **kwargs: object) -> str:
    """The path of a named URL below /casinos/<slug>/, for a casino or its slug. `name` has its namespace, such as
    "signs:table"."""
    slug = casino if isinstance(casino, str) else casino.slug
    return reverse(name, kwargs={"casino": slug, **kwargs})


def entry_url(casino: HasSlug | str, index: int) -> str:
    """The path of a ledger entry's page."""
    return casino_url("evidence:entry", casino, index=index)
