"""The banner that every page shows while a log is read-only."""

from collections.abc import Iterator, Mapping

from django.db import DatabaseError
from django.http import HttpRequest
from django.urls import reverse

from compliance.core.accounts.ledger.account_events import SITE_LOG
from compliance.core.web.ui.banners import Banner
from compliance.core.web.ui.navigation import casinos_of, roles_of
from compliance.transparency.recovery.selectors import MAY_SEE
from rounds.ledger import models, read_only

BANNER_TEXT = (
    "is read-only: it was restored from a backup, or misses records. Everything can be read; nothing is recorded until "
    "a person has said what was lost."
)


def read_only_banners(request: HttpRequest) -> Iterator[Banner]:
    """Only for signed-in users: patrons record nothing, and their pages must not query the database."""
    names = {casino.slug: casino.name for casino in casinos_of(request)}
    halted = _halts_or_empty() if names else {}
    if not halted:
        return
    sees = any(held.role in MAY_SEE for held in roles_of(request))
    here = [name for slug, name in names.items() if slug in halted]
    if SITE_LOG in halted:
        here.append("the site itself" if here else "The site itself")
    if here:
        who = here[0] if len(here) == 1 else f"{', '.join(here[:-1])} and {here[-1]}"
        words = (
            BANNER_TEXT
            if len(here) == 1
            else BANNER_TEXT.replace("is read-only: it was", "are read-only: they were", 1)
        )
        link = (reverse("restores:logs"), "What is known, and who says what was lost") if sees else None
        yield Banner(f"{who} {words}", "danger", link)


def _halts_or_empty() -> Mapping[str, models.Halt]:
    """Empty if the database fails: the error page must be shown, too."""
    try:
        return read_only.halts_by_log()
    except DatabaseError:
        return {}
