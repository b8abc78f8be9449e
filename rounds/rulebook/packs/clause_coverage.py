"""Coverage of the clauses of a pack: bound to code, proven by violation cases, or not automated on purpose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rounds.engine import Pack
from rounds.engine import pack as engine_pack
from rounds.rulepacks.violation_cases import ViolationCase

CHECK_PREFIX = "check:"
# By clause of a shipped pack, the violation cases that were found. Registered by the app that evaluates them.
ProofReader = Callable[[str], Mapping[str, Sequence[ViolationCase]]]
_proof_readers: list[ProofReader] = []


def register_proofs(read: ProofReader) -> None:
    _proof_readers.append(read)


class Binding(StrEnum):
    BOUND = "bound"
    NOT_AUTOMATED = "not-automated"
    UNBOUND = "unbound"


def clause_binding(entry: engine_pack.ClauseEntry) -> Binding:
    if entry.bind:
        return Binding.BOUND
    return Binding.NOT_AUTOMATED if entry.not_automated_because else Binding.UNBOUND


@dataclass(frozen=True, slots=True)
class BoundClause:
    """A clause with what implements it. `proofs` are the cases in which a violation of it was found."""

    pack: Pack
    clause: str
    entry: engine_pack.ClauseEntry
    proofs: Sequence[ViolationCase] = ()

    @property
    def binding(self) -> Binding:
        return clause_binding(self.entry)

    @property
    def is_checked(self) -> bool:
        """Whether a check of the audit implements it. Only then can a violation be found."""
        return any(name.startswith(CHECK_PREFIX) for name in self.entry.bind)

    def is_bound_to(self, code: str) -> bool:
        return f"{CHECK_PREFIX}{code}" in self.entry.bind

    @property
    def lacks_proof(self) -> bool:
        return self.is_checked and not self.proofs

    def as_json(self) -> dict[str, Any]:
        return {
            "rules": self.pack.slug,
            "version": self.pack.version,
            "clause": self.clause,
            "gist": self.entry.gist,
            "classes": list(self.entry.classes),
            "status": self.binding.value,
            "bound": list(self.entry.bind),
            "proven_by": [case.name for case in self.proofs],
            "not_automated_because": self.entry.not_automated_because or None,
        }


def list_bound_clauses(packs: Iterable[Pack]) -> list[BoundClause]:
    return [
        BoundClause(pack, clause, entry, [case for proofs in found for case in proofs.get(clause, ())])
        for pack in packs
        for found in [[read(pack.slug) for read in _proof_readers]]
        for clause, entry in pack.clauses.items()
    ]


def coverage_counts(clauses: Iterable[BoundClause]) -> dict[str, Counter[str]]:
    """For each pack in order, the number of clauses by binding, and of those checked and proven."""
    counts: dict[str, Counter[str]] = {}
    for each in clauses:
        count = counts.setdefault(each.pack.name, Counter())
        count["clauses"] += 1
        count[each.binding.value] += 1
        count["checked"] += each.is_checked
        count["proven"] += bool(each.proofs)
    return counts
