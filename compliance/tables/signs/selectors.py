"""Queries on signs, their clocks and displays. Single objects are fetched through access_*, which checks
permissions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max, OuterRef, Q, Subquery

from compliance.core.accounts.models import Casino, User
from compliance.core.corrections.selectors import NEWEST_RECORDS
from compliance.core.web.errors import NotFound
from compliance.tables.signs.models import Display, Refresh, Showing, Sign, SignSource
from compliance.tables.signs.sign_clock import SILENT_AFTER, DisplayInterval, SignClock
from rounds.floor.models import Table
from rounds.floor.permissions import MAY_READ


def access_sign(user: User, casino: Casino, sign_id: int) -> Sign:
    signs = Sign.objects.select_related("casino", "table")
    found = signs.filter(casino=casino, pk=sign_id).first() if user.has_role(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def access_display(user: User, casino: Casino, display_id: int) -> Display:
    displays = Display.objects.select_related("casino", "table")
    found = displays.filter(casino=casino, pk=display_id).first() if user.has_role(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def display_by_token(token_sha256: str) -> Display:
    """The secret link authenticates the display. An ended display and an unknown token raise the same error."""
    displays = Display.objects.filter(token_sha256=token_sha256, ended_at=None).select_related("casino", "table")
    found = displays.first()
    if found is None:
        raise NotFound
    return found


# A sign has no entry of its own: it is announced by that of a closing or a limit. Their apps are above this one.
SIGN_ENTRIES = (
    "closure__entry_index", "limit_notice__entry_index", "player_limit__entry_index",
    "showings__shown_index", "showings__removed_index",
)  # fmt: skip


def entries_by_sign(signs: Sequence[Sign]) -> dict[int, set[int | None]]:
    """By the key of each sign, the entries that announced it, and those of when it went up and came down. One query."""
    found: dict[int, set[int | None]] = {sign.pk: set() for sign in signs}
    keys = Sign.objects.filter(pk__in=found).order_by()
    for key, *entries in keys.values_list("pk", *SIGN_ENTRIES) if found else ():
        found[key].update(entries)
    return found


def showing_entries(sign: Sign | None) -> list[int | None]:
    """The entries of when a sign went up and came down. For lists, prefetch the showings."""
    showings = sign.showings.all() if sign else ()
    return [entry for showing in showings for entry in (showing.shown_index, showing.removed_index)]


def manual_entries(table: Table) -> list[int]:
    """The entries of the newest showings of signs at a table that people confirmed or ended, withdrawn ones too. Also
    those of displays, which nobody can withdraw."""
    newest = Showing.recorded.filter(sign__table=table).order_by("-shown_index")[:NEWEST_RECORDS]
    return [index for each in newest for index in (each.shown_index, each.removed_index) if index is not None]


def active_signs(tables: Iterable[Table]) -> list[Sign]:
    signs = Sign.objects.active().filter(table__in=list(tables))
    return list(signs.select_related("casino", "table").order_by("made_at", "pk"))


def last_refresh_of(showing: Showing) -> datetime | None:
    """Time of the display's last heartbeat with this sign. None if a controller or a person reported the sign."""
    if showing.display_id is None:
        return None
    refreshes = Refresh.objects.filter(display_id=showing.display_id, at__gte=showing.since_at)
    return refreshes.filter(shown__contains=[showing.sign.name]).aggregate(last=Max("at"))["last"] or showing.since_at


def clock_of(sign: Sign, now: datetime) -> SignClock:
    return clocks_of([sign], now)[sign.pk]


def clocks_of(signs: Sequence[Sign], now: datetime) -> dict[int, SignClock]:
    """Clocks by primary key of the sign. Two queries, however many signs there are."""
    showings = list(Showing.objects.filter(sign__in=signs).order_by("since_at", "pk"))
    names = {sign.pk: sign.name for sign in signs}
    refreshed_at = _last_refreshes([showing for showing in showings if showing.until_at is None], names)
    intervals: dict[int, list[DisplayInterval]] = {sign.pk: [] for sign in signs}
    for showing in showings:
        is_live = showing.source == SignSource.DISPLAY and showing.until_at is None
        last_seen_at = (
            refreshed_at.get((showing.display_id, names[showing.sign_id]), showing.since_at) if is_live else None
        )
        intervals[showing.sign_id].append(DisplayInterval(showing.since_at, showing.until_at, last_seen_at))
    return {sign.pk: _build_clock(sign, intervals[sign.pk], now) for sign in signs}


def _build_clock(sign: Sign, intervals: Sequence[DisplayInterval], now: datetime) -> SignClock:
    return SignClock(timedelta(minutes=sign.notice_minutes), tuple(intervals), now, sign.removal_restarts_the_clock)


def _last_refreshes(ongoing: Sequence[Showing], names: dict[int, str]) -> dict[tuple[int | None, str], datetime]:
    """When each display last reported each sign. One query."""
    live = [showing for showing in ongoing if showing.source == SignSource.DISPLAY]
    if not live:
        return {}
    matching = Q()
    for showing in live:
        matching |= Q(display=showing.display_id, at__gte=showing.since_at, shown__contains=[names[showing.sign_id]])
    newest: dict[tuple[int | None, str], datetime] = {}
    rows = Refresh.objects.filter(matching).values("display_id", "shown").annotate(last=Max("at"))
    for row in rows.order_by():
        for name in row["shown"]:
            key = (row["display_id"], name)
            newest[key] = max(row["last"], newest.get(key, row["last"]))
    return newest


@dataclass(frozen=True)
class DisplayStatus:
    """A display and its last heartbeat; None if it has had none."""

    display: Display
    last_seen_at: datetime | None

    def is_silent(self, now: datetime) -> bool:
        return self.last_seen_at is None or now - self.last_seen_at > SILENT_AFTER


def display_statuses(tables: Iterable[Table]) -> list[DisplayStatus]:
    """Reads only the newest refresh of each display, by index: a display writes thousands a day."""
    newest = Refresh.objects.filter(display=OuterRef("pk")).order_by("-at").values("at")[:1]
    rows = Display.objects.filter(table__in=list(tables), ended_at=None).select_related("table", "casino")
    return [DisplayStatus(display, display.last_seen_at) for display in rows.annotate(last_seen_at=Subquery(newest))]


def lock_signs(signs: Sequence[int]) -> list[Sign]:
    """Row locks, in primary-key order. They serialize display, controller, supervisor and the periodic task on one
    sign."""
    rows = Sign.objects.select_for_update(no_key=True, of=("self",)).select_related("casino", "table")
    return list(rows.filter(pk__in=signs).order_by("pk"))
