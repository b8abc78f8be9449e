"""The demo's notices: one in each state at Harbour, limits for one player, a warning at Adelaide. Only in demo mode."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from compliance.core.accounts.demo import NotADemoError, demo_email
from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from compliance.tables.limit_notices.models import LimitNotice
from compliance.tables.limit_notices.services import (
    advance_notices,
    schedule_notice,
    set_player_limit,
    warn_player,
    withdraw_notice,
)
from compliance.tables.signs.services import confirm_sign
from rounds.floor.fact_values import LimitsValue
from rounds.floor.models import Table

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
# Far enough ahead that the demo shows them pending. The simulated controllers use limits of their own.
LEAD_TIME = 8 * HOUR


@transaction.atomic
def make_demo_notices(now: datetime) -> None:
    """Idempotent: does nothing when notices exist or there are no tables."""
    if not settings.DEMO:
        raise NotADemoError
    tables = {table.slug: table for table in Table.objects.filter(slug__in=("sb-1", "sb-2", "sb-3", "bs-1"))}
    if LimitNotice.objects.exists() or len(tables) < 4:
        return
    supervisor = User.objects.get(email=demo_email(Role.CASINO_SUPERVISOR))
    games = User.objects.get(email=demo_email(Role.GAMES_SUPERVISOR))
    began = now - 2 * HOUR
    low = LimitsValue(min=2_500, max=250_000, unit=2_500)
    lapsed = schedule_notice(
        table=tables["sb-2"],
        limits=LimitsValue(min=5_000, max=250_000, unit=2_500),
        effective_at=began + 25 * MINUTE,
        actor=supervisor,
        now=began,
    )
    assert lapsed.sign is not None
    advance_notices(now=began + 26 * MINUTE)
    for limits in (LimitsValue(min=2_500, max=200_000, unit=2_500), low):
        schedule_notice(table=tables["sb-2"], limits=limits, actor=supervisor, now=now - HOUR)
    withdrawn = schedule_notice(
        table=tables["sb-3"],
        limits=LimitsValue(min=20_000, max=1_000_000, multiples=True),
        effective_at=now + LEAD_TIME,
        actor=supervisor,
        now=now - 30 * MINUTE,
    )
    withdraw_notice(notice=withdrawn, reason="The room is quiet tonight.", actor=supervisor, now=now - 20 * MINUTE)
    raised = schedule_notice(
        table=tables["sb-1"],
        limits=LimitsValue(min=2_500, max=100_000),
        effective_at=now + LEAD_TIME,
        actor=games,
        now=now - 8 * MINUTE,
    )
    assert raised.sign is not None
    confirm_sign(sign=raised.sign, shown_at=now - 7 * MINUTE, actor=games, now=now - 7 * MINUTE)
    advance_notices(now=now)
    set_player_limit(
        table=tables["sb-3"], player="", seat=4, min_cents=10_000, max_cents=2_000_000, actor=supervisor, now=now
    )
    warn_player(table=tables["bs-1"], player="p-17", seat=None, warned_at=now - 10 * MINUTE, actor=supervisor, now=now)
