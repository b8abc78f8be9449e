"""The ways in for a check that looks at more than one round. Those of single rounds are RoundChecks, in __init__.

To add one: write `judge` in a file of its own, put the check into OVER_TIME, ROUNDS_OVER_TIME or STRETCH_CHECKS of
checks/__init__.py, and give its codes their lines in the catalogue. Rules that keep an audit the same whenever it runs:
- It is judged at entries (`judged_at`), and its drafts are about that entry; the entry's block covers it. Of each code
  there is one finding an entry (and wager): say all that is wrong in it.
- It knows only the entry, what governed it, and its story: what happened before, of the kinds and as far back as
  `looks` says. What comes late, or is taken back, opens again what had looked at it, without the check's doing.
- A duty that nothing was done about is judged at the first entry that shows its time is over (a closing, the next
  opening, a record made later), by the entries' own times. Never by the clock.
- Where the pack says nothing (None), it yields nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from compliance.audit.context.columns import RoundColumns
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import EventContext, History, LookBack
from compliance.core.accounts.models import Casino


@dataclass(frozen=True)
class TimelineCheck:
    """Judged at every entry of these kinds: a table's signs, closings, faults; what people recorded."""

    codes: frozenset[str]
    entry_kinds: frozenset[str]
    evaluate: Callable[[EventContext], Iterable[FindingDraft]]
    look_back: LookBack


@dataclass(frozen=True)
class RoundHistoryCheck:
    """Judged at rounds, by what happened before them. `watched.py` says which rounds must be looked at exactly."""

    codes: frozenset[str]
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
    """Judged over a stretch of a log whatever the kind of its entries, by queries of its own: the feed."""

    codes: frozenset[str]
    evaluate: Callable[[AuditRange], Iterable[FindingDraft]]
