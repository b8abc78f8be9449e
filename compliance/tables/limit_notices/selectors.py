"""Queries on notices, player limits and warnings. Single ones are fetched through access_*, which checks
permissions."""

from collections.abc import Iterable

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from compliance.tables.limit_notices.models import LimitNotice, NoticeQuerySet, PlayerLimit
from rounds.floor.models import Table
from rounds.floor.permissions import MAY_READ


def access_notice(user: User, casino: Casino, notice_id: int) -> LimitNotice:
    notices = LimitNotice.objects.with_related().select_related("end")
    found = notices.filter(casino=casino, pk=notice_id).first() if user.has_role(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def access_player_limit(user: User, casino: Casino, limit_id: int) -> PlayerLimit:
    limits = PlayerLimit.objects.select_related("casino", "table", "sign__casino", "sign__table")
    found = limits.filter(casino=casino, pk=limit_id).first() if user.has_role(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def notices_of(casino: Casino, table: Table | None = None) -> NoticeQuerySet:
    notices = LimitNotice.objects.with_related().filter(casino=casino)
    return notices.filter(table=table) if table else notices


def pending_notices_at(tables: Iterable[Table]) -> list[LimitNotice]:
    notices = LimitNotice.objects.with_related().pending().filter(table__in=list(tables))
    return list(notices.select_related("sign__casino", "sign__table").order_by("effective_at", "pk"))
