"""RoundContext: what a check of a round is given, that is the round as reported and the rules in force for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from rounds.engine.settle import RoundToSettle
from rounds.intake.protocol.round import Round


@dataclass(frozen=True)
class NoRules:
    """Why no rules were in force at a table."""

    reason: str


@dataclass(frozen=True)
class Exclusion:
    """A person who was excluded: from when, from what (`scope`), and as which player of the gaming day. Where the
    player is not known (None), `seat` stands for the person only in `rounds`, the last before and the first after."""

    index: int
    at: datetime
    scope: str
    player: str | None
    seat: int | None
    rounds: frozenset[int]


@dataclass(frozen=True, eq=False, kw_only=True)
class RoundContext(RoundToSettle):
    """One round to be checked. `index` is its entry in the casino's log. Never changes; the `with_*` functions copy
    it."""

    index: int
    table: str
    round: Round
    # By wager under the minimum whose owner was never warned: the entry of the owner's previous wager under it.
    missing_warnings: Mapping[str, int] = field(default_factory=dict)
    # People excluded from play at the table earlier in the gaming day.
    exclusions: Sequence[Exclusion] = ()

    @property
    def round_label(self) -> str:
        return f"Round {self.round.round} at table {self.table}"
