"""Two demo records of conduct, so that neither list is empty."""

from datetime import datetime, timedelta

from compliance.core.accounts.demo import demo_email
from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from compliance.tables.player_conduct.entry_kinds import WAGER_TOUCHED
from compliance.tables.player_conduct.models import ConductAct
from compliance.tables.player_conduct.services import ConductReport, record_conduct
from rounds.floor.models import Table
from rounds.intake.entry_kinds import WAGER_REFUSAL


def make_demo_conduct(now: datetime) -> None:
    """Idempotent: skips what is already recorded."""
    if ConductAct.objects.exists():
        return
    at = now - timedelta(days=1)
    person = {"name": "A. Patron", "note": "Raised the wager twice after the call, and argued."}
    for casino, table, said in (
        ("harbour", "sb-1", ConductReport(kind=WAGER_REFUSAL, grounds="late", seat=6, at=at, person=person)),
        ("adelaide", _first_table("adelaide"), ConductReport(kind=WAGER_TOUCHED, grounds="first", seat=2, at=at)),
    ):
        found = Table.objects.select_related("casino").get(casino__slug=casino, slug=table)
        supervisor = User.objects.get(email=demo_email(Role.CASINO_SUPERVISOR))
        record_conduct(table=found, report=said, actor=supervisor, now=at + timedelta(minutes=3))


def _first_table(casino: str) -> str:
    return Table.objects.filter(casino__slug=casino).order_by("slug").values_list("slug", flat=True)[0]
