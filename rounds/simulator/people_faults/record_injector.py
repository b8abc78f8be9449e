"""Registry of the injectors for people's records, and CasinoRecords, which gives them people, rounds and the truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.accounts.roles import Role
from compliance.disputes.subject.disputed_entry import DisputedEntry, subject_at
from rounds.engine import Pack
from rounds.floor.models import Table
from rounds.simulator.faults.injector import NoRoomForFault
from rounds.simulator.people_faults.further_clauses import further_clauses
from rounds.simulator.play.controller_output import PlantedFault
from rounds.transparency_log import tree


@dataclass
class CasinoRecords:
    """Records of one table's casino. `rounds` are entries of honest rounds, each disputed at most once; `signed` is the
    tree head signed before anything was planted."""

    table: Table
    pack: Pack
    people: Mapping[Role, User]
    rounds: list[int]
    signed: tree.TreeHead
    now: datetime
    truth: list[PlantedFault] = field(default_factory=list)
    # The code of the injector that is at work.
    code: str = ""

    @property
    def casino(self) -> Casino:
        return self.table.casino

    def person_in_role(self, *roles: Role) -> User:
        """The person in the first of these roles that is filled."""
        found = next((self.people[role] for role in roles if role in self.people), None)
        if found is None:
            raise NoRoomForFault
        return found

    def next_undisputed_round(self) -> DisputedEntry:
        """The next round with wagers, which is then no longer available."""
        while self.rounds:
            subject = subject_at(self.casino, self.rounds.pop(0))
            if subject is not None and subject.read is not None and subject.read.wagers:
                return subject
        raise NoRoomForFault

    def record_fault(self, entry: int, says: str, *, at: datetime, table: str = "", **members: Any) -> None:
        """`entry` is the entry that the finding must cite; `table` the table it is found at, if any."""
        self.truth.append(
            PlantedFault(
                code=self.code,
                casino=self.casino.slug,
                table=table,
                says=says,
                at=at,
                entry=entry,
                rules=self.pack.slug,
                clauses=further_clauses(self.pack.slug, self.code, members.get("case", "")),
                **members,
            )
        )


PlantRecordFault = Callable[[CasinoRecords], None]
FitsPack = Callable[[Pack], bool]


@dataclass(frozen=True)
class RecordInjector:
    """`of_the_casino`: planted once a casino, not once for each rule pack. The docstring of `plant` is the description
    on the help page."""

    code: str
    plant: PlantRecordFault
    fits: FitsPack
    of_the_casino: bool
    needs_clock: bool = False

    @property
    def description(self) -> str:
        return (self.plant.__doc__ or "").strip()

    def plant_in(self, house: CasinoRecords) -> None:
        house.code = self.code
        self.plant(house)


RECORD_INJECTORS: dict[str, RecordInjector] = {}


def fits_every_pack(pack: Pack) -> bool:
    return True


def register_record_injector(
    code: str, *, fits: FitsPack = fits_every_pack, of_the_casino: bool = False
) -> Callable[[PlantRecordFault], PlantRecordFault]:
    """Decorator: registers a function as the injector of a finding code."""

    def register(plant: PlantRecordFault) -> PlantRecordFault:
        assert code not in RECORD_INJECTORS, f"{code} has an injector already"
        RECORD_INJECTORS[code] = RecordInjector(code, plant, fits, of_the_casino)
        return plant

    return register


def people_by_role(casino: Casino) -> dict[Role, User]:
    """One active person for each role that is held at the casino now."""
    held = RoleAssignment.objects.current().filter(casino=casino, user__is_active=True).select_related("user")
    return {Role(one.role): one.user for one in held.order_by("-pk")}
