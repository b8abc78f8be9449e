"""Parses the fault option: `all`, or codes separated by commas, of tables and of people's records."""

from __future__ import annotations

from dataclasses import dataclass

from rounds.simulator.faults.catalogue import table_injectors
from rounds.simulator.faults.injector import Injector
from rounds.simulator.people_faults.plant_records import record_injectors
from rounds.simulator.people_faults.record_injector import RecordInjector


class UnknownFaultCode(Exception):
    """There is no injector for the code."""


@dataclass(frozen=True)
class FaultSelection:
    """In planting order, which is fixed: the same seed must plant the same faults."""

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
