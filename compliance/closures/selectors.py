"""Reading closings; a single one through access_closure."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from compliance.accounts.models import Casino, User
from compliance.alerts.models import Alert
from compliance.closures.models import Closure
from compliance.closures.states import State
from compliance.web.errors import NotFound
from rounds.floor.models import Table
from rounds.floor.standing import MAY_READ

TOLD_OF_CLOSING = "table-closing"
WITH_ALL = ("casino", "table__casino", "sign__casino", "sign__table", "call__casino", "call__table")


def access_closure(user: User, casino: Casino, closure_id: int) -> Closure:
    closures = Closure.objects.select_related(*WITH_ALL)
    found = closures.filter(casino=casino, pk=closure_id).first() if user.holds(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def announced_at(tables: Iterable[Table]) -> list[Closure]:
    rows = Closure.objects.filter(table__in=list(tables), state=State.ANNOUNCED).select_related(*WITH_ALL)
    return list(rows.order_by("closes_at", "pk"))


def told_when(closures: Sequence[Closure]) -> dict[int, datetime | None]:
    """When whoever must be told before was: by e-mail or by their own word, whichever was first. One query."""
    alerts = Alert.objects.filter(
        duty=TOLD_OF_CLOSING, casino__in={closure.casino_id for closure in closures},
        raised_at__in={closure.announced_at for closure in closures},
    )  # fmt: skip
    told = {
        (alert.casino_id, alert.table, alert.raised_at): min(
            filter(None, (alert.delivered_at, alert.acknowledged_at)), default=None
        )
        for alert in alerts
    }
    return {each.pk: told.get((each.casino_id, each.table.slug, each.announced_at)) for each in closures}


def closed_by_people(table: Table) -> Closure | None:
    return Closure.objects.filter(table=table, state=State.CLOSED).first()
