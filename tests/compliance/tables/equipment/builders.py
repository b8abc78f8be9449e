"""Harbour's floor: Sid is casino supervisor, Gina games supervisor, Shirin shift manager, Ines inspector. Tables report
as their controllers would; people record through the services.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from compliance.tables.equipment.consumer import consume_equipment
from compliance.tables.equipment.models import ManualLine
from compliance.tables.equipment.projections import Fault
from compliance.tables.equipment.selectors import EquipmentStatus, load_equipment_status
from compliance.tables.equipment.services.floor_records import record_manual_line
from rounds.floor.models import Table
from rounds.intake.protocol import equipment as lines
from rounds.intake.protocol.fields import Body, Staff
from tests.compliance.audit.house import House
from tests.compliance.core.accounts.people import give_phone, hire
from tests.rounds.floor.crew import Crew

NSW, RWS, MBS = "nsw-sic-bo", "rws-sic-bo-etg", "mbs-3-card-sic-bo"
SKYCITY, LICENSEE = "skycity-big-and-small", "licensee-sic-bo"
# 12 July 2026, 8 pm in Sydney: after the opening, and in the past whenever these tests run.
EVENING = datetime(2026, 7, 12, 10, 0, tzinfo=UTC)
SUPERVISOR = Staff(position="casino-supervisor")


@dataclass
class Floor:
    crew: Crew
    shirin: User
    house: House

    def table(self, rules: str = NSW, slug: str = "sb-1") -> Table:
        return self.house.open_table(slug, rules)

    def report(self, kind: str, body: Body, *, at: datetime = EVENING, table: str = "sb-1") -> int:
        """Reports a controller's line and consumes it a second later. Returns the index of its entry."""
        index = self.house.report(kind, body, table=table, at=at)
        self.consume(at + timedelta(seconds=1))
        return index

    def consume(self, now: datetime = EVENING) -> None:
        consume_equipment(lambda: now)

    def record(
        self, table: Table, kind: str, body: Body, *, at: datetime = EVENING, by: User | None = None, **rest: Any
    ) -> ManualLine:
        line = record_manual_line(
            table=table, kind=kind, body=body, at=at, actor=by or self.crew.sid, now=rest.get("now", at)
        )
        self.consume(at)
        return line

    def lights_fail(self, *, at: datetime = EVENING, table: str = "sb-1", name: str = "F-204", **rest: Any) -> Fault:
        body = lines.Fault(**{"fault": name, "equipment": "electrical-device", "effect": "not-lit"} | rest)
        index = self.report("fault", body, at=at, table=table)
        return Fault.objects.get(log="harbour", index=index)

    def lights_mended(self, *, at: datetime, name: str = "F-204") -> int:
        return self.report("fault-cleared", lines.FaultCleared(fault=name, note="Lamp driver replaced."), at=at)

    def status(self, *tables: Table, now: datetime = EVENING) -> EquipmentStatus:
        return load_equipment_status(self.crew.harbour, tables, now)


def open_floor(crew: Crew) -> Floor:
    shirin = hire("shirin", crew.harbour, Role.SHIFT_MANAGER, by=crew.cast.ada)
    give_phone(shirin)
    return Floor(crew, shirin, House(crew))
