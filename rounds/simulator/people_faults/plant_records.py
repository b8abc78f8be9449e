"""Plants chosen codes in a casino's records, in one transaction right after its log was signed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice

from django.db import connection, transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from rounds.floor.models import Table
from rounds.intake.protocol.round import Round
from rounds.ledger import readers, signing, writing
from rounds.simulator.delivery.simulation_run import PlayedDay
from rounds.simulator.faults.injector import NoRoomForFault
from rounds.simulator.people_faults import checkpoints, conduct, disputes, promotions
from rounds.simulator.people_faults.record_injector import (
    RECORD_INJECTORS,
    CasinoRecords,
    RecordInjector,
    people_by_role,
)
from rounds.simulator.play.controller_output import HONEST_DELIVERY, PlantedFault
from rounds.simulator.play.table_config import TableConfig
from rounds.transparency_log import formats, tree

# Importing a module registers its injectors.
MODULES = (disputes, conduct, promotions, checkpoints)
FIRST_CODE = "CHECKPOINT-LATE"
MOST_DISPUTED = 18


def record_injectors() -> list[RecordInjector]:
    """In a fixed order, independent of import order."""
    return [one for module in MODULES for one in RECORD_INJECTORS.values() if one.plant.__module__ == module.__name__]


@dataclass(frozen=True)
class PlayedTable:
    """A table whose days were sent. `disputable` has the sequence numbers of rounds that can be disputed."""

    table: Table
    set_up: TableConfig
    controller: str
    first_day: date
    disputable: Sequence[int]

    def casino_records(self, people: Mapping[Role, User], signed: tree.TreeHead, now: datetime) -> CasinoRecords:
        entries = readers.entries_by_sequence(self.table.casino.slug, self.table.slug, self.controller, self.disputable)
        rounds = [one.index for _, one in sorted(entries.items())]
        return CasinoRecords(self.table, self.set_up.pack, people, rounds, signed, now)


def disputable_rounds(played: PlayedDay) -> list[int]:
    """Sequence numbers of the day's first rounds with wagers and without a planted fault."""
    planted = {id(line) for line, _ in played.timeline.truth}
    numbers = (
        one.sequence
        for line, one in zip(played.timeline.lines, played.lines, strict=True)
        if isinstance(line.body, Round)
        and line.body.wagers
        and id(line) not in planted
        and not line.is_taken_back
        and one.delivery == HONEST_DELIVERY
    )
    return list(islice(numbers, MOST_DISPUTED))


def plant_records(
    casino: Casino, tables: Sequence[PlayedTable], injectors: Sequence[RecordInjector], *, now: datetime
) -> tuple[list[PlantedFault], set[str]]:
    """Plants at one casino, once for each of its rule packs. Returns the truth, and the codes that did not fit."""
    if not injectors:
        return [], set()
    people = people_by_role(casino)
    with transaction.atomic():
        # The first record must follow the signature; a running service appends other entries meanwhile.
        writing.lock_log(casino.slug)
        signed = _sign_in_other_connection(casino.slug, now)
        houses = {one.set_up.pack.slug: one.casino_records(people, signed, now) for one in reversed(tables)}
        without_room = _plant_in_transaction(list(houses.values()), injectors)
    return [planted for house in houses.values() for planted in house.truth], without_room


def _sign_in_other_connection(log: str, now: datetime) -> tree.TreeHead:
    """Signing needs a transaction of its own, and this connection holds the log's lock in another."""

    def sign() -> bytes:
        try:
            return signing.sign_log(log, now)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        note = pool.submit(sign).result()
    return formats.open_checkpoint(note, signing.verifier_key_for(log)).head


def _plant_in_transaction(houses: Sequence[CasinoRecords], injectors: Sequence[RecordInjector]) -> set[str]:
    # Backdated records are never signed in time. The truth must say so, or CHECKPOINT-LATE would look like a false
    # positive.
    first = RECORD_INJECTORS[FIRST_CODE]
    without_room = _plant_one(houses[:1], first)
    for injector in injectors:
        if injector is not first:
            without_room |= _plant_one(houses[:1] if injector.of_the_casino else houses, injector)
    return without_room


def _plant_one(houses: Sequence[CasinoRecords], injector: RecordInjector) -> set[str]:
    for house in houses:
        if not injector.fits(house.pack):
            continue
        so_far = len(house.truth)
        try:
            with transaction.atomic():
                injector.plant_in(house)
        except NoRoomForFault:
            del house.truth[so_far:]
            return {injector.code}
    return set()
