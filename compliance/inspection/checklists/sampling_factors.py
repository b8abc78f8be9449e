"""Registry of factors that raise the weight of a round in a sample, each with its tickets and threshold.

Every factor can be computed from the log, so anybody with the log can check the weights.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rounds.engine.money import format_cents

BASE_WEIGHT = 1
MAX_ADDED_WEIGHT = 9


class ThresholdUnit(StrEnum):
    """Unit of a threshold."""

    NONE = ""
    CENTS = "cents"
    HOURS = "hours"
    DAYS = "days"


@dataclass(frozen=True)
class Factor:
    """`sentence` has a placeholder for the threshold, if any; `usual` and `added` are the form's initial values."""

    slug: str
    label: str
    sentence: str
    unit: ThresholdUnit = ThresholdUnit.NONE
    usual: int = 0
    added: int = 0


FACTORS: Mapping[str, Factor] = {
    one.slug: one
    for one in (
        Factor("finding", "The audit found something", "The audit had found something in the round itself.", added=4),
        Factor(
            "large-stake",
            "A large stake",
            "One of its wagers had a stake of {} or more.",
            ThresholdUnit.CENTS,
            100_000,
            3,
        ),
        Factor(
            "table-findings",
            "Findings at the table",
            "The audit had found something at the table within {} before the round began.",
            ThresholdUnit.DAYS,
            7,
            2,
        ),
        Factor("by-people", "Recorded by people", "It came from paper or from a file, not from a controller.", added=2),
        Factor("late", "Recorded late", "It was recorded more than {} after it ended.", ThresholdUnit.HOURS, 1, 2),
        Factor(
            "near-correction",
            "Near a correction",
            "Another round of the table was taken back that began within {} of it.",
            ThresholdUnit.HOURS,
            1,
            2,
        ),
        Factor(
            "unusual",
            "Out of the ordinary",
            "It had no result, its lights failed, or something else about it is not in the usual columns.",
            added=1,
        ),
        Factor("streak", "Super Streak", "It had a Super Streak wager.", added=1),
        Factor(
            "reading",
            "Hangs on a reading",
            "It had a wager that two readings of the rules in force when it began pay otherwise at its result.",
        ),
        Factor(
            "new-equipment",
            "Dice or shaker just placed",
            "Dice or a shaker had been placed at the table within {} before the round began.",
            ThresholdUnit.HOURS,
            4,
            1,
        ),
        Factor(
            "signal",
            "A fairness signal",
            "A fairness signal about the table was found within {} of it.",
            ThresholdUnit.DAYS,
            7,
            2,
        ),
    )
}


@dataclass(frozen=True)
class ChosenFactor:
    """A factor with the values a sample uses."""

    factor: Factor
    adds: int
    threshold: int

    @property
    def sentence(self) -> str:
        return self.factor.sentence.format(format_threshold(self.factor.unit, self.threshold))

    def as_json(self) -> dict[str, Any]:
        body: dict[str, Any] = {"factor": self.factor.slug, "adds": self.adds}
        if self.factor.unit:
            body |= {"threshold": self.threshold, "unit": self.factor.unit.value}
        return body


def format_threshold(unit: ThresholdUnit, threshold: int) -> str:
    if unit == ThresholdUnit.CENTS:
        return format_cents(threshold)
    return f"{threshold:,} {unit.value[:-1] if threshold == 1 else unit.value}"


def encode_weights(chosen: Sequence[ChosenFactor], known_up_to: int) -> dict[str, Any]:
    """Recorded before the draw. Only findings and signals below the log position `known_up_to` count."""
    return {"base": BASE_WEIGHT, "known_up_to": known_up_to, "factors": [one.as_json() for one in chosen]}


def decode_weights(weights: Mapping[str, Any]) -> list[ChosenFactor]:
    return [ChosenFactor(FACTORS[one["factor"]], one["adds"], one.get("threshold", 0)) for one in weights["factors"]]
