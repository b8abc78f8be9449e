"""What a table's rule pack requires of its equipment at a given time."""

from dataclasses import dataclass
from datetime import datetime

from compliance.core.accounts.roles import Role
from rounds.engine import pack as engine_pack
from rounds.floor.models import Table
from rounds.floor.selectors import pack_for
from rounds.rulebook.selectors import roles_for_title


@dataclass(frozen=True)
class FaultDuty:
    """Consequences of a fault at a table: who is notified, and whether play stops. `has_rules`: approved rules were in
    force."""

    has_rules: bool = False
    clause: str = ""
    told: tuple[Role, ...] = ()
    at_once: bool = False
    stops_play: bool = False
    witness: str = ""

    @property
    def notification_text(self) -> str:
        """Who is notified of the fault and when; or that nobody is, and why."""
        if self.told:
            roles = " or ".join(role.label.lower() for role in self.told)
            return f"The {roles} is notified by e-mail as soon as it is recorded (rule {self.clause})."
        if not self.has_rules:
            return "Nobody is notified: no approved rules were in force at this table at that time."
        return "Nobody is notified: the rules in force at that time do not ask for it for such a fault."


def fault_duty(table: Table, at: datetime, equipment: str, effect: str) -> FaultDuty:
    """Empty when the rules require nothing for this equipment: a failed tumbler, for example, voids the round
    instead."""
    pack = pack_for(table, at)
    duty: engine_pack.EquipmentFault | None = pack.duties.equipment_fault if pack else None
    if pack is None or duty is None or not duty.concerns_lights(equipment, effect):
        return FaultDuty(has_rules=pack is not None)
    return FaultDuty(
        has_rules=True,
        clause=duty.clause,
        told=roles_for_title(pack, duty.told),
        at_once=duty.told_at_once,
        stops_play=duty.play_stops_until_mended,
        witness=duty.settled_before or "",
    )


def shaker_swap_duty(table: Table, at: datetime) -> engine_pack.ShakerSwap | None:
    pack = pack_for(table, at)
    return pack.duties.shaker_swap if pack else None
