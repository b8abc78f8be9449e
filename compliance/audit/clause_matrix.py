"""Clause matrix: for each clause that is bound to a check, whether a violation was planted, by what, and found.

A fault violates the clause that its finding cites, and the clauses that it names itself. Only clauses bound to the
fault's code count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from compliance.audit.detection_matrix import Comparison, PlantedFault
from rounds.rulebook.packs.clause_coverage import BoundClause
from rounds.rulepacks import shipped_packs


@dataclass
class ClauseRow:
    """Planted violations of one clause: by faults of the simulator, by violation cases, and those found."""

    clause: BoundClause
    by_fault: int = 0
    by_case: int = 0
    found: int = 0

    @property
    def rules(self) -> str:
        return self.clause.pack.slug

    @property
    def planted(self) -> int:
        return self.by_fault + self.by_case

    @property
    def missed(self) -> int:
        return self.planted - self.found

    def as_json(self) -> dict[str, Any]:
        return {
            "rules": self.rules,
            "clause": self.clause.clause,
            "planted": self.planted,
            "by_fault": self.by_fault,
            "by_case": self.by_case,
            "found": self.found,
            "missed": self.missed,
        }

    def add(self, planted: PlantedFault, *, is_found: bool) -> None:
        self.by_case += planted.is_violation_case
        self.by_fault += not planted.is_violation_case
        self.found += is_found


def rows_by_clause(comparison: Comparison) -> list[ClauseRow]:
    """A row for every clause that is bound to a check, of the rule packs that the planted faults name."""
    rules = {planted.rules for planted in comparison.planted} - {""}
    packs = [pack for pack in shipped_packs() if pack.slug in rules]
    clauses = [BoundClause(pack, clause, entry) for pack in packs for clause, entry in pack.clauses.items()]
    rows = {(each.pack.slug, each.clause): ClauseRow(each) for each in clauses if each.is_checked}
    for planted in comparison.planted:
        for key, is_found in _violated_clauses(comparison, planted).items() if planted.finding else ():
            if key in rows and rows[key].clause.is_bound_to(planted.code):
                rows[key].add(planted, is_found=is_found)
    return list(rows.values())


def _violated_clauses(comparison: Comparison, planted: PlantedFault) -> dict[tuple[str, str], bool]:
    """Rules and clause of each violation, and whether it was found. A clause that a case does not name is not proven by
    the citation alone."""
    findings = comparison.findings_of(planted)
    named = {(planted.rules, clause): bool(findings) for clause in planted.clauses}
    if planted.is_violation_case:
        return named
    return named | {(finding.rules, finding.clause): True for finding in findings}


@dataclass(frozen=True)
class ClauseTotals:
    """Figures of one rule pack: numbers of clauses, not of violations."""

    rules: str
    rows: list[ClauseRow]

    @property
    def never_planted(self) -> list[str]:
        return [row.clause.clause for row in self.rows if not row.planted]

    @property
    def missed(self) -> list[str]:
        return [row.clause.clause for row in self.rows if row.missed]

    @property
    def figures(self) -> list[int]:
        """Bound to a check, planted, by a fault, by a violation case, found, missed."""
        by_fault = sum(bool(row.by_fault) for row in self.rows)
        by_case = sum(bool(row.by_case) for row in self.rows)
        planted = sum(bool(row.planted) for row in self.rows)
        found = sum(bool(row.planted and not row.missed) for row in self.rows)
        return [len(self.rows), planted, by_fault, by_case, found, len(self.missed)]


def totals_by_rules(rows: Iterable[ClauseRow]) -> Iterator[ClauseTotals]:
    by_rules: dict[str, list[ClauseRow]] = {}
    for row in rows:
        by_rules.setdefault(row.rules, []).append(row)
    return (ClauseTotals(rules, of_rules) for rules, of_rules in by_rules.items())
