"""Which faults `all`, or a list of codes with commas, means: those of tables, and those of people's records."""

from __future__ import annotations

from dataclasses import dataclass

from rounds.simulator.faults.catalogue import table_injectors
from rounds.simulator.faults.injector import Injector
from rounds.simulator.people_faults.plant_records import record_injectors
from rounds.simulator.people_faults.record_injector import RecordInjector


class UnknownFaultCode(Exception):
    """A code that has no injector."""


@dataclass(frozen=True)
class FaultSelection:
    """In the order in which they are planted: the same seed must plant the same faults."""

    at_tables: list[Injector]
    of_people: list[RecordInjector]

    @property
    def all_injectors(self) -> list[Injector | RecordInjector]:
        return [*self.at_tables, *self.of_people]

    @property
    def codes(self) -> list[str]:
        return [one.code for one in self.all_injectors]


def select_faults(text: str) -> FaultSelection:
    every = FaultSelection(table_injectors(), record_injectors())
    if text == "all":
        return every
    codes = [part.strip().upper() for part in text.split(",") if part.strip()]
    for code in codes:
        if code not in every.codes:
            raise UnknownFaultCode(f"{code} is not a code. Those that can be planted: all, {', '.join(every.codes)}.")
    return FaultSelection(
        [one for one in every.at_tables if one.code in codes], [one for one in every.of_people if one.code in codes]
    )
