"""Demo closures: one whose sign is not up yet, one of which the officer was notified. Only in demo mode."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from compliance.core.accounts.demo import NotADemoError, demo_email
from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from compliance.tables.closures.models import Closure
from compliance.tables.closures.services import announce_closure, withdraw_closure
from rounds.floor.models import Table

LEAD_TIME = timedelta(hours=9)


@transaction.atomic
def make_demo_closures(now: datetime) -> None:
    """Idempotent: does nothing when closures exist or there are no tables. The tables stay open, because the demo plays
    on them."""
    if not settings.DEMO:
        raise NotADemoError
    tables = {table.slug: table for table in Table.objects.filter(slug__in=("sb-3", "bs-2"))}
    if Closure.objects.exists() or len(tables) < 2:
        return
    supervisor = User.objects.get(email=demo_email(Role.CASINO_SUPERVISOR))
    announce_closure(
        table=tables["sb-3"],
        closes_at=now + LEAD_TIME,
        players_present=True,
        streak_in_progress=True,
        reason="End of the session.",
        actor=supervisor,
        now=now,
    )
    announced = announce_closure(
        table=tables["bs-2"],
        closes_at=now + LEAD_TIME,
        players_present=True,
        streak_in_progress=False,
        actor=supervisor,
        now=now,
    )
    withdraw_closure(closure=announced, reason="Players asked to stay.", actor=supervisor, now=now)
