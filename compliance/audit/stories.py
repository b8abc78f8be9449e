"""What a check over time is given: an entry under judgement, what governed it, and what had happened before it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property, reduce
from operator import or_
from typing import Any, TypeVar

from django.db.models import Q

from compliance.accounts.models import Casino
from compliance.audit.catalogue import CODES
from compliance.audit.circumstances import VersionUsed
from compliance.audit.drafts import Draft, check_of
from compliance.audit.models import Happening
from compliance.audit.seen import Circumstances, NoRules
from rounds.engine.packs import Pack
from rounds.intake.kinds.lines import read_line
from rounds.intake.persons import person_said
from rounds.ledger.following import Recorded, read_entries_at

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Happened:
    """One entry other than a round. `at` is when it was so, by the clock of whoever said it."""

    at: datetime
    entry: Recorded

    @property
    def index(self) -> int:
        return self.entry.index

    @property
    def kind(self) -> str:
        return self.entry.kind

    @property
    def table(self) -> str:
        return self.entry.table or ""

    @cached_property
    def body(self) -> Any:
        """What a controller said, or a person in its place, as its kind's structure; other records as they stand."""
        if self.entry.controller is not None:
            return read_line(self.entry.body).body
        said = person_said(self.entry)
        return said[1] if said else self.entry.content()


@dataclass(frozen=True)
class Looks:
    """Which kinds a check looks back at, how far, and whether at those of every table of the casino."""

    at: frozenset[str] = frozenset()
    back: timedelta = timedelta(hours=36)
    everywhere: bool = False


@dataclass(frozen=True, eq=False)
class Story:
    """What had happened before an instant, in the order of time: never more than the check said it looks at."""

    happened: Sequence[Happened] = ()

    def of(self, *kinds: str) -> list[Happened]:
        return [each for each in self.happened if each.kind in kinds]

    def last(self, *kinds: str) -> Happened | None:
        return next((each for each in reversed(self.happened) if each.kind in kinds), None)

    def since(self, *kinds: str) -> list[Happened]:
        """All that came after the last of these, or everything where there was none."""
        last = self.last(*kinds)
        return list(self.happened) if last is None else [each for each in self.happened if _key(each) > _key(last)]


@dataclass(frozen=True, eq=False)
class Subject:
    """An entry under judgement. `circumstances` None: it concerns no table, or no rules were in force there.

    `before` is what held until then. `versions` are the rule versions in force at the casino, for duties that are not
    those of one table.
    """

    casino: Casino
    happened: Happened
    story: Story
    circumstances: Circumstances | None = None
    before: Circumstances | NoRules | None = None
    versions: tuple[VersionUsed, ...] = ()
    memo: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def at(self) -> datetime:
        return self.happened.at

    @property
    def table(self) -> str:
        return self.happened.table

    @property
    def body(self) -> Any:
        return self.happened.body

    @property
    def pack(self) -> Pack | None:
        return self.circumstances.pack if self.circumstances else None

    def once(self, key: Hashable, read: Callable[[], T]) -> T:
        """What several subjects of one stretch need is read once."""
        if key not in self.memo:
            self.memo[key] = read()
        found: T = self.memo[key]
        return found

    def clock(self, at: datetime) -> str:
        """An instant as the casino's own clock has it."""
        return f"{at.astimezone(self.casino.zone):%H:%M:%S %Z}"

    def draft(
        self, code: str, *, what: str = "", required: str = "", found: str = "",
        evidence: Iterable[Happened | int] = (), version: VersionUsed | None = None, **rest: Any,
    ) -> Draft:  # fmt: skip
        """A draft about this entry; `evidence` is what else it rests on."""
        governing = version.governing if version else self.circumstances.version if self.circumstances else None
        others = [each.index if isinstance(each, Happened) else each for each in evidence]
        return Draft(
            code=code,
            check=check_of(code),
            index=self.happened.index,
            table=self.table,
            at=self.at,
            sentence=CODES[code].says(what=what, required=required, found=found),
            version=governing.id if governing else None,
            evidence=tuple(
                dict.fromkeys((self.happened.index, *others, *((governing.entry_index,) if governing else ())))
            ),
            **rest,
        )


def _key(happened: Happened) -> tuple[datetime, int]:
    return happened.at, happened.index


@dataclass(eq=False)
class Stories:
    """The happenings that the checks of one stretch look at, read in two queries, told to each check as it asked."""

    # None: those of every table, and those of none.
    by_table: Mapping[str | None, Sequence[Happened]] = field(default_factory=dict)

    def before(self, looks: Looks, table: str, at: datetime, index: int | None = None) -> Story:
        """What had happened by then; of the same instant, what the log has before `index`."""
        rows = self.by_table.get(None if looks.everywhere else table, ())
        start = bisect_left(rows, at - looks.back, key=lambda each: each.at)
        end = (
            bisect_right(rows, at, key=lambda each: each.at)
            if index is None
            else bisect_left(rows, (at, index), key=_key)
        )
        return Story([each for each in rows[start:end] if each.kind in looks.at])


def read_stories(log: str, asked: Iterable[tuple[Looks, str, datetime]]) -> Stories:
    """For checks that will look back from these instants at these tables."""
    wanted = [
        Q(kind__in=looks.at, at__gte=first - looks.back, at__lte=last)
        & (Q() if looks.everywhere else Q(table__in=tables))
        for looks, tables, first, last in _spans(asked)
    ]
    if not wanted:
        return Stories()
    rows = Happening.objects.filter(reduce(or_, wanted), log=log, taken_back_index=None).order_by("at", "entry_index")
    times = dict(rows.values_list("entry_index", "at"))
    entries = {entry.index: entry for entry in read_entries_at(log, list(times))} if times else {}
    by_table: dict[str | None, list[Happened]] = {}
    for index, at in times.items():
        happened = Happened(at, entries[index])
        by_table.setdefault(None, []).append(happened)
        by_table.setdefault(happened.table, []).append(happened)
    return Stories(by_table)


def _spans(asked: Iterable[tuple[Looks, str, datetime]]) -> Iterator[tuple[Looks, set[str], datetime, datetime]]:
    grouped: dict[Looks, list[tuple[str, datetime]]] = {}
    for looks, table, at in asked:
        if looks.at:
            grouped.setdefault(looks, []).append((table, at))
    for looks, places in grouped.items():
        instants = [at for _, at in places]
        yield looks, {table for table, _ in places}, min(instants), max(instants)
