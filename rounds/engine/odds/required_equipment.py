"""Compares the equipment of a table with what the rule document requires for the wagers offered there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rounds.engine.bets.bet_codes import BETS
from rounds.engine.pack.pack_file import Pack


@dataclass(frozen=True, slots=True)
class RecordedEquipment:
    """The equipment recorded for a table. None: there is none, or it is not recorded."""

    layout: str | None = None
    screen: str | None = None


@dataclass(frozen=True, slots=True)
class EquipmentProblem:
    """One piece of equipment that an offered wager requires and the table lacks."""

    wager: str
    bets: tuple[str, ...]
    needs: str
    expected: tuple[str, ...]
    found: str | None
    clause: str

    @property
    def sentence(self) -> str:
        expected = " or ".join(self.expected)
        found = f"this table has {self.found}" if self.found else "none is recorded for this table"
        return f"{self.wager} needs a {self.needs} of kind {expected}, and {found} (clause {self.clause})."


def find_equipment_problems(pack: Pack, offered: Iterable[str], equipment: RecordedEquipment) -> list[EquipmentProblem]:
    """Equipment missing for the offered bets. So far, documents require equipment for Super Streak only."""
    offer, streak = pack.duties.streak_offer, pack.law.streak
    bets = tuple(code for code in offered if code in BETS and BETS[code].is_streak)
    if offer is None or streak is None or not bets:
        return []
    needs = (
        ("layout", offer.layouts, equipment.layout),
        ("screen", tuple(map(str, offer.screens)), equipment.screen),
    )
    return [
        EquipmentProblem(streak.name, bets, what, expected, found, offer.clause)
        for what, expected, found in needs
        if found not in expected
    ]
