"""Records a dated fact, or retracts one. A planned fact must not break a rule; a fact about the past is recorded
anyway.
"""

from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from rounds.floor import entry_kinds
from rounds.floor.errors import FactAlreadyRetracted, PlannedBreach
from rounds.floor.fact_catalogue import NAME_BY_VALUE_TYPE, Subject, fact_kind
from rounds.floor.fact_values import FactValue, HolidaysValue, value_as_dict
from rounds.floor.facts.rule_breaches import planned_breaches
from rounds.floor.models import Fact, FactRetraction, FactSource, Table, Terminal
from rounds.floor.permissions import MAY_KEEP_CALENDAR, MAY_STATE_FACTS, check_has_role
from rounds.ledger import EntryError, correct, write_row


@transaction.atomic
def record_fact(
    *,
    casino: Casino,
    value: FactValue,
    effective_at: datetime,
    actor: User,
    now: datetime,
    table: Table | None = None,
    terminal: Terminal | None = None,
    note: str = "",
) -> Fact:
    """Records what holds from an instant on. Refuses a planned fact that would break a rule, citing the clause."""
    check_has_role(actor, casino, MAY_KEEP_CALENDAR if isinstance(value, HolidaysValue) else MAY_STATE_FACTS)
    subject: Subject = "terminal" if terminal else "table" if table else "casino"
    kind = fact_kind(NAME_BY_VALUE_TYPE[type(value)], subject)
    if effective_at >= now:
        stops = planned_breaches(value, casino, table, effective_at)
        if stops:
            raise PlannedBreach(" ".join(breach.sentence for breach in stops))
    fact = Fact(
        casino=casino,
        table=table,
        terminal=terminal,
        name=kind.name,
        value=value_as_dict(value),
        effective_at=effective_at,
        note=note,
        source=FactSource.PERSON,
        recorded_by=actor,
        recorded_by_name=actor.name,
        recorded_at=now,
    )
    return write_row(fact, kind=entry_kinds.TABLE_FACTS, log=casino.slug, table=table.slug if table else None, now=now)


@transaction.atomic
def record_announced_fact(
    *, table: Table, value: FactValue, effective_at: datetime, announced_by: User, note: str, now: datetime
) -> Fact:
    """Records the fact that a limit notice announced, when it takes effect. The notice has checked permission; the
    person who announced is recorded as the author, even if they no longer hold the role."""
    fact = Fact(
        casino=table.casino,
        table=table,
        name=fact_kind(NAME_BY_VALUE_TYPE[type(value)], "table").name,
        value=value_as_dict(value),
        effective_at=effective_at,
        note=note,
        source=FactSource.PERSON,
        recorded_by=announced_by,
        recorded_by_name=announced_by.name,
        recorded_at=now,
    )
    return write_row(fact, kind=entry_kinds.TABLE_FACTS, log=table.casino.slug, table=table.slug, now=now)


@transaction.atomic
def retract_fact(*, fact: Fact, reason: str, actor: User, now: datetime) -> FactRetraction:
    """Marks a fact as a mistake that never held. Appends a correction entry with author and reason; the fact stays
    readable. If the entry stated several facts, all are retracted, because a correction is about the whole entry."""
    check_has_role(actor, fact.casino, MAY_STATE_FACTS)
    try:
        receipt = correct(fact.log, fact.entry_index, {"reason": reason, "by": actor.as_entry_reference()}, now)
    except EntryError as error:
        raise FactAlreadyRetracted if error.code == "already-corrected" else error from error
    marks = [
        FactRetraction.objects.create(
            fact=each,
            reason=reason,
            by=actor,
            by_name=actor.name,
            at=now,
            log=receipt.log,
            entry_index=receipt.index,
        )
        for each in Fact.objects.not_retracted().filter(log=fact.log, entry_index=fact.entry_index)
    ]
    return next(mark for mark in marks if mark.fact_id == fact.pk)
