"""The checks that can notice a change in a pack. Each is run only for changes of the sections that it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from compliance.audit.run.violation_cases import failing_cases
from rounds.engine.odds.house_edges import compute_house_edges
from rounds.engine.pack.pack_collection import PackCollection
from rounds.engine.pack.pack_file import Pack
from rounds.engine.settle.json_lines import settle_line
from rounds.rulepacks.golden_cases import comparable_answer, golden_cases
from rounds.rulepacks.violation_cases import violation_cases
from tests.mutants.case_reads import cases_that_read
from tests.mutants.mutated_pack import pack_table
from tests.mutants.mutations import Mutant
from tests.rounds.engine.odds.pinned_edges import by_key, pinned_edges


@dataclass(frozen=True)
class Killer:
    """One kind of check. `notices` says whether a changed, valid pack fails it."""

    name: str
    sections: frozenset[str]
    notices: Callable[[Pack, Mutant], bool]


def _fails_golden_case(changed: Pack, _: Mutant) -> bool:
    packs = PackCollection([changed])
    for case in golden_cases(changed.slug):
        answer = settle_line(packs, case.line)
        if comparable_answer(answer) != case.expect or frozenset(answer.get("clauses", ())) != case.cited:
            return True
    return False


def _moves_house_edge(changed: Pack, _: Mutant) -> bool:
    return by_key(compute_house_edges(changed)) != pinned_edges(changed.slug)


def _fails_violation_case(changed: Pack, mutant: Mutant) -> bool:
    """Whether a case that reads the value finds or cites something else, or the audit cannot evaluate it. The cases
    that violate a clause of the changed value are tried first, because most changes are noticed by one of them."""
    near = set(_texts_in(_enclosing_record(changed.slug, mutant)))
    cases = sorted(cases_that_read(changed.slug, mutant.path), key=lambda case: not near & {case.cites, *case.clauses})
    try:
        return next(failing_cases(changed, cases), None) is not None
    except Exception:  # The audit would stop at these records, which nobody can overlook.
        return True


def _enclosing_record(slug: str, mutant: Mutant) -> Any:
    """The table of the pack that holds the changed value."""
    found: Any = pack_table(slug)
    for key in mutant.path[:-1]:
        inner = found[key]
        if not isinstance(inner, dict | list):
            break
        found = inner
    return found


def _texts_in(raw: Any) -> Iterator[str]:
    if isinstance(raw, str):
        yield raw
    elif isinstance(raw, dict | list):
        for each in raw.values() if isinstance(raw, dict) else raw:
            yield from _texts_in(each)


def _unbinds_violation_case(changed: Pack, _: Mutant) -> bool:
    """Whether a case violates a clause that no longer names its code, so that the clause is not proven."""
    bound = {(clause, name) for clause, entry in changed.clauses.items() for name in entry.bind}
    return any(
        (clause, f"check:{case.code}") not in bound for case in violation_cases(changed.slug) for clause in case.clauses
    )


KILLERS = (
    Killer("golden case", frozenset({"law", "readings"}), _fails_golden_case),
    Killer("house edge", frozenset({"law", "readings", "conduct"}), _moves_house_edge),
    Killer("violation case", frozenset({"roles", "law", "conduct", "duties", "readings"}), _fails_violation_case),
    Killer("violation case", frozenset({"clauses"}), _unbinds_violation_case),
)
