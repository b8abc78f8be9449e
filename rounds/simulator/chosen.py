"""Which faults `all`, or a list of codes with commas, means: those of tables, and those of people's records."""

from __future__ import annotations

from dataclasses import dataclass

from rounds.simulator.faults.catalogue import every_injector
from rounds.simulator.faults.injector import Injector
from rounds.simulator.people.planting import every_record_injector
from rounds.simulator.people.records import RecordInjector


class UnknownCode(Exception):
    """A code that has no injector."""


@dataclass(frozen=True)
class Chosen:
    """In the order in which they are planted: the same seed must plant the same faults."""

    at_tables: list[Injector]
    of_people: list[RecordInjector]

    @property
    def every(self) -> list[Injector | RecordInjector]:
        return [*self.at_tables, *self.of_people]

    @property
    def codes(self) -> list[str]:
        return [one.code for one in self.every]


def chosen(text: str) -> Chosen:
    every = Chosen(every_injector(), every_record_injector())
    if text == "all":
        return every
    codes = [part.strip().upper() for part in text.split(",") if part.strip()]
    for code in codes:
        if code not in every.codes:
            raise UnknownCode(f"{code} is not a code. Those that can be planted: all, {', '.join(every.codes)}.")
    return Chosen(
        [one for one in every.at_tables if one.code in codes], [one for one in every.of_people if one.code in codes]
    )
