"""The checks that can notice a change in a pack. Each is run only for changes of the sections that it reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rounds.engine.odds.house_edges import compute_house_edges
from rounds.engine.pack.pack_collection import PackCollection
from rounds.engine.pack.pack_file import Pack
from rounds.engine.settle.json_lines import settle_line
from rounds.rulepacks.golden_cases import comparable_answer, golden_cases
from tests.rounds.engine.odds.pinned_edges import by_key, pinned_edges


@dataclass(frozen=True)
class Killer:
    """One kind of check. `notices` says whether a changed, valid pack fails it; the second pack is the shipped one."""

    name: str
    sections: frozenset[str]
    notices: Callable[[Pack, Pack], bool]


def _fails_golden_case(changed: Pack, shipped: Pack) -> bool:
    packs = PackCollection([changed])
    for case in golden_cases(shipped.slug):
        answer = settle_line(packs, case.line)
        if comparable_answer(answer) != case.expect or frozenset(answer.get("clauses", ())) != case.cited:
            return True
    return False


def _moves_house_edge(changed: Pack, shipped: Pack) -> bool:
    return by_key(compute_house_edges(changed)) != pinned_edges(shipped.slug)


KILLERS = (
    Killer("golden case", frozenset({"law", "readings"}), _fails_golden_case),
    Killer("house edge", frozenset({"law", "readings", "conduct"}), _moves_house_edge),
)
