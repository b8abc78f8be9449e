"""Checks of dice, shakers and inspections: how long dice stay, damaged dice, which shaker is used, inspections before
opening."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from compliance.audit.catalogue.table_codes import (
    DICE_24H,
    DICE_DAMAGED,
    DICE_UNSEALED,
    INSPECT_OPENING,
    INSPECT_RANK,
    SHAKER_SWAP,
)
from compliance.audit.checks.shared.check_types import RoundHistoryCheck, TimelineCheck
from compliance.audit.checks.shared.roles import position_words, positions_for_role
from compliance.audit.context.entry_source import EntrySource
from compliance.audit.context.finding_draft import FindingDraft, capitalize_first, format_duration, round_history_draft
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import EventAt, EventContext, History, LookBack
from rounds.engine import RulesInForce
from rounds.engine import pack as engine_pack
from rounds.engine.utc_clock import format_utc_clock
from rounds.intake import entry_kinds

# Entries whose time shows that a dice set has stayed too long.
DICE_TIME_ENTRIES = frozenset(
    {entry_kinds.DICE_PLACED, entry_kinds.DICE_REMOVED, entry_kinds.TABLE_OPENED, entry_kinds.TABLE_CLOSED}
)
DICE_KINDS = frozenset({entry_kinds.DICE_PLACED, entry_kinds.DICE_REMOVED})
SHAKER_KINDS = frozenset({entry_kinds.SHAKER_PLACED, entry_kinds.SHAKER_REMOVED})
MONTH = timedelta(days=30)
# All rounds for this long after a set was removed as damaged are checked exactly.
DAMAGED_DICE_LOOK_BACK = timedelta(days=7)
AUTOMATED_SHAKER = "automated-shaker"


# --- Dice -----------------------------------------------------------------------------------------------------------


def check_dice_time_limit(context: EventContext) -> Iterator[FindingDraft]:
    """DICE-24H (`duties.dice_custody`), at the first entry after the deadline: a removal, or any other dice or table
    entry. A round after the deadline is reported by check_dice_time_at_round."""
    duty = context.pack.duties.dice_custody if context.pack else None
    if duty is None:
        return
    most = timedelta(hours=duty.at_most_hours)
    late = [
        placed
        for placed in _dice_sets_at_table(context.history.events)
        if _is_first_entry_after(context, placed.at + most)
        and not _has_round_between(context.source, context.table, placed.at + most, context.event_time)
    ]
    if late:
        yield context.draft(DICE_24H, clause=duty.clause, evidence=late, **_stay_texts(late, context.event_time, most))


def check_dice_time_at_round(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """DICE-24H (`duties.dice_custody`), at a round that is the first entry after the deadline."""
    duty, began_at = context.pack.duties.dice_custody, min(context.events.values())
    if duty is None:
        return
    most = timedelta(hours=duty.at_most_hours)
    before = [each for each in history.events if each.at <= began_at]
    late = [
        placed
        for placed in _dice_sets_at_table(before)
        if began_at > placed.at + most
        and not any(each.at > placed.at + most for each in before)
        and not _has_round_between(history.source, context.table, placed.at + most, began_at)
    ]
    if late:
        evidence = [placed.index for placed in late]
        yield round_history_draft(
            context, DICE_24H, clause=duty.clause, evidence=evidence, **_stay_texts(late, began_at, most)
        )


def _stay_texts(late: Sequence[EventAt], at: datetime, most: timedelta) -> dict[str, Any]:
    return {
        "what": f"Set {', '.join(placed.body.dice for placed in late)}",
        "found": format_duration(max(at - placed.at for placed in late)),
        "required": format_duration(most),
    }


def _has_round_between(source: EntrySource, table: str, after: datetime, before: datetime) -> bool:
    return any(after < each.started_at < before for each in source.rounds([table], started=(after, before)))


def check_damaged_dice(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """DICE-DAMAGED (`conduct.damaged_dice`): a round with a set that was removed as damaged and not placed since."""
    rule, dice = context.pack.conduct.damaged_dice, context.round.dice_set
    if rule is None or dice is None or context.round.no_result is not None:
        return
    began_at = min(context.events.values())
    of_set = [each for each in history.events if each.body.dice == dice and each.at <= began_at]
    if of_set and is_damaged_removal(of_set[-1]):
        yield round_history_draft(
            context,
            DICE_DAMAGED,
            what=context.round_label,
            found=f"set {dice}",
            required=format_utc_clock(of_set[-1].at),
            clause=rule.clause,
            evidence=[of_set[-1].index],
        )


def check_sealed_dice(context: EventContext) -> Iterator[FindingDraft]:
    """DICE-UNSEALED (`conduct.sealed_dice`): a set was placed and reported as not sealed. Without a word about it there
    is no finding."""
    rule = context.pack.conduct.sealed_dice if context.pack else None
    if rule is not None and context.body.sealed is False:
        yield context.draft(
            DICE_UNSEALED,
            what=f"Set {context.body.dice}",
            found=context.format_local_time(context.event_time),
            required="the dice must be sealed in the tumbler or shaker",
            clause=rule.clause,
        )


def is_damaged_removal(event: EventAt) -> bool:
    return event.kind == entry_kinds.DICE_REMOVED and event.body.reason == "damaged"


def _dice_sets_at_table(events: Sequence[EventAt]) -> list[EventAt]:
    """Sets placed and not removed since."""
    placed: dict[str, EventAt] = {}
    for each in events:
        if each.kind not in DICE_KINDS:
            continue
        if each.kind == entry_kinds.DICE_PLACED:
            placed.setdefault(each.body.dice, each)
        else:
            placed.pop(each.body.dice, None)
    return list(placed.values())


def _is_first_entry_after(context: EventContext, deadline: datetime) -> bool:
    """Whether this is the first entry after the deadline, so that each set is reported once. Exactly at the deadline is
    in time."""
    return context.event_time > deadline and not any(each.at > deadline for each in context.history.events)


# --- Shakers --------------------------------------------------------------------------------------------------------


def shakers_at_table(events: Sequence[EventAt]) -> dict[str, EventAt]:
    placed: dict[str, EventAt] = {}
    for each in events:
        if each.kind == entry_kinds.SHAKER_PLACED:
            placed[each.body.shaker] = each
        elif each.kind == entry_kinds.SHAKER_REMOVED:
            placed.pop(each.body.shaker, None)
    return placed


def check_shaker_swap(context: EventContext) -> Iterator[FindingDraft]:
    """SHAKER-SWAP (`duties.shaker_swap`): a manual shaker used while the automated one is still at the table."""
    duty = context.pack.duties.shaker_swap if context.pack else None
    if duty is None or context.body.type != duty.before_using:
        return
    still = [each for each in shakers_at_table(context.history.events).values() if each.body.type == duty.removed]
    if still:
        yield context.draft(
            SHAKER_SWAP,
            found=f"The {duty.before_using} shaker {context.body.shaker}",
            clause=duty.clause,
            required=f"the {duty.removed} shaker {still[0].body.shaker}",
            evidence=still,
        )


def check_shaker_of_round(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """SHAKER-SWAP (`duties.shaker_swap`), at a round played with the manual shaker, whichever was placed first."""
    duty, commenced = context.pack.duties.shaker_swap, context.rules_in_force.commenced_at(context.events)
    if duty is None or context.round.shaker is None:
        return
    present = shakers_at_table([each for each in history.events if each.at <= commenced])
    used = present.get(context.round.shaker)
    still = [each for each in present.values() if each.body.type == duty.removed]
    if used is not None and used.body.type == duty.before_using and still:
        yield round_history_draft(
            context,
            SHAKER_SWAP,
            found=f"The {duty.before_using} shaker {context.round.shaker}",
            required=f"the {duty.removed} shaker {still[0].body.shaker}",
            clause=duty.clause,
            evidence=[used.index, still[0].index],
        )


# --- Inspections ----------------------------------------------------------------------------------------------------


def inspection_duties_at(
    rules_in_force: RulesInForce | None, history: History, occasion: str
) -> list[engine_pack.InspectionDuty]:
    """The inspections due on an occasion. An automated shaker is inspected only where one is in use."""
    if rules_in_force is None:
        return []
    shakers = [each.body.type for each in shakers_at_table(history.events).values()]
    has_automated = "automated" in shakers if shakers else rules_in_force.equipment.shaker == "automated"
    every = rules_in_force.pack.duties.inspections or ()
    return [duty for duty in every if duty.when == occasion and (duty.item != AUTOMATED_SHAKER or has_automated)]


def passed_inspections(events: Sequence[EventAt], duty: engine_pack.InspectionDuty) -> list[EventAt]:
    """Inspections of that item and occasion that passed with enough trials."""
    return [
        each
        for each in events
        if each.kind == entry_kinds.INSPECTION
        and (each.body.item, each.body.occasion) == (duty.item, duty.when)
        and each.body.passed
        and _completed_trials(each, duty) >= duty.trials
    ]


def _completed_trials(inspection: EventAt, duty: engine_pack.InspectionDuty) -> int:
    return duty.completed_trials(inspection.body.trials, len(inspection.body.entered))


def _missed_inspection_text(events: Sequence[EventAt], duty: engine_pack.InspectionDuty) -> str:
    """The item with the trials that were reported of it: those of the report that comes nearest to the duty."""
    reported = [
        each
        for each in events
        if each.kind == entry_kinds.INSPECTION and (each.body.item, each.body.occasion) == (duty.item, duty.when)
    ]
    if not reported:
        return f"{item_label(duty)} (0 trials, {duty.trials} due)"
    nearest = max(reported, key=lambda each: (_completed_trials(each, duty), each.body.trials))
    trials, results = nearest.body.trials, len(nearest.body.entered)
    said = f"{trials} trial{'' if trials == 1 else 's'} reported"
    if trials and not _completed_trials(nearest, duty):
        said += f", with the values of {results}" if results else " without the values entered"
    elif not nearest.body.passed:
        said += " as not passed"
    return f"{item_label(duty)} ({said}; {duty.trials} due)"


def item_label(duty: engine_pack.InspectionDuty) -> str:
    return f"the {duty.item.replace('-', ' ')}"


def check_opening_inspections(context: EventContext) -> Iterator[FindingDraft]:
    """INSPECT-OPENING (`duties.inspections`): each item must be inspected between the last closing and this opening."""
    since = context.history.events_since_last(entry_kinds.TABLE_CLOSED)
    duties = inspection_duties_at(context.rules_in_force, context.history, "before-opening")
    missed = [duty for duty in duties if not passed_inspections(since, duty)]
    if missed:
        yield context.draft(
            INSPECT_OPENING,
            found=" and ".join(_missed_inspection_text(since, duty) for duty in missed),
            clause=missed[0].clause,
        )


def check_inspector_rank(context: EventContext) -> Iterator[FindingDraft]:
    """INSPECT-RANK (`duties.inspections`): inspected by a position that the document does not name."""
    body, pack = context.body, context.pack
    for duty in (pack.duties.inspections if pack else None) or ():
        if (duty.item, duty.when) == (body.item, body.occasion) and pack is not None:
            if body.by.position not in positions_for_role(pack, duty.inspected_by):
                what = item_label(duty)
                yield context.draft(
                    INSPECT_RANK,
                    what=capitalize_first(what),
                    found=position_words(body.by.position),
                    required=f"a {duty.inspected_by}",
                    clause=duty.clause,
                )
            return


INSPECTION_KINDS = frozenset(
    {
        entry_kinds.INSPECTION,
        entry_kinds.TABLE_OPENED,
        entry_kinds.TABLE_CLOSED,
        entry_kinds.SHAKER_PLACED,
        entry_kinds.SHAKER_REMOVED,
    }
)
CHECKS = (
    TimelineCheck(
        frozenset({DICE_24H}),
        DICE_TIME_ENTRIES,
        check_dice_time_limit,
        LookBack(DICE_TIME_ENTRIES | {entry_kinds.ROUND}, MONTH),
    ),
    TimelineCheck(frozenset({DICE_UNSEALED}), frozenset({entry_kinds.DICE_PLACED}), check_sealed_dice, LookBack()),
    TimelineCheck(
        frozenset({SHAKER_SWAP}),
        frozenset({entry_kinds.SHAKER_PLACED}),
        check_shaker_swap,
        LookBack(SHAKER_KINDS, MONTH),
    ),
    TimelineCheck(
        frozenset({INSPECT_OPENING}),
        frozenset({entry_kinds.TABLE_OPENED}),
        check_opening_inspections,
        LookBack(INSPECTION_KINDS, timedelta(days=3)),
    ),
    TimelineCheck(frozenset({INSPECT_RANK}), frozenset({entry_kinds.INSPECTION}), check_inspector_rank, LookBack()),
)
ROUND_CHECKS = (
    RoundHistoryCheck(frozenset({DICE_24H}), check_dice_time_at_round, LookBack(DICE_TIME_ENTRIES, MONTH)),
    RoundHistoryCheck(frozenset({DICE_DAMAGED}), check_damaged_dice, LookBack(DICE_KINDS, DAMAGED_DICE_LOOK_BACK)),
    RoundHistoryCheck(frozenset({SHAKER_SWAP}), check_shaker_of_round, LookBack(SHAKER_KINDS, MONTH)),
)
