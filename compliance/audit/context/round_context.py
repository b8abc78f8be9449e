"""RoundContext: what a check of a round is given, that is the round as reported and the rules in force for it."""

from __future__ import annotations

from dataclasses import dataclass

from rounds.engine.settle import RoundToSettle
from rounds.intake.protocol.round import Round


@dataclass(frozen=True)
class NoRules:
    """Why no rules were in force at a table."""

    reason: str


@dataclass(frozen=True, eq=False, kw_only=True)
class RoundContext(RoundToSettle):
    """One round to be checked. `index` is its entry in the casino's log. Never changes; the `with_*` functions copy
    it."""

    index: int
    table: str
    round: Round

    @property
    def round_label(self) -> str:
        return f"Round {self.round.round} at table {self.table}"
