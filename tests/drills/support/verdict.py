"""The result of a drill: what was tried, and what failed."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Verdict:
    """Figures are printed in order; the drill passed if there are no failures."""

    drill: str
    seed: int
    figures: Mapping[str, int | float | str]
    failures: list[str] = field(default_factory=list)
    minutes: float = 0.0

    @property
    def is_passed(self) -> bool:
        return not self.failures

    def lines(self) -> list[str]:
        width = max(map(len, self.figures), default=0)
        said = [f"  {name:{width}}  {_figure(value)}" for name, value in self.figures.items()]
        wrong = [f"  FAILED: {failure}" for failure in self.failures]
        verdict = "passed" if self.is_passed else "FAILED"
        return [f"{self.drill} (seed {self.seed}, {self.minutes} min): {verdict}", *said, *wrong]


def _figure(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:,}"
