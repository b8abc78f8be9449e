"""Chosen codes planted in what a casino's people record: in one transaction, right after its log was signed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.db import transaction

from compliance.accounts.models import Casino, User
from compliance.accounts.roles import Role
from rounds.floor.models import Table
from rounds.intake.kinds.round import Round
from rounds.ledger.checkpoints import sign_now, verifier
from rounds.ledger.merkle import TreeHead
from rounds.ledger.notes import open_checkpoint
from rounds.ledger.numbered import numbered_entries
from rounds.simulator.faults.injector import NoRoom
from rounds.simulator.people import disputes, log, promotions
from rounds.simulator.people.records import RECORD_INJECTORS, RecordInjector, Records, people_at
from rounds.simulator.playing import Played
from rounds.simulator.said import HONEST, Planted
from rounds.simulator.set_up import TableSetUp

# Importing a module registers its injectors.
MODULES = (disputes, promotions, log)
FIRST = "CHECKPOINT-LATE"
TRIES = 5
MOST_DISPUTED = 12


class Overtaken(Exception):
    """Something else was recorded between the signing and the first record: it is tried again."""


def every_record_injector() -> list[RecordInjector]:
    """In one order, whatever was imported first."""
    return [one for module in MODULES for one in RECORD_INJECTORS.values() if one.plant.__module__ == module.__name__]


@dataclass(frozen=True)
class PlayedTable:
    """A table whose days were sent: its people can dispute the rounds with these numbers."""

    table: Table
    set_up: TableSetUp
    controller: str
    disputable: Sequence[int]

    def records(self, people: Mapping[Role, User], signed: TreeHead, now: datetime) -> Records:
        entries = numbered_entries(self.table.casino.slug, self.table.slug, self.controller, self.disputable)
        rounds = [one.index for _, one in sorted(entries.items())]
        return Records(self.table, self.set_up.pack, people, rounds, signed, now)


def honest_rounds(played: Played) -> list[int]:
    """The numbers of the day's first rounds in which nothing was planted, each with wagers: they can be disputed."""
    planted = {id(said) for said, _ in played.timeline.truth}
    numbers = (
        one.sequence
        for said, one in zip(played.timeline.said, played.lines, strict=True)
        if isinstance(said.body, Round) and said.body.wagers and id(said) not in planted
        and not said.is_taken_back and one.delivery == HONEST
    )  # fmt: skip
    return list(islice(numbers, MOST_DISPUTED))


def plant_records(
    casino: Casino, tables: Sequence[PlayedTable], injectors: Sequence[RecordInjector], *, now: datetime
) -> tuple[list[Planted], set[str]]:
    """At one casino, once for each of its rule documents. The truth, and the codes for which there was no room."""
    if not injectors:
        return [], set()
    for _ in range(TRIES):
        people = people_at(casino)
        signed = open_checkpoint(sign_now(casino.slug, now), verifier(casino.slug)).head
        houses = {one.set_up.pack.slug: one.records(people, signed, now) for one in reversed(tables)}
        try:
            with transaction.atomic():
                without_room = _plant(list(houses.values()), injectors)
        except Overtaken:
            continue
        return [planted for house in houses.values() for planted in house.truth], without_room
    return [], {one.code for one in injectors}


def _plant(houses: Sequence[Records], injectors: Sequence[RecordInjector]) -> set[str]:
    # Whatever is recorded of days gone by was not signed in its time, and the truth must not hide it.
    first = RECORD_INJECTORS[FIRST]
    without_room = _plant_one(houses[:1], first)
    if any(planted.entry != houses[0].signed.size for planted in houses[0].truth):
        raise Overtaken
    for injector in injectors:
        if injector is not first:
            without_room |= _plant_one(houses[:1] if injector.of_the_casino else houses, injector)
    return without_room


def _plant_one(houses: Sequence[Records], injector: RecordInjector) -> set[str]:
    for house in houses:
        if not injector.fits(house.pack):
            continue
        so_far = len(house.truth)
        try:
            with transaction.atomic():
                injector.plant(house)
        except NoRoom:
            del house.truth[so_far:]
            return {injector.code}
    return set()
