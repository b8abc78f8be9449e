"""How an injector is made known: the code it plants, the tables it fits, and whether it can be planted live."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rounds.simulator.set_up import TableSetUp

if TYPE_CHECKING:
    from rounds.simulator.faults.scene import Scene

Plant = Callable[["Scene"], None]
Fits = Callable[[TableSetUp], bool]


class NoRoom(Exception):
    """This timeline has no place for the fault: no such wager, no such round, too short a day."""


@dataclass(frozen=True)
class Injector:
    """`is_live`: one round is enough room for it. `needs_clock`: it can only be seen while play is live."""

    code: str
    plant: Plant
    fits: Fits
    is_live: bool
    needs_clock: bool

    @property
    def says(self) -> str:
        return (self.plant.__doc__ or "").strip()


INJECTORS: dict[str, Injector] = {}


def anywhere(set_up: TableSetUp) -> bool:
    return True


def injects(
    code: str, *, fits: Fits = anywhere, is_live: bool = False, needs_clock: bool = False
) -> Callable[[Plant], Plant]:
    """Registers the function below as the injector of a code."""

    def register(plant: Plant) -> Plant:
        assert code not in INJECTORS, f"{code} has an injector already"
        INJECTORS[code] = Injector(code, plant, fits, is_live, needs_clock)
        return plant

    return register
