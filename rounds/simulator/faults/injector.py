"""Registry of injectors: the code each one plants, the tables it fits, and whether it can be planted live."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rounds.simulator.play.table_config import TableConfig

if TYPE_CHECKING:
    from rounds.simulator.faults.timeline_editor import TimelineEditor

PlantFault = Callable[["TimelineEditor"], None]
FitsTable = Callable[[TableConfig], bool]


class NoRoomForFault(Exception):
    """This timeline has no suitable place for the fault: no such wager, no such round, too short a day."""


@dataclass(frozen=True)
class Injector:
    """`is_live`: fits into a single round. `needs_clock`: only detectable during live play. The docstring of `plant` is
    the description on the help page."""

    code: str
    plant: PlantFault
    fits: FitsTable
    is_live: bool
    needs_clock: bool

    @property
    def description(self) -> str:
        return (self.plant.__doc__ or "").strip()

    def plant_in(self, scene: TimelineEditor) -> None:
        scene.code = self.code
        self.plant(scene)


INJECTORS: dict[str, Injector] = {}


def fits_every_table(set_up: TableConfig) -> bool:
    return True


def register_injector(
    code: str, *, fits: FitsTable = fits_every_table, is_live: bool = False, needs_clock: bool = False
) -> Callable[[PlantFault], PlantFault]:
    """Decorator: registers a function as the injector of a finding code."""

    def register(plant: PlantFault) -> PlantFault:
        assert code not in INJECTORS, f"{code} has an injector already"
        INJECTORS[code] = Injector(code, plant, fits, is_live, needs_clock)
        return plant

    return register
