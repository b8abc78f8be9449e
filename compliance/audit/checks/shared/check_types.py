"""The dataclasses that declare a check: which finding codes it can draft, and what it is given.

How to add a check, and the rules it must keep, are in the docstring of checks/__init__.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from compliance.audit.catalogue.finding_code import FindingCode
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.round_columns import RoundColumns
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import EventContext, History, LookBack
from compliance.core.accounts.models import Casino


@dataclass(frozen=True)
class RoundCheck:
    """A check decided by one round alone. `evaluate` is the exact check; screening only decides whether it runs."""

    name: str
    codes: frozenset[FindingCode]
    evaluate: Callable[[RoundContext], Iterable[FindingDraft]]

    @classmethod
    def of_code(cls, code: FindingCode, evaluate: Callable[[RoundContext], Iterable[FindingDraft]]) -> RoundCheck:
        return cls(code.check_name, frozenset({code}), evaluate)


@dataclass(frozen=True)
class TimelineCheck:
    """Evaluated at every entry of `entry_kinds`, with the history that `look_back` declares."""

    codes: frozenset[FindingCode]
    entry_kinds: frozenset[str]
    evaluate: Callable[[EventContext], Iterable[FindingDraft]]
    look_back: LookBack


@dataclass(frozen=True)
class RoundHistoryCheck:
    """Evaluated at rounds, with the history before them. screening/affected_rounds.py must select the rounds it applies
    to."""

    codes: frozenset[FindingCode]
    evaluate: Callable[[RoundContext, History], Iterable[FindingDraft]]
    look_back: LookBack


@dataclass(frozen=True, eq=False)
class AuditRange:
    """Entries first..last-1 of the casino's log, and the rounds among them."""

    casino: Casino
    first: int
    last: int
    columns: RoundColumns

    @property
    def log(self) -> str:
        return self.casino.slug


@dataclass(frozen=True)
class RangeCheck:
    """Evaluated once over a range of entries of any kind, by the check's own queries. Used for the feed."""

    codes: frozenset[FindingCode]
    evaluate: Callable[[AuditRange], Iterable[FindingDraft]]
