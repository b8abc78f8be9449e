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
from rounds.ledger.appending import append, record


@transaction.atomic
def set_service_level(*, casino: Casino, wait: str, hours: int, actor: User, now: datetime) -> ServiceLevel:
    """For waits that begin from now on; what waits already keeps the time it was given."""
    if wait not in WAITS:
        raise NotFound
    require(actor, casino, MAY_SET)
    lock_casino(casino)
    level = ServiceLevel(casino=casino, wait=wait, hours=hours, by=actor, by_name=actor.name, at=now)
    [receipt] = append(casino.slug, [record(kinds.SERVICE_LEVEL, level.as_record())], now)
    level.log, level.entry_index = receipt.log, receipt.index
    level.save(force_insert=True)
    return level


@transaction.atomic
def state_own_procedure(*, casino: Casino, text: str, actor: User, now: datetime) -> OwnProcedure:
    require(actor, casino, MAY_SET)
    lock_casino(casino)
    stated = OwnProcedure(casino=casino, text=text, by=actor, by_name=actor.name, at=now)
    [receipt] = append(casino.slug, [record(kinds.OWN_PROCEDURE, stated.as_record())], now)
    stated.log, stated.entry_index = receipt.log, receipt.index
    stated.save(force_insert=True)
    return stated
