"""TrialScope: the tables and gaming days that a trial covers."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class TrialScope:
    """Tables, or all where none is named; gaming days, both ends included and both optional."""

    tables: frozenset[str] = frozenset()
    first_on: date | None = None
    last_on: date | None = None

    def includes(self, table: str, day: date) -> bool:
        begins, ends = self.first_on or day, self.last_on or day
        return (not self.tables or table in self.tables) and begins <= day <= ends


FULL_SCOPE = TrialScope()
