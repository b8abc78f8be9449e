"""What tables need because of announced limits: a notice that will lapse, one that is about to come into force."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.urls import reverse

from compliance.notices.models import LimitNotice
from compliance.notices.selectors import waiting_at
from compliance.signs.clock import Clock, next_whole_minute
from compliance.signs.faces import amount, time_ahead, time_of_day
from compliance.signs.offers import Need
from compliance.signs.selectors import clocks_of
from compliance.web.components import Tag
from rounds.floor.models import Table


def needs(tables: Sequence[Table], now: datetime) -> Iterator[Need]:
    notices = waiting_at(tables)
    clocks = clocks_of([notice.sign for notice in notices if notice.sign], now)
    for notice in notices:
        yield _need(notice, clocks[notice.sign.pk] if notice.sign else None, now)


def _need(notice: LimitNotice, clock: Clock | None, now: datetime) -> Need:
    casino = notice.casino
    when, left = time_of_day(notice.effective_at, casino), time_ahead(notice.effective_at, now)
    href = reverse("notices:notice", kwargs={"casino": casino.slug, "notice": notice.pk})
    label = f"Limits {amount(notice.min_cents)} to {amount(notice.max_cents)} from {when}"
    if clock is None:
        return Need(notice.table, label, href, Tag("Scheduled", "info"), f"{left}. No sign is needed.")
    if not clock.can_be_in_time(notice.effective_at):
        earliest = time_of_day(next_whole_minute(clock.earliest_at), casino)
        hint = f"It will lapse at {when}. The earliest possible time is now {earliest} (clause {notice.clause})."
        return Need(notice.table, label, href, Tag("Too late", "danger"), hint)
    if clock.is_up:
        return Need(notice.table, label, href, Tag("Sign up", "info"), f"{left}, if the sign stays up.")
    return Need(notice.table, label, href, Tag("Put the sign up", "warning"), f"It must be up by {_by(notice, clock)}.")


def _by(notice: LimitNotice, clock: Clock) -> str:
    return time_of_day(notice.effective_at - clock.notice, notice.casino)
