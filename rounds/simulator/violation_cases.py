"""Plays the violation cases of a rule pack at tables of their own, so that each clause they violate is planted.

Only cases that consist of controllers' lines: what people record is planted by people_faults, through the services that
write its rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from rounds.floor.fact_catalogue import FACT_KINDS
from rounds.floor.fact_values import read_value
from rounds.floor.models import Table
from rounds.floor.services import (
    add_table,
    add_terminal,
    approve_key,
    assign_table,
    propose_key,
    record_fact,
    register_controller,
    retire_table,
    revoke_key,
)
from rounds.intake.protocol.envelope import LINE_KIND_BY_NAME
from rounds.ledger import size_of
from rounds.rulepacks.violation_cases import CaseRecord, ViolationCase, violation_cases, violation_cases_on
from rounds.simulator.delivery.casino_tables import TableNotPlayable
from rounds.simulator.delivery.connection import open_feed_with_key
from rounds.simulator.delivery.controller_feed import ControllerFeed
from rounds.simulator.delivery.simulation_run import late_delivery_fault
from rounds.simulator.people_faults.record_injector import people_by_role
from rounds.simulator.play.controller_output import HONEST_DELIVERY, NumberedLine, PlantedFault

ROLES = (Role.CASINO_SUPERVISOR, Role.COMPLIANCE_OFFICER, Role.ADMINISTRATOR)
# Facts hold from this long before the day of the cases.
FACTS_BEFORE = timedelta(days=30)


def is_reported(case: ViolationCase) -> bool:
    """Whether the case can be played: controllers' lines under the default readings."""
    return not case.readings and all(record.kind in LINE_KIND_BY_NAME for record in case.breach)


@dataclass(frozen=True)
class CaseTables:
    """A case and the tables of its own at which it is played, by their names in the case."""

    case: ViolationCase
    tables: Mapping[str, Table]

    def lines(self) -> Iterator[tuple[str, NumberedLine]]:
        """The lines of the breach in order, each with its table."""
        sequences: dict[str, int] = {}
        for record in self.case.breach:
            sequence = sequences[record.table] = sequences.get(record.table, 0) + 1
            line = self.encode_line(record, sequence, {})
            yield self.tables[record.table].slug, NumberedLine(sequence, record.at, line, HONEST_DELIVERY)

    def encode_line(self, record: CaseRecord, sequence: int, indexes: Mapping[str, int]) -> bytes:
        table = self.tables[record.table].slug
        envelope = {"kind": record.kind, "table": table, "sequence": sequence, "at": record.at.isoformat()}
        return json.dumps(envelope | {"body": self.body_of(record, indexes)}).encode()

    def body_of(self, record: CaseRecord, indexes: Mapping[str, int]) -> dict[str, Any]:
        """The body with the case's own tables. `indexes` are those of the entries that it refers to by name."""
        body: dict[str, Any] = self._with_own_tables(record.resolved_body(indexes))
        return body

    def _with_own_tables(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._with_own_tables(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self._with_own_tables(each) for each in value]
        return self.tables[value].slug if isinstance(value, str) and value in self.tables else value

    def planted_fault(self) -> PlantedFault:
        first, *further = (table.slug for table in self.tables.values())
        return PlantedFault(
            code=self.case.code,
            casino=next(iter(self.tables.values())).casino.slug,
            table=first,
            tables=tuple(further),
            says=self.case.why,
            case=self.case.name,
            also=self.case.also,
            rules=self.case.rules,
            clauses=self.case.clauses,
            cites=self.case.cites,
        )


@dataclass(frozen=True)
class CaseFloor:
    """Tables and a controller for violation cases at a casino, opened and retired by its own people."""

    casino: Casino
    people: Mapping[Role, User]
    now: datetime

    def open_tables(self, cases: Sequence[ViolationCase]) -> list[CaseTables]:
        known = Table.objects.filter(casino=self.casino).count()
        return [
            CaseTables(
                case,
                {
                    name: self._open_table(case, f"case-{known + number}-{place}")
                    for place, name in enumerate(case.tables, start=1)
                },
            )
            for number, case in enumerate(cases, start=1)
        ]

    def _open_table(self, case: ViolationCase, slug: str) -> Table:
        by = self.people[Role.CASINO_SUPERVISOR]
        table = add_table(casino=self.casino, slug=slug, name=case.name, actor=by, now=self.now)
        stated: list[tuple[Any, Mapping[str, Any]]] = [(None, {"rules": {"rules": case.rules}} | case.table_facts)]
        for name, of_terminal in case.terminals.items():
            stated.append((add_terminal(table=table, slug=name, actor=by, now=self.now), of_terminal))
        for terminal, facts in stated:
            for name, value in facts.items():
                record_fact(
                    casino=self.casino,
                    table=table,
                    terminal=terminal,
                    value=read_value(FACT_KINDS[name].value, value),
                    effective_at=case.starts_at - FACTS_BEFORE,
                    actor=by,
                    now=self.now,
                )
        return table

    def send(self, played: Sequence[CaseTables], *, address: str | None) -> None:
        """Sends the lines of all cases by a controller that exists for them only. The tables of a case are retired as
        soon as it was sent, before their silence could be recorded."""
        secret, by = Ed25519PrivateKey.generate(), self.people[Role.COMPLIANCE_OFFICER]
        slug = f"cases-{size_of(self.casino.slug)}"
        with transaction.atomic():
            controller = register_controller(
                casino=self.casino, slug=slug, name="Violation cases", actor=by, now=self.now
            )
            public = secret.public_key().public_bytes_raw()
            key = propose_key(controller=controller, public_key=public, actor=by, now=self.now)
            approve_key(key=key, actor=self.people[Role.ADMINISTRATOR], now=self.now)
            for each in played:
                for table in each.tables.values():
                    assign_table(controller=controller, table=table, actor=by, now=self.now)
        feed = open_feed_with_key(self.casino.slug, secret, address=address)
        for each in played:
            _send_lines(each, feed)
            with transaction.atomic():
                for table in each.tables.values():
                    retire_table(table=table, actor=self.people[Role.CASINO_SUPERVISOR], now=self.now)
        revoke_key(key=key, reason="The cases were sent.", actor=by, now=self.now)


def open_case_floor(casino: Casino, now: datetime) -> CaseFloor:
    """Raises TableNotPlayable if nobody holds a role that opening tables needs."""
    people = people_by_role(casino)
    missing = [role.label for role in ROLES if role not in people]
    if missing:
        raise TableNotPlayable(f"Violation cases need people at {casino.name}: {', '.join(missing)}.")
    return CaseFloor(casino, people, now)


def reported_cases_until(rules: str, day: date, time_zone: str) -> list[ViolationCase]:
    """The cases that can be played, early enough for the longest to end on that day: a line that is ahead of the clock
    would be refused."""
    longest = max(
        (
            record.at.date() - case.starts_at.date()
            for case in violation_cases(rules)
            if is_reported(case)
            for record in case.breach
        ),
        default=timedelta(),
    )
    return [case for case in violation_cases_on(rules, day - longest, time_zone) if is_reported(case)]


def _send_lines(played: CaseTables, feed: ControllerFeed) -> None:
    for table, of_table in groupby(played.lines(), key=lambda pair: pair[0]):
        feed.send(table, [line for _, line in of_table])


def play_violation_cases(floor: CaseFloor, rules: str, day: date, *, address: str | None) -> list[PlantedFault]:
    """Plays the breach of each case of a rule pack that can be played. Returns the truth about them."""
    before = size_of(floor.casino.slug)
    cases = reported_cases_until(rules, day, floor.casino.time_zone)
    with transaction.atomic():
        played = floor.open_tables(cases)
    floor.send(played, address=address)
    return [
        fault
        for each in played
        for fault in (
            each.planted_fault(),
            *(
                late_delivery_fault(
                    floor.casino.slug,
                    table.slug,
                    range(1, 1 + sum(record.table == name for record in each.case.breach)),
                    before,
                )
                for name, table in each.tables.items()
            ),
        )
    ]
