"""The house after its day was played: its people by role, rounds that can be disputed, and what was planted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from compliance.accounts.models import Casino, RoleHeld, User
from compliance.accounts.roles import Role
from compliance.disputes.subjects import Subject, subject_at
from rounds.engine.packs import Pack
from rounds.floor.models import Table
from rounds.ledger.merkle import TreeHead
from rounds.simulator.faults.injector import NoRoom
from rounds.simulator.said import Planted


@dataclass
class Records:
    """One table's house. `rounds` are the entries of honest rounds, each disputed once at most; `signed` is the log as
    it was signed before anything was planted."""

    table: Table
    pack: Pack
    people: Mapping[Role, User]
    rounds: list[int]
    signed: TreeHead
    now: datetime
    truth: list[Planted] = field(default_factory=list)

    @property
    def casino(self) -> Casino:
        return self.table.casino

    def who(self, *roles: Role) -> User:
        """Somebody in the first of these roles that anybody holds."""
        found = next((self.people[role] for role in roles if role in self.people), None)
        if found is None:
            raise NoRoom
        return found

    def next_round(self) -> Subject:
        """A round with wagers that nobody has disputed yet."""
        while self.rounds:
            subject = subject_at(self.casino, self.rounds.pop(0))
            if subject is not None and subject.read is not None and subject.read.wagers:
                return subject
        raise NoRoom

    def plant(self, code: str, entry: int, says: str, *, at: datetime, table: str = "", **members: Any) -> None:
        """`entry` is the entry on which the finding must rest; `table` the table at which it is found, if any."""
        self.truth.append(
            Planted(code=code, casino=self.casino.slug, table=table, says=says, at=at, entry=entry, **members)
        )


Plant = Callable[[Records], None]
Fits = Callable[[Pack], bool]


@dataclass(frozen=True)
class RecordInjector:
    """`of_the_casino`: planted once a casino, whatever rules its tables play by."""

    code: str
    plant: Plant
    fits: Fits
    of_the_casino: bool
    needs_clock: bool = False

    @property
    def says(self) -> str:
        return (self.plant.__doc__ or "").strip()


RECORD_INJECTORS: dict[str, RecordInjector] = {}


def anywhere(pack: Pack) -> bool:
    return True


def records(code: str, *, fits: Fits = anywhere, of_the_casino: bool = False) -> Callable[[Plant], Plant]:
    """Registers the function below as the injector of a code."""

    def register(plant: Plant) -> Plant:
        assert code not in RECORD_INJECTORS, f"{code} has an injector already"
        RECORD_INJECTORS[code] = RecordInjector(code, plant, fits, of_the_casino)
        return plant

    return register


def people_at(casino: Casino) -> dict[Role, User]:
    """One person for each role that somebody holds at the casino now."""
    held = RoleHeld.objects.current().filter(casino=casino, user__is_active=True).select_related("user")
    return {Role(one.role): one.user for one in held.order_by("-pk")}
