"""What every page says while a log is read-only."""

from collections.abc import Iterator

from django.http import HttpRequest
from django.urls import reverse

from compliance.accounts.events import SITE
from compliance.restores.selectors import MAY_SEE
from compliance.web.banners import Banner
from compliance.web.navigation import casinos_of, roles_of
from rounds.ledger.read_only import halts

WORDS = (
    "is read-only: it was restored from a backup, or misses records. Everything can be read; nothing is recorded until "
    "a person has said what was lost."
)


def read_only_banners(request: HttpRequest) -> Iterator[Banner]:
    halted = halts()
    if not halted:
        return
    names = {casino.slug: casino.name for casino in casinos_of(request)}
    sees = any(held.role in MAY_SEE for held in roles_of(request))
    here = [name for slug, name in names.items() if slug in halted]
    if SITE in halted or (not names and halted):
        here.append("the site itself" if here else "The site itself" if SITE in halted else "A part of this service")
    if here:
        who = here[0] if len(here) == 1 else f"{', '.join(here[:-1])} and {here[-1]}"
        words = WORDS if len(here) == 1 else WORDS.replace("is read-only: it was", "are read-only: they were", 1)
        link = (reverse("restores:logs"), "What is known, and who says what was lost") if sees else None
        yield Banner(f"{who} {words}", "danger", link)
