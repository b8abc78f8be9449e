"""Service levels of a casino, and its own procedure where the rules are silent."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from compliance.disputes import entry_kinds
from compliance.disputes.deadlines import WAITS
from compliance.disputes.models import OwnProcedure, ServiceLevel
from compliance.disputes.permissions import MAY_SET_POLICIES, require_acting_role
from rounds.ledger import write_row


@transaction.atomic
def set_service_level(*, casino: Casino, wait: str, hours: int, actor: User, now: datetime) -> ServiceLevel:
    """Sets the hours for waits that begin from now on; current waits keep their deadline."""
    if wait not in WAITS:
        raise NotFound
    require_acting_role(actor, casino, MAY_SET_POLICIES)
    casino.lock()
    level = ServiceLevel(casino=casino, wait=wait, hours=hours, by=actor, by_name=actor.name, at=now)
    return write_row(level, kind=entry_kinds.SERVICE_LEVEL, log=casino.slug, now=now)


@transaction.atomic
def set_own_procedure(*, casino: Casino, text: str, actor: User, now: datetime) -> OwnProcedure:
    require_acting_role(actor, casino, MAY_SET_POLICIES)
    casino.lock()
    stated = OwnProcedure(casino=casino, text=text, by=actor, by_name=actor.name, at=now)
    return write_row(stated, kind=entry_kinds.OWN_PROCEDURE, log=casino.slug, now=now)
