"""Two records of conduct for the demo, so that neither list is empty."""

from datetime import datetime, timedelta

from compliance.accounts.demo import email_of
from compliance.accounts.models import User
from compliance.accounts.roles import Role
from compliance.conduct.models import ConductAct
from compliance.conduct.services import Said, record_conduct
from rounds.floor.models import Table


def make_demo_conduct(now: datetime) -> None:
    """Idempotent: what was recorded once is not recorded again."""
    if ConductAct.objects.exists():
        return
    at = now - timedelta(days=1)
    person = {"name": "A. Patron", "note": "Raised the wager twice after the call, and argued."}
    for casino, table, said in (
        ("harbour", "sb-1", Said(kind="wager-refusal", grounds="late", seat=6, at=at, person=person)),
        ("adelaide", _first_table("adelaide"), Said(kind="wager-touched", grounds="first", seat=2, at=at)),
    ):
        found = Table.objects.select_related("casino").get(casino__slug=casino, slug=table)
        supervisor = User.objects.get(email=email_of(Role.CASINO_SUPERVISOR))
        record_conduct(table=found, said=said, actor=supervisor, now=at + timedelta(minutes=3))


def _first_table(casino: str) -> str:
    return Table.objects.filter(casino__slug=casino).order_by("slug").values_list("slug", flat=True)[0]
