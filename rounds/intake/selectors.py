"""Reading what intake keeps: refused lines, reached through access_quarantined, and how the feeds are doing."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from compliance.accounts.models import Casino, User
from compliance.web.errors import NotFound
from rounds.floor.standing import MAY_READ
from rounds.intake.models import Feed, Quarantined, QuarantinedQuerySet
from rounds.intake.services.silence import SILENT_AFTER

STATES = {"waiting": "Waiting", "dealt-with": "Dealt with"}


def access_quarantined(user: User, casino: Casino, line_id: int) -> Quarantined:
    """A refused line of a casino where the user may read the floor; absent and forbidden look the same."""
    found = quarantined_at(casino).filter(pk=line_id).first() if user.holds(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def quarantined_at(casino: Casino) -> QuarantinedQuerySet:
    return Quarantined.objects.filter(casino=casino).select_related("casino", "controller", "dealt_with")


def search_quarantined(casino: Casino, *, words: str, code: str, state: str) -> QuarantinedQuerySet:
    lines = quarantined_at(casino).defer("line")
    for word in words.split():
        lines = lines.filter(
            Q(table__icontains=word) | Q(controller__name__icontains=word) | Q(controller__slug__icontains=word)
        )
    if code:
        lines = lines.filter(code=code)
    if state:
        lines = lines.filter(dealt_with__isnull=state == "waiting")
    return lines


def codes_at(casino: Casino) -> list[str]:
    codes = Quarantined.objects.filter(casino=casino).order_by("code").values_list("code", flat=True)
    return list(codes.distinct())


@dataclass(frozen=True)
class FeedHealth:
    """How a feed is doing, for pages: silent, missing something, or well."""

    feed: Feed
    is_silent: bool
    missing: int


def feed_health(casino: Casino, now: datetime) -> dict[str, list[FeedHealth]]:
    """The feeds of each table of a casino, in one query."""
    found: dict[str, list[FeedHealth]] = {}
    for feed in Feed.objects.filter(casino=casino).select_related("controller"):
        is_silent = feed.is_open is not False and now - feed.last_seen_at > SILENT_AFTER
        found.setdefault(feed.table, []).append(FeedHealth(feed, is_silent, feed.missing))
    return found
