"""How long steps may take at a casino, and how it deals with disputes where its rules are silent."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from compliance.accounts.models import Casino, User
from compliance.disputes import kinds
from compliance.disputes.clocks import WAITS
from compliance.disputes.models import OwnProcedure, ServiceLevel
from compliance.disputes.recording import lock_casino
from compliance.disputes.standing import MAY_SET, require
from compliance.web.errors import NotFound
from rounds.ledger.rows import write_row


@transaction.atomic
def set_service_level(*, casino: Casino, wait: str, hours: int, actor: User, now: datetime) -> ServiceLevel:
    """For waits that begin from now on; what waits already keeps the time it was given."""
    if wait not in WAITS:
        raise NotFound
    require(actor, casino, MAY_SET)
    lock_casino(casino)
    level = ServiceLevel(casino=casino, wait=wait, hours=hours, by=actor, by_name=actor.name, at=now)
    return write_row(level, kind=kinds.SERVICE_LEVEL, log=casino.slug, now=now)


@transaction.atomic
def state_own_procedure(*, casino: Casino, text: str, actor: User, now: datetime) -> OwnProcedure:
    require(actor, casino, MAY_SET)
    lock_casino(casino)
    stated = OwnProcedure(casino=casino, text=text, by=actor, by_name=actor.name, at=now)
    return write_row(stated, kind=kinds.OWN_PROCEDURE, log=casino.slug, now=now)
