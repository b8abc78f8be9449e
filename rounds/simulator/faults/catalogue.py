"""Every injector of what a table says by its code, and the planting of chosen codes in its day."""

from __future__ import annotations

from collections.abc import Iterable

from rounds.simulator.at_play import TableAtPlay
from rounds.simulator.faults import (
    chips,
    conduct,
    equipment,
    feed,
    limits,
    settling,
    signs,
    streaks,
    wagering,
)
from rounds.simulator.faults.injector import INJECTORS, Injector, NoRoom
from rounds.simulator.faults.scene import Scene

# Importing a module registers its injectors.
MODULES = (settling, wagering, limits, streaks, conduct, signs, chips, equipment, feed)


def every_injector() -> list[Injector]:
    """In one order, whatever was imported first: the same seed must plant the same faults."""
    return [one for module in MODULES for one in INJECTORS.values() if one.plant.__module__ == module.__name__]


def plant_all(table: TableAtPlay, injectors: Iterable[Injector]) -> list[str]:
    """Plants each code that fits this table, once, and returns those for which its day had no room."""
    scene, without_room = Scene(table), []
    for injector in injectors:
        if not injector.fits(table.set_up) or injector.needs_clock:
            continue
        try:
            injector.plant(scene)
        except NoRoom:
            without_room.append(injector.code)
    return without_room
