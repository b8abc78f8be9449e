"""Coverage of the clauses of a pack: implemented, planned, or not automated on purpose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rounds.engine import Pack
from rounds.engine import pack as engine_pack

PLANNED_PREFIX = "planned: "


class Binding(StrEnum):
    """How far a clause is implemented. A clause with at least one planned binding counts as planned."""

    BOUND = "bound"
    PLANNED = "planned"
    NOT_AUTOMATED = "not-automated"
    UNBOUND = "unbound"


def clause_binding(entry: engine_pack.ClauseEntry) -> Binding:
    if any(name.startswith(PLANNED_PREFIX) for name in entry.bind):
        return Binding.PLANNED
    if entry.bind:
        return Binding.BOUND
    return Binding.NOT_AUTOMATED if entry.not_automated_because else Binding.UNBOUND


@dataclass(frozen=True, slots=True)
class BoundClause:
    pack: Pack
    clause: str
    entry: engine_pack.ClauseEntry

    @property
    def binding(self) -> Binding:
        return clause_binding(self.entry)

    def as_json(self) -> dict[str, Any]:
        return {
            "rules": self.pack.slug,
            "version": self.pack.version,
            "clause": self.clause,
            "gist": self.entry.gist,
            "classes": list(self.entry.classes),
            "status": self.binding.value,
            "bound": [name for name in self.entry.bind if not name.startswith(PLANNED_PREFIX)],
            "planned": [
                name.removeprefix(PLANNED_PREFIX) for name in self.entry.bind if name.startswith(PLANNED_PREFIX)
            ],
            "not_automated_because": self.entry.not_automated_because or None,
        }


def list_bound_clauses(packs: Iterable[Pack]) -> list[BoundClause]:
    return [BoundClause(pack, clause, entry) for pack in packs for clause, entry in pack.clauses.items()]


def count_bindings(clauses: Iterable[BoundClause]) -> dict[str, Counter[Binding]]:
    """The number of clauses by binding, for each pack in order."""
    counts: dict[str, Counter[Binding]] = {}
    for each in clauses:
        counts.setdefault(each.pack.name, Counter())[each.binding] += 1
    return counts
