"""Reading closings; a single one through access_closure."""

from collections.abc import Iterable

from compliance.accounts.models import Casino, User
from compliance.closures.models import Closure
from compliance.closures.states import State
from compliance.web.errors import NotFound
from rounds.floor.models import Table
from rounds.floor.standing import MAY_READ

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


def closed_by_people(table: Table) -> Closure | None:
    return Closure.objects.filter(table=table, state=State.CLOSED).first()
