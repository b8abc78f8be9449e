"""Counts per kind of act over all examples of a rule set, and their printed report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class ActCount:
    """One kind of act. `milliseconds` are the processor time of each pre-check in this process."""

    tried: int = 0
    recorded: int = 0
    warned: int = 0
    findings: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)
    statements: list[int] = field(default_factory=list)

    def refuse(self, refusal: Exception) -> None:
        self.refused[str(getattr(refusal, "code", type(refusal).__name__))] += 1


@dataclass
class Tally:
    acts: dict[str, ActCount] = field(default_factory=dict)
    # Acts that re-open more rounds than are evaluated while a person waits.
    incomplete: int = 0
    # What the audit found differently from the prediction, with the acts that led to it.
    disagreements: list[str] = field(default_factory=list)

    def of(self, name: str) -> ActCount:
        return self.acts.setdefault(name, ActCount())

    @property
    def tried(self) -> int:
        return sum(each.tried for each in self.acts.values())

    @property
    def refused(self) -> int:
        return sum(each.refused.total() for each in self.acts.values())

    def report(self) -> str:
        rows: list[tuple[str, ...]] = [
            ("act", "tried", "refused", "warned", "findings", "p50 ms", "p95 ms", "refused because")
        ]
        for name, each in sorted(self.acts.items()):
            because = ", ".join(f"{code} {number}" for code, number in each.refused.most_common(3))
            figures = (each.tried, each.refused.total(), each.warned, each.findings)
            times = (percentile(each.milliseconds, 50), percentile(each.milliseconds, 95))
            rows.append((name, *map(str, figures), *(f"{time:.0f}" for time in times), because))
        widths = [max(len(row[column]) for row in rows) for column in range(7)]
        lines = [
            " ".join([row[0].ljust(widths[0]), *(row[at].rjust(widths[at]) for at in range(1, 7)), row[7]]).rstrip()
            for row in rows
        ]
        every = [time for each in self.acts.values() for time in each.milliseconds]
        warned, findings = (sum(getattr(each, name) for each in self.acts.values()) for name in ("warned", "findings"))
        total = (
            f"{self.tried} acts, {self.refused} refused, {warned} warned, {findings} findings, {self.incomplete} with "
            f"too many rounds, {len(self.disagreements)} disagreements; pre-check p50 {percentile(every, 50):.0f} ms, "
            f"p95 {percentile(every, 95):.0f} ms"
        )
        return "\n".join([*lines, total])


def percentile(values: Sequence[float], percent: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] if ordered else 0.0
