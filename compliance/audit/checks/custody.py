"""Dice, shakers and inspections: how long dice stay, which shaker may be there, who tried what before play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from compliance.audit.checks.people import means
from compliance.audit.checks.ways_in import OverTime
from compliance.audit.drafts import Draft, lasting
from compliance.audit.seen import Circumstances
from compliance.audit.stories import Happened, Looks, Story, Subject
from rounds.engine.duties import Inspection as Duty

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


def duties_at(circumstances: Circumstances | None, story: Story, occasion: str) -> list[Duty]:
    """Those that apply at a table: an automated shaker is inspected where one is in use."""
    if circumstances is None:
        return []
    shakers = [each.body.type for each in shakers_at_table(story.happened).values()]
    has_automated = "automated" in shakers if shakers else circumstances.equipment.shaker == "automated"
    every = circumstances.pack.duties.inspections or ()
    return [duty for duty in every if duty.when == occasion and (duty.item != AUTOMATED or has_automated)]


def made(happened: Sequence[Happened], duty: Duty) -> list[Happened]:
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


def item_words(duty: Duty) -> str:
    return f"the {duty.item.replace('-', ' ')}"


def judge_opening(subject: Subject) -> Iterator[Draft]:
    """Each item since the table was closed last."""
    since = subject.story.since(CLOSED)
    duties = duties_at(subject.circumstances, subject.story, "before-opening")
    missed = [duty for duty in duties if not made(since, duty)]
    if missed:
        yield subject.draft(
            "INSPECT-OPENING", what=" and ".join(map(item_words, missed)), clause=missed[0].clause,
            found=str(_tried(since, missed[0])), required=str(missed[0].trials),
        )  # fmt: skip


def judge_rank(subject: Subject) -> Iterator[Draft]:
    body, pack = subject.body, subject.pack
    for duty in (pack.duties.inspections if pack else None) or ():
        if (duty.item, duty.when) == (body.item, body.occasion) and pack is not None:
            if body.by.position not in means(pack, duty.inspected_by):
                what = item_words(duty)
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
    OverTime(frozenset({"INSPECT-RANK"}), frozenset({INSPECTED}), judge_rank, Looks()),
)  # fmt: skip
