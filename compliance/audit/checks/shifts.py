"""Inspections at the start of a shift: of the one a table opens in, and of every one that begins while it stays open.

The first round of a shift shows whether it was inspected before; where nobody played, the closing does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from compliance.accounts.models import Casino
from compliance.audit.checks.custody import CLOSED, INSPECTING, OPENED, duties_at, item_words, made
from compliance.audit.checks.ways_in import OverTime, RoundOverTime
from compliance.audit.drafts import Draft, over_time
from compliance.audit.models import PackedRound
from compliance.audit.seen import RoundSeen
from compliance.audit.stories import Happened, Looks, Story, Subject
from rounds.engine.duties import Inspection as Duty
from rounds.floor.gaming_days import shift_at

OCCASION = "start-of-shift"


def judge_closing(subject: Subject) -> Iterator[Draft]:
    """For the opening, and for every shift since that nobody played in."""
    opened = subject.story.last(OPENED)
    if opened is None:
        return
    for duty in duties_at(subject.circumstances, subject.story, OCCASION):
        inspected = made(subject.story.happened, duty)
        missed = [begun for begun in _begun(subject, opened) if not _is_inspected(subject, inspected, *begun)]
        if missed:
            words: dict[str, Any] = _words(duty, subject.clock(missed[0][1]))
            yield subject.draft("INSPECT-SHIFT", clause=duty.clause, evidence=[opened], **words)


def _words(duty: Duty, clock: str) -> dict[str, str]:
    what = item_words(duty)
    return {
        "what": what[0].upper() + what[1:],
        "found": f"nothing for the shift at {clock}",
        "required": f"{duty.trials} trials",
    }


def _begun(subject: Subject, opened: Happened) -> list[tuple[datetime, datetime]]:
    """From when an inspection counts, and from when it was due: at the opening, and at each shift without a round.

    A casino that has not said when its shifts begin begins one with every opening.
    """
    at_opening = shift_at(subject.casino, opened.at)
    closed = [each.at for each in subject.story.of(CLOSED) if each.at < opened.at]
    counts_from = at_opening.began_at if at_opening else max(closed, default=opened.at - timedelta(hours=12))
    found, later, until = [(counts_from, opened.at)], shift_at(subject.casino, subject.at), subject.at
    while later is not None and later.began_at > opened.at:
        if _first_round(subject.casino.slug, subject.table, later.began_at, until) is None:
            found.append((later.began_at, later.began_at))
        until = later.began_at
        later = shift_at(subject.casino, later.began_at - timedelta(microseconds=1))
    return sorted(found)


def _first_round(log: str, table: str, after: datetime, until: datetime) -> datetime | None:
    rounds = PackedRound.objects.filter(
        log=log, table=table, started_at__gt=after, started_at__lte=until, taken_back_index=None
    )
    return rounds.order_by("started_at").values_list("started_at", flat=True).first()


def _is_inspected(subject: Subject, inspected: Sequence[Happened], counts_from: datetime, due: datetime) -> bool:
    first = _first_round(subject.casino.slug, subject.table, due, subject.at)
    until = subject.at if first is None else first
    return any(counts_from <= each.at <= until for each in inspected)


def judge_round(seen: RoundSeen, story: Story) -> Iterator[Draft]:
    """At the first round of a shift that began while the table was open; a table that is played at is open."""
    duties = duties_at(seen.circumstances, story, OCCASION)
    turned = story.last(OPENED, CLOSED)
    if not duties or (turned is not None and turned.kind == CLOSED):
        return
    casino = Casino.objects.get(slug=seen.log)
    began_at = min(seen.events.values())
    shift = shift_at(casino, began_at)
    if shift is None or (turned is not None and turned.at >= shift.began_at):
        return
    if _first_round(seen.log, seen.table, shift.began_at, began_at) != began_at:
        return
    for duty in duties:
        if not any(shift.began_at <= each.at <= began_at for each in made(story.happened, duty)):
            clock = f"{shift.began_at.astimezone(casino.zone):%H:%M:%S %Z}"
            evidence = [turned.index] if turned is not None else []
            yield over_time(seen, "INSPECT-SHIFT", clause=duty.clause, evidence=evidence, **_words(duty, clock))


def shifts_between(casino: Casino, first: datetime, last: datetime) -> Iterator[datetime]:
    """When each shift began that was on at any time between two instants, the latest first."""
    shift = shift_at(casino, last)
    while shift is not None:
        yield shift.began_at
        shift = shift_at(casino, shift.began_at - timedelta(microseconds=1)) if shift.began_at > first else None


LOOKED_BACK = timedelta(days=3)
CHECKS = (
    OverTime(
        frozenset({"INSPECT-SHIFT"}), frozenset({CLOSED}), judge_closing, Looks(INSPECTING | {"round"}, LOOKED_BACK)
    ),
)
ROUND_CHECKS = (RoundOverTime(frozenset({"INSPECT-SHIFT"}), judge_round, Looks(INSPECTING, LOOKED_BACK)),)
