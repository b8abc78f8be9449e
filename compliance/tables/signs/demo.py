"""Demo display, waiting for its link to be opened. Only in demo mode."""

from datetime import datetime

from django.conf import settings

from compliance.core.accounts.demo import NotADemoError, demo_email
from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from compliance.tables.signs.models import Display
from compliance.tables.signs.services import add_display
from rounds.floor.models import Table


def make_demo_displays(now: datetime) -> None:
    """Idempotent: does nothing when a display exists or there is no table for it."""
    if not settings.DEMO:
        raise NotADemoError
    table = Table.objects.filter(slug="sb-1", casino__slug="harbour").select_related("casino").first()
    if table is None or Display.objects.exists():
        return
    supervisor = User.objects.get(email=demo_email(Role.CASINO_SUPERVISOR))
    add_display(table=table, name="Screen left of the dealer", actor=supervisor, now=now)
