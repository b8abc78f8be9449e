"""Dice, shakers and inspections: how long dice stay, which shaker may be there, who tried what before play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from compliance.audit.checks.people import means
from compliance.audit.checks.ways_in import OverTime
from compliance.audit.drafts import Draft, lasting
from compliance.audit.models import PackedRound
from compliance.audit.stories import Happened, Looks, Subject
from rounds.engine.duties import Inspection as Duty
from rounds.floor.gaming_days import shift_at

PLACED, REMOVED = "dice-placed", "dice-removed"
SHAKER_PLACED, SHAKER_REMOVED = "shaker-placed", "shaker-removed"
OPENED, CLOSED, INSPECTED = "table-opened", "table-closed", "inspection"
# Entries that show how late it is, whatever else they say.
SHOWING = frozenset({PLACED, REMOVED, OPENED, CLOSED})
A_MONTH = timedelta(days=30)
AUTOMATED = "automated-shaker"


# --- Dice -----------------------------------------------------------------------------------------------------------


def judge_dice(subject: Subject) -> Iterator[Draft]:
    """At the first entry that shows it: when the set leaves, or when anything is told after its time was over."""
    duty = subject.pack.duties.dice_custody if subject.pack else None
    if duty is None:
        return
    most = timedelta(hours=duty.at_most_hours)
    late = [placed for placed in _sets_at_table(subject) if _is_first_to_show(subject, placed.at + most)]
    if late:
        stay = max(subject.at - placed.at for placed in late)
        yield subject.draft(
            "DICE-24H", what=f"Set {', '.join(placed.body.dice for placed in late)}", found=lasting(stay),
            required=lasting(most), clause=duty.clause, evidence=late,
        )  # fmt: skip


def _sets_at_table(subject: Subject) -> list[Happened]:
    """Those placed and not removed before; at a removal, only the set that leaves and those that stay on."""
    there: dict[str, Happened] = {}
    for each in subject.story.of(PLACED, REMOVED):
        if each.kind == PLACED:
            there.setdefault(each.body.dice, each)
        else:
            there.pop(each.body.dice, None)
    return list(there.values())


def _is_first_to_show(subject: Subject, deadline: datetime) -> bool:
    """Strictly more is a breach. What an earlier entry showed already is found there."""
    return subject.at > deadline and not any(each.at > deadline for each in subject.story.happened)


# --- Shakers --------------------------------------------------------------------------------------------------------


def shakers_at_table(happened: Sequence[Happened]) -> dict[str, Happened]:
    there: dict[str, Happened] = {}
    for each in happened:
        if each.kind == SHAKER_PLACED:
            there[each.body.shaker] = each
        elif each.kind == SHAKER_REMOVED:
            there.pop(each.body.shaker, None)
    return there


def judge_swap(subject: Subject) -> Iterator[Draft]:
    duty = subject.pack.duties.shaker_swap if subject.pack else None
    if duty is None or subject.body.type != duty.before_using:
        return
    still = [each for each in shakers_at_table(subject.story.happened).values() if each.body.type == duty.removed]
    if still:
        yield subject.draft(
            "SHAKER-SWAP", found=f"The {duty.before_using} shaker {subject.body.shaker}", clause=duty.clause,
            required=f"the {duty.removed} shaker {still[0].body.shaker}", evidence=still,
        )  # fmt: skip


# --- Inspections ----------------------------------------------------------------------------------------------------


def _duties(subject: Subject, occasion: str) -> list[Duty]:
    """Those that apply at this table: an automated shaker is inspected where one is in use."""
    every = (subject.pack.duties.inspections if subject.pack else None) or ()
    shakers = [each.body.type for each in shakers_at_table(subject.story.happened).values()]
    stated = subject.circumstances.equipment.shaker if subject.circumstances else "none"
    has_automated = "automated" in shakers if shakers else stated == "automated"
    return [duty for duty in every if duty.when == occasion and (duty.item != AUTOMATED or has_automated)]


def _made(happened: Sequence[Happened], duty: Duty) -> list[Happened]:
    """Inspections of that item on that occasion that were thorough enough and found it in order."""
    return [
        each
        for each in happened
        if each.kind == INSPECTED
        and (each.body.item, each.body.occasion) == (duty.item, duty.when)
        and each.body.passed
        and each.body.trials >= duty.trials
    ]


def _tried(happened: Sequence[Happened], duty: Duty) -> int:
    return max((each.body.trials for each in happened if each.kind == INSPECTED and each.body.item == duty.item
                and each.body.occasion == duty.when), default=0)  # fmt: skip


def _item(duty: Duty) -> str:
    return f"the {duty.item.replace('-', ' ')}"


def judge_opening(subject: Subject) -> Iterator[Draft]:
    """Each item since the table was closed last."""
    since = subject.story.since(CLOSED)
    missed = [duty for duty in _duties(subject, "before-opening") if not _made(since, duty)]
    if missed:
        yield subject.draft(
            "INSPECT-OPENING", what=" and ".join(map(_item, missed)), clause=missed[0].clause,
            found=str(_tried(since, missed[0])), required=str(missed[0].trials),
        )  # fmt: skip


def judge_shifts(subject: Subject) -> Iterator[Draft]:
    """At a closing, for the opening and every start of a shift since: before the first round that followed it."""
    opened = subject.story.last(OPENED)
    if opened is None:
        return
    for duty in _duties(subject, "start-of-shift"):
        made = _made(subject.story.happened, duty)
        missed = [begun for begun in _begun(subject, opened) if not _is_inspected(subject, made, *begun)]
        if missed:
            due = missed[0][1]
            yield subject.draft(
                "INSPECT-SHIFT", what=_item(duty)[0].upper() + _item(duty)[1:], clause=duty.clause,
                found=f"nothing for the shift at {subject.clock(due)}", required=f"{duty.trials} trials",
                evidence=[opened],
            )  # fmt: skip


def _begun(subject: Subject, opened: Happened) -> list[tuple[datetime, datetime]]:
    """From when an inspection counts, and from when it was due: at the opening, and at each shift that began after.

    A casino that has not said when its shifts begin begins one with every opening.
    """
    at_opening = shift_at(subject.casino, opened.at)
    closed = [each.at for each in subject.story.of(CLOSED) if each.at < opened.at]
    counts_from = at_opening.began_at if at_opening else max(closed, default=opened.at - timedelta(hours=12))
    found, later = [(counts_from, opened.at)], shift_at(subject.casino, subject.at)
    while later is not None and later.began_at > opened.at:
        found.append((later.began_at, later.began_at))
        later = shift_at(subject.casino, later.began_at - timedelta(microseconds=1))
    return sorted(found)


def _is_inspected(subject: Subject, made: Sequence[Happened], counts_from: datetime, due: datetime) -> bool:
    rounds = PackedRound.objects.filter(
        log=subject.casino.slug, table=subject.table, started_at__gt=due, started_at__lte=subject.at,
        taken_back_index=None,
    )  # fmt: skip
    first = rounds.order_by("started_at").values_list("started_at", flat=True).first()
    until = subject.at if first is None else first
    return any(counts_from <= each.at <= until for each in made)


def judge_rank(subject: Subject) -> Iterator[Draft]:
    body, pack = subject.body, subject.pack
    for duty in (pack.duties.inspections if pack else None) or ():
        if (duty.item, duty.when) == (body.item, body.occasion) and pack is not None:
            if body.by.position not in means(pack, duty.inspected_by):
                what = _item(duty)
                yield subject.draft(
                    "INSPECT-RANK", what=what[0].upper() + what[1:], found=body.by.position,
                    required=duty.inspected_by, clause=duty.clause,
                )  # fmt: skip
            return


INSPECTING = frozenset({INSPECTED, OPENED, CLOSED, SHAKER_PLACED, SHAKER_REMOVED})
CHECKS = (
    OverTime(frozenset({"DICE-24H"}), SHOWING, judge_dice, Looks(SHOWING, A_MONTH)),
    OverTime(
        frozenset({"SHAKER-SWAP"}), frozenset({SHAKER_PLACED}), judge_swap,
        Looks(frozenset({SHAKER_PLACED, SHAKER_REMOVED}), A_MONTH),
    ),
    OverTime(frozenset({"INSPECT-OPENING"}), frozenset({OPENED}), judge_opening, Looks(INSPECTING, timedelta(days=3))),
    OverTime(
        frozenset({"INSPECT-SHIFT"}), frozenset({CLOSED}), judge_shifts,
        Looks(INSPECTING | {"round"}, timedelta(days=3)),
    ),
    OverTime(frozenset({"INSPECT-RANK"}), frozenset({INSPECTED}), judge_rank, Looks()),
)  # fmt: skip
