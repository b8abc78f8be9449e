"""All injectors for what a table reports, in a fixed order, and planting of chosen codes in a table's day."""

from __future__ import annotations

from collections.abc import Iterable

from rounds.simulator.faults import (
    chips,
    contradictions,
    equipment,
    feed,
    limits,
    procedure,
    settlement,
    signs,
    streaks,
    wagers,
)
from rounds.simulator.faults.injector import INJECTORS, Injector, NoRoomForFault
from rounds.simulator.faults.timeline_editor import TimelineEditor
from rounds.simulator.play.table_day import TableDay

# Importing a module registers its injectors.
MODULES = (settlement, wagers, limits, streaks, procedure, signs, chips, equipment, feed, contradictions)


def table_injectors() -> list[Injector]:
    """In a fixed order, independent of import order: the same seed must plant the same faults."""
    return [one for module in MODULES for one in INJECTORS.values() if one.plant.__module__ == module.__name__]


def plant_faults(table: TableDay, injectors: Iterable[Injector]) -> list[str]:
    """Plants each code that fits this table once. Returns the codes for which the day had no suitable place."""
    scene, without_room = TimelineEditor(table), []
    for injector in injectors:
        if not injector.fits(table.set_up) or injector.needs_clock:
            continue
        try:
            injector.plant_in(scene)
        except NoRoomForFault:
            without_room.append(injector.code)
    return without_room
