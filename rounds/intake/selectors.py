"""Queries on quarantined lines, feeds and rounds from paper. Views use the access_* functions."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet

from compliance.core.accounts.ledger.account_events import SITE_LOG
from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from rounds.floor.permissions import MAY_READ
from rounds.intake.models import Feed, PaperRound, PaperState, Quarantined, QuarantinedQuerySet, UnknownKeys

STATES = {"waiting": "Waiting", "dealt-with": "Dealt with"}


def access_quarantined(user: User, casino: Casino, line_id: int) -> Quarantined:
    """A quarantined line of a casino whose floor the user may read. Missing and forbidden lines both raise NotFound."""
    found = casino_quarantine(casino).filter(pk=line_id).first() if user.has_role(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def casino_quarantine(casino: Casino) -> QuarantinedQuerySet:
    return Quarantined.objects.filter(casino=casino).select_related("casino", "controller", "dealt_with")


def search_quarantined(casino: Casino, *, words: str, code: str, state: str) -> QuarantinedQuerySet:
    lines = casino_quarantine(casino).defer("line")
    for word in words.split():
        lines = lines.filter(
            Q(table__icontains=word) | Q(controller__name__icontains=word) | Q(controller__slug__icontains=word)
        )
    if code:
        lines = lines.filter(code=code)
    if state:
        lines = lines.filter(dealt_with__isnull=state == "waiting")
    return lines


def quarantine_codes(casino: Casino) -> list[str]:
    codes = Quarantined.objects.filter(casino=casino).order_by("code").values_list("code", flat=True)
    return list(codes.distinct())


@dataclass(frozen=True)
class FeedHealth:
    """The health of one feed: whether it is silent, and how many lines are missing."""

    feed: Feed
    is_silent: bool
    missing: int


def feed_health(casino: Casino, tables: Collection[str], now: datetime) -> dict[str, list[FeedHealth]]:
    """The feeds of each of these tables, in one query."""
    found: dict[str, list[FeedHealth]] = {}
    for feed in Feed.objects.filter(casino=casino, table__in=tables).select_related("controller"):
        found.setdefault(feed.table, []).append(FeedHealth(feed, feed.is_silent(now), feed.missing_count))
    return found


def casino_feeds(casino: Casino) -> QuerySet[Feed]:
    return Feed.objects.filter(casino=casino).select_related("controller__casino")


def unknown_keys_since(casino: Casino, since: datetime) -> UnknownKeys | None:
    """The latest count of batches under unknown keys that named a table of this casino or no known table."""
    here = UnknownKeys.objects.filter(last_at__gte=since, log__in=(casino.slug, SITE_LOG))
    return here.order_by("-last_at").first()


@dataclass(frozen=True)
class CasinoFeeds:
    """Counts of a casino's quarantined lines and paper rounds that wait for a person."""

    casino: Casino
    quarantined: int
    on_paper: int


def feed_counts(casinos: Sequence[Casino]) -> list[CasinoFeeds]:
    """The counts of each casino, in two queries."""
    lines = _counts_by_casino(Quarantined.objects.unresolved().filter(casino__in=casinos))
    papers = _counts_by_casino(PaperRound.objects.filter(casino__in=casinos, state=PaperState.ENTERED))
    return [CasinoFeeds(one, lines.get(one.pk, 0), papers.get(one.pk, 0)) for one in casinos]


def _counts_by_casino(rows: QuerySet[Any]) -> dict[int, int]:
    return dict(rows.order_by().values_list("casino").annotate(Count("pk")))


def casino_paper_rounds(casino: Casino) -> QuerySet[PaperRound]:
    return PaperRound.objects.filter(casino=casino).select_related("casino", "table", "entered_by", "decided_by")


def access_paper_round(user: User, casino: Casino, paper_id: int) -> PaperRound:
    found = casino_paper_rounds(casino).filter(pk=paper_id).first() if user.has_role(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found
