"""Whether a table may offer a wager with the equipment it has: what the document asks for, and what is there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rounds.engine.bets.bet_codes import BETS
from rounds.engine.pack.pack_file import Pack


@dataclass(frozen=True, slots=True)
class Equipment:
    """What stands at a table. None: there is none, or it is not known."""

    layout: str | None = None
    screen: str | None = None


@dataclass(frozen=True, slots=True)
class EquipmentProblem:
    """One piece of equipment that a wager on offer needs and the table lacks."""

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


def find_equipment_problems(pack: Pack, offered: Iterable[str], equipment: Equipment) -> list[EquipmentProblem]:
    """Why this table may not offer these bets. Only Super Streak is tied to equipment by any document so far."""
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
