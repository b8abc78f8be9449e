"""Queries on closures. A single one is fetched through access_closure, which checks permissions."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from compliance.notify.alerts.models import Alert
from compliance.tables.closures.models import Closure
from compliance.tables.closures.states import ClosureState
from rounds.floor.models import Table
from rounds.floor.permissions import MAY_READ

CLOSING_ALERT_DUTY = "table-closing"
RELATED_FIELDS = ("casino", "table__casino", "sign__casino", "sign__table", "call__casino", "call__table")


def access_closure(user: User, casino: Casino, closure_id: int) -> Closure:
    closures = Closure.objects.select_related(*RELATED_FIELDS)
    found = closures.filter(casino=casino, pk=closure_id).first() if user.has_role(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def announced_closures(tables: Iterable[Table]) -> list[Closure]:
    rows = Closure.objects.filter(table__in=list(tables), state=ClosureState.ANNOUNCED).select_related(*RELATED_FIELDS)
    return list(rows.order_by("closes_at", "pk"))


def notification_times(closures: Sequence[Closure]) -> dict[int, datetime | None]:
    """When the required role was notified of each closure: the e-mail sent or the acknowledgement, whichever came
    first. One query."""
    alerts = Alert.objects.filter(
        duty=CLOSING_ALERT_DUTY,
        casino__in={closure.casino_id for closure in closures},
        raised_at__in={closure.announced_at for closure in closures},
    )
    notified_at = {
        (alert.casino_id, alert.table, alert.raised_at): min(
            filter(None, (alert.delivered_at, alert.acknowledged_at)), default=None
        )
        for alert in alerts
    }
    return {each.pk: notified_at.get((each.casino_id, each.table.slug, each.announced_at)) for each in closures}


def closure_in_effect(table: Table) -> Closure | None:
    return Closure.objects.filter(table=table, state=ClosureState.CLOSED).first()
