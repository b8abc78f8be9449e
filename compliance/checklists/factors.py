"""What can make a round weigh more in a sample: named facts, each with the tickets it adds and its threshold.

Every fact is one that the log tells: whoever has the log can say which rounds it holds for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from compliance.web.forms import dollars

BASE = 1
MOST_ADDED = 9


class Unit(StrEnum):
    """What a threshold counts."""

    NONE = ""
    CENTS = "cents"
    HOURS = "hours"
    DAYS = "days"


@dataclass(frozen=True)
class Factor:
    """`sentence` has a place for the threshold, if there is one; `usual` and `added` are what the form begins with."""

    slug: str
    label: str
    sentence: str
    unit: Unit = Unit.NONE
    usual: int = 0
    added: int = 0


FACTORS: Mapping[str, Factor] = {
    one.slug: one
    for one in (
        Factor("finding", "The audit found something", "The audit had found something in the round itself.", added=4),
        Factor(
            "large-stake", "A large stake", "One of its wagers had a stake of {} or more.", Unit.CENTS, 100_000, 3
        ),
        Factor(
            "table-findings", "Findings at the table",
            "The audit had found something at the table within {} before the round began.", Unit.DAYS, 7, 2,
        ),
        Factor("by-people", "Recorded by people", "It came from paper or from a file, not from a controller.", added=2),
        Factor("late", "Recorded late", "It was recorded more than {} after it ended.", Unit.HOURS, 1, 2),
        Factor(
            "near-correction", "Near a correction",
            "Another round of the table was taken back that began within {} of it.", Unit.HOURS, 1, 2,
        ),
        Factor(
            "unusual", "Out of the ordinary",
            "It had no result, its lights failed, or something else about it is not in the usual columns.", added=1,
        ),
        Factor("streak", "Super Streak", "It had a Super Streak wager.", added=1),
        Factor(
            "reading", "Hangs on a reading",
            "It had a wager that two readings of the rules in force when it began pay otherwise at its result.",
        ),
        Factor(
            "new-equipment", "Dice or shaker just placed",
            "Dice or a shaker had been placed at the table within {} before the round began.", Unit.HOURS, 4, 1,
        ),
        Factor(
            "signal", "A fairness signal", "A fairness signal about the table was found within {} of it.", Unit.DAYS,
            7, 2,
        ),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Chosen:
    """A factor as a sample uses it."""

    factor: Factor
    adds: int
    threshold: int

    @property
    def words(self) -> str:
        return self.factor.sentence.format(threshold_words(self.factor.unit, self.threshold))

    def as_record(self) -> dict[str, Any]:
        said: dict[str, Any] = {"factor": self.factor.slug, "adds": self.adds}
        if self.factor.unit:
            said |= {"threshold": self.threshold, "unit": self.factor.unit.value}
        return said


def threshold_words(unit: Unit, threshold: int) -> str:
    if unit == Unit.CENTS:
        return f"${dollars(threshold)}"
    return f"{threshold:,} {unit.value[:-1] if threshold == 1 else unit.value}"


def write_weights(chosen: Sequence[Chosen], known_up_to: int) -> dict[str, Any]:
    """What is recorded before the draw. Findings and signals count that stood in the log below `known_up_to`."""
    return {"base": BASE, "known_up_to": known_up_to, "factors": [one.as_record() for one in chosen]}


def read_weights(weights: Mapping[str, Any]) -> list[Chosen]:
    return [Chosen(FACTORS[one["factor"]], one["adds"], one.get("threshold", 0)) for one in weights["factors"]]
