"""Every injector by its code, the codes that no table can bring about, and the planting of chosen codes."""

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

_NEEDS_TAMPERING = "Only somebody who reaches the database or its clock can bring it about, never a controller."
_NEEDS_PEOPLE = "It is about what people of the house record of a dispute."
_NEEDS_MARKETING = "It is about what marketing files, draws and pays."
_IS_A_SIGNAL = "It is a statistic over many rounds, a signal and not a finding."

NOT_FROM_A_TABLE: dict[str, str] = {
    "LEDGER-BROKEN": _NEEDS_TAMPERING,
    "CHECKPOINT-LATE": _NEEDS_TAMPERING,
    "DISPUTE-DECIDER": _NEEDS_PEOPLE,
    "DISPUTE-RANK": _NEEDS_PEOPLE,
    "DISPUTE-NO-ADVICE": _NEEDS_PEOPLE,
    "DISPUTE-SKIPPED": _NEEDS_PEOPLE,
    "DISPUTE-OVERDUE": _NEEDS_PEOPLE,
    "DISPUTE-UNDECIDED-PAYMENT": _NEEDS_PEOPLE,
    "DISPUTE-UPHELD": _NEEDS_PEOPLE,
    "PROMO-FILED-LATE": _NEEDS_MARKETING,
    "PROMO-INCOMPLETE": _NEEDS_MARKETING,
    "PROMO-AMENDED": _NEEDS_MARKETING,
    "PROMO-SCRUTINEER": _NEEDS_MARKETING,
    "PROMO-PROHIBITED": _NEEDS_MARKETING,
    "PROMO-CASH-CHOICE": _NEEDS_MARKETING,
    "PROMO-CASH-ALTERNATIVE": _NEEDS_MARKETING,
    "PROMO-NOT-REFERENCED": _NEEDS_MARKETING,
    "PROMO-WINNER-LATE": _NEEDS_MARKETING,
    "PROMO-DENIAL-RECORD": _NEEDS_MARKETING,
    "PROMO-DENIAL-NOT-TOLD": _NEEDS_MARKETING,
    "PROMO-STOP-NOT-TOLD": _NEEDS_MARKETING,
    "FAIR-FACES": _IS_A_SIGNAL,
    "FAIR-RETURN": _IS_A_SIGNAL,
}


class UnknownCode(Exception):
    """A code that has no injector."""


def every_injector() -> list[Injector]:
    """In one order, whatever was imported first: the same seed must plant the same faults."""
    return [one for module in MODULES for one in INJECTORS.values() if one.plant.__module__ == module.__name__]


def chosen(text: str) -> list[Injector]:
    """The injectors that `all` or a list of codes with commas means."""
    if text == "all":
        return every_injector()
    known, found = ", ".join(injector.code for injector in every_injector()), []
    for code in filter(None, (part.strip().upper() for part in text.split(","))):
        if code in NOT_FROM_A_TABLE:
            raise UnknownCode(f"{code} cannot be planted at a table. {NOT_FROM_A_TABLE[code]}")
        if code not in INJECTORS:
            raise UnknownCode(f"{code} is not a code. Those that can be planted: all, {known}.")
        found.append(INJECTORS[code])
    return found


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
