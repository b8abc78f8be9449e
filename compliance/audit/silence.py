"""What each code comes to under one rule version: checked by which clauses, silent, or about what the game lacks.

Silence is a verdict: where a document says nothing, nothing is found, and that is not the same as being in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from compliance.audit.catalogue import FAMILIES
from compliance.audit.checks import checked_codes
from compliance.audit.codes import Code, clauses_of
from compliance.web.components import Kind, Tag
from rounds.engine.packs import Pack


class Bearing(StrEnum):
    APPLIES = "Checked"
    OWN = "Checked by this service"
    SILENT = "Rules are silent"
    NO_SUBJECT = "Does not arise"
    NOT_YET = "Not checked yet"

    @property
    def tag(self) -> Tag:
        return Tag(self.value, KINDS[self])


KINDS: Mapping[Bearing, Kind] = {
    Bearing.APPLIES: "success",
    Bearing.OWN: "success",
    Bearing.SILENT: "warning",
    Bearing.NO_SUBJECT: "neutral",
    Bearing.NOT_YET: "neutral",
}


def _has_streaks(pack: Pack) -> bool:
    return pack.law.streak is not None


def _has_cards(pack: Pack) -> bool:
    return pack.conduct.cards is not None


def _has_dice(pack: Pack) -> bool:
    return not _has_cards(pack)


# What a game must have before a question about it can arise, by how codes begin.
NEEDS: Mapping[str, Callable[[Pack], bool]] = {
    "STREAK-": _has_streaks,
    "CARDS-": _has_cards,
    "ROUND-CARDS": _has_cards,
    "ROUND-TUMBLES": _has_dice,
    "DICE-": _has_dice,
    "SHAKER-": _has_dice,
    "SETTLE-PAY-TABLE": lambda pack: len(pack.law.pay_table) > 1,
    "SETTLE-READING": lambda pack: bool(pack.readings),
}


@dataclass(frozen=True)
class Ruled:
    """One code under one version."""

    code: Code
    bearing: Bearing
    clauses: tuple[str, ...] = ()

    @property
    def cited(self) -> str:
        return ", ".join(self.clauses) or "None"


def ruled(pack: Pack, code: Code) -> Ruled:
    clauses = clauses_of(pack, code)
    if any(code.name.startswith(begins) and not has(pack) for begins, has in NEEDS.items()):
        return Ruled(code, Bearing.NO_SUBJECT)
    if not code.clause_key:
        return Ruled(code, Bearing.OWN if code.name in checked_codes() else Bearing.NOT_YET)
    if not clauses:
        return Ruled(code, Bearing.SILENT)
    return Ruled(code, Bearing.APPLIES if code.name in checked_codes() else Bearing.NOT_YET, clauses)


def ruled_by_family(pack: Pack) -> Iterator[tuple[str, list[Ruled]]]:
    for family, codes in FAMILIES.items():
        yield family, [ruled(pack, code) for code in codes]
