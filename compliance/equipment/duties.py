"""What the rules of a table ask of its equipment: pack data, asked at the instant in question."""

from dataclasses import dataclass
from datetime import datetime

from compliance.accounts.roles import Role
from rounds.engine.duties import DiceCustody, EquipmentFault, Inspection, ShakerSwap
from rounds.engine.packs import Pack
from rounds.floor.models import Table
from rounds.floor.selectors import pack_for

# What the documents' clauses on faults speak of: that which is told the result and lights the layout. A tumbler that
# fails makes a round void, which is another matter.
ELECTRONICS = frozenset({"electrical-device", "entry-terminal", "touch-screen"})


@dataclass(frozen=True)
class FaultDuty:
    """What follows from a fault at a table: who is told, and whether play rests."""

    clause: str = ""
    told: tuple[Role, ...] = ()
    at_once: bool = False
    stops_play: bool = False
    witness: str = ""


def roles_meant(pack: Pack, word: str | None) -> tuple[Role, ...]:
    """The product's roles behind a word of the document; nobody, where it means the dealer or no one."""
    role = pack.roles.get(word) if word else None
    return tuple(Role(each) for each in role.means) if role else ()


def fault_duty(table: Table, at: datetime, equipment: str) -> FaultDuty:
    pack = pack_for(table, at)
    duty: EquipmentFault | None = pack.duties.equipment_fault if pack else None
    if pack is None or duty is None or equipment not in ELECTRONICS:
        return FaultDuty()
    return FaultDuty(
        clause=duty.clause, told=roles_meant(pack, duty.told), at_once=duty.told_at_once,
        stops_play=duty.play_stops_until_mended, witness=duty.settled_before or "",
    )  # fmt: skip


def dice_duty(table: Table, at: datetime) -> DiceCustody | None:
    pack = pack_for(table, at)
    return pack.duties.dice_custody if pack else None


def swap_duty(table: Table, at: datetime) -> ShakerSwap | None:
    pack = pack_for(table, at)
    return pack.duties.shaker_swap if pack else None


def inspections_asked(table: Table, at: datetime) -> tuple[Inspection, ...]:
    pack = pack_for(table, at)
    return (pack.duties.inspections or ()) if pack else ()
