"""What the pages of promotions share: who opens them, their addresses, and the tags of their states."""

from datetime import datetime

from django.urls import reverse

from compliance.accounts.models import Casino
from compliance.web.access import held_by
from compliance.web.components import Tag
from promotions.duties import governing
from promotions.standing import MAY_DECIDE, MAY_READ, MAY_WRITE
from promotions.terms.filing_clock import is_in_time
from promotions.terms.models import Integrity, State, TermsVersion
from rounds.engine.promotion_duties import Promotions

readers, writers, deciders = held_by(*MAY_READ), held_by(*MAY_WRITE), held_by(*MAY_DECIDE)

STATE_TAGS = {
    State.IN_FORCE: Tag("In force", "success"),
    State.SUPERSEDED: Tag("Superseded"),
    State.WAITING: Tag("Waiting for the Authority", "warning"),
    State.REFUSED: Tag("Refused", "danger"),
}
LATE, IN_TIME = Tag("Late", "danger"), Tag("In time", "success")


def address_of(name: str, casino: Casino, **parts: object) -> str:
    return reverse(name, kwargs={"casino": casino.slug, **parts})


def timeliness(version: TermsVersion, duties: Promotions) -> Tag:
    """Of a filing. An amendment has no clock: it is in force when it is approved."""
    if version.is_amendment:
        return Tag("Amendment", "info")
    return IN_TIME if is_in_time(version.filed_at, version.starts_at, duties.filing) else LATE


def phase(version: TermsVersion, now: datetime) -> Tag:
    if version.integrity == Integrity.POSTPONED:
        return Tag("Postponed", "warning")
    if version.starts_at > now:
        return Tag("To come", "info")
    return Tag("Over") if version.ends_at and version.ends_at <= now else Tag("Running", "success")


def duties_for(version: TermsVersion) -> Promotions | None:
    """Those that governed when it was filed."""
    found = governing(version.promotion.casino, version.filed_at)
    return found.duties if found else None
