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
    """Consequences of a fault at a table: who is notified, and whether play stops."""

    clause: str = ""
    told: tuple[Role, ...] = ()
    at_once: bool = False
    stops_play: bool = False
    witness: str = ""


def fault_duty(table: Table, at: datetime, equipment: str, effect: str) -> FaultDuty:
    """Empty when the rules require nothing for this equipment: a failed tumbler, for example, voids the round
    instead."""
    pack = pack_for(table, at)
    duty: engine_pack.EquipmentFault | None = pack.duties.equipment_fault if pack else None
    if pack is None or duty is None or not duty.concerns_lights(equipment, effect):
        return FaultDuty()
    return FaultDuty(
        clause=duty.clause,
        told=roles_for_title(pack, duty.told),
        at_once=duty.told_at_once,
        stops_play=duty.play_stops_until_mended,
        witness=duty.settled_before or "",
    )


def shaker_swap_duty(table: Table, at: datetime) -> engine_pack.ShakerSwap | None:
    pack = pack_for(table, at)
    return pack.duties.shaker_swap if pack else None
