"""Judging what happened besides rounds: a fixed number of queries for a stretch, none where it has no such entries."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from compliance.accounts.models import Casino
from compliance.audit import found_in_time, warnings
from compliance.audit.checks import OVER_TIME, ROUNDS_OVER_TIME, STRETCH_CHECKS
from compliance.audit.checks.ways_in import OverTime, Stretch
from compliance.audit.circumstances import Timelines, timelines_of
from compliance.audit.drafts import Draft
from compliance.audit.models import Happening
from compliance.audit.packed import KINDS
from compliance.audit.seen import Circumstances, RoundSeen
from compliance.audit.stories import Happened, Looks, Stories, Subject, read_stories
from rounds.ledger.following import read_entries_at
from rounds.rulebook.models import RuleVersion

JUDGED_AT = frozenset[str]().union(*(check.judged_at for check in OVER_TIME))
# What held just before an entry is told by the facts of that instant.
A_MOMENT = timedelta(microseconds=1)


def judge_over_time(
    stretch: Stretch, instead: RuleVersion | None = None
) -> tuple[list[Draft], list[tuple[int, Circumstances]]]:  # fmt: skip
    """What is said of the stretch, and the circumstances that each of its entries was judged in."""
    casino = stretch.casino
    drafts = [draft for check in STRETCH_CHECKS for draft in check.judge(stretch)]
    subjects = _subjects(casino, stretch.first, stretch.last)
    if not subjects:
        return drafts, []
    asked = [(check, happened) for happened in subjects for check in OVER_TIME if happened.kind in check.judged_at]
    stories = read_stories(casino.slug, [(check.looks, happened.table, happened.at) for check, happened in asked])
    timelines = _timelines(casino, subjects, instead)
    used: list[tuple[int, Circumstances]] = []
    memo: dict[Hashable, Any] = {}
    for check, happened in asked:
        subject = replace(_subject(casino, check, happened, stories, timelines), memo=memo)
        found = list(check.judge(subject))
        drafts += found
        if subject.circumstances is not None:
            used.append((happened.index, subject.circumstances))
    return drafts, used


def _subjects(casino: Casino, first: int, last: int) -> list[Happened]:
    rows = Happening.objects.filter(
        log=casino.slug, entry_index__gte=first, entry_index__lt=last, kind__in=JUDGED_AT, taken_back_index=None
    )
    times = dict(rows.values_list("entry_index", "at"))
    entries = read_entries_at(casino.slug, list(times)) if times else []
    return [Happened(times[entry.index], entry) for entry in entries]


def _timelines(casino: Casino, subjects: Sequence[Happened], instead: RuleVersion | None) -> Timelines:
    instants = [happened.at for happened in subjects]
    tables = {happened.table for happened in subjects if happened.table}
    return timelines_of(casino, tables, min(instants) - A_MOMENT, max(instants), instead)


def _subject(
    casino: Casino, check: OverTime, happened: Happened, stories: Stories, timelines: Timelines
) -> Subject:  # fmt: skip
    governing = timelines.at(happened.table, happened.at) if happened.table else None
    return Subject(
        casino=casino,
        happened=happened,
        story=stories.before(check.looks, happened.table, happened.at, happened.index),
        circumstances=governing if isinstance(governing, Circumstances) else None,
        before=timelines.at(happened.table, happened.at - A_MOMENT) if happened.table else None,
        versions=timelines.versions_at(happened.at),
    )


def judge_rounds_over_time(log: str, rounds: Iterable[RoundSeen]) -> list[Draft]:
    """What the story of their table says of these rounds."""
    asked = [(check, seen) for seen in rounds for check in ROUNDS_OVER_TIME]
    stories = read_stories(log, [(check.looks, seen.table, seen.ended_at) for check, seen in asked])
    return [
        draft
        for check, seen in asked
        for draft in check.judge(seen, stories.before(check.looks, seen.table, seen.ended_at))
    ]


def looking_at(kind: str) -> list[tuple[Looks, frozenset[str]]]:
    """How the checks look that look at this kind at all, and the kinds of what they judge by it."""
    over_time = [(check.looks, check.judged_at) for check in OVER_TIME]
    every = (*(check.looks for check in ROUNDS_OVER_TIME), warnings.LOOKS, found_in_time.LOOKS)
    of_rounds = [(looks, KINDS) for looks in every]
    return [(looks, judged) for looks, judged in (*over_time, *of_rounds) if kind in looks.at]
