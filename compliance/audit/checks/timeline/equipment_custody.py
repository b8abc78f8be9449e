"""Checks of dice, shakers and inspections: how long dice stay, which shaker is at the table, inspections before
opening."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from compliance.audit.catalogue.table_codes import DICE_24H, INSPECT_OPENING, INSPECT_RANK, SHAKER_SWAP
from compliance.audit.checks.shared.check_types import TimelineCheck
from compliance.audit.checks.shared.roles import positions_for_role
from compliance.audit.context.finding_draft import FindingDraft, format_duration
from compliance.audit.context.timeline import EventAt, EventContext, History, LookBack
from rounds.engine import RulesInForce
from rounds.engine import pack as engine_pack
from rounds.intake import entry_kinds

# Entries whose time shows that a dice set has stayed too long.
DICE_TIME_ENTRIES = frozenset(
    {entry_kinds.DICE_PLACED, entry_kinds.DICE_REMOVED, entry_kinds.TABLE_OPENED, entry_kinds.TABLE_CLOSED}
)
MONTH = timedelta(days=30)
AUTOMATED_SHAKER = "automated-shaker"


# --- Dice -----------------------------------------------------------------------------------------------------------


def check_dice_time_limit(context: EventContext) -> Iterator[FindingDraft]:
    """DICE-24H (`duties.dice_custody`), at the first entry after the deadline: a removal, or any other dice or table
    entry."""
    duty = context.pack.duties.dice_custody if context.pack else None
    if duty is None:
        return
    most = timedelta(hours=duty.at_most_hours)
    late = [placed for placed in _dice_sets_at_table(context) if _is_first_entry_after(context, placed.at + most)]
    if late:
        stay = max(context.event_time - placed.at for placed in late)
        yield context.draft(
            DICE_24H,
            what=f"Set {', '.join(placed.body.dice for placed in late)}",
            found=format_duration(stay),
            required=format_duration(most),
            clause=duty.clause,
            evidence=late,
        )


def _dice_sets_at_table(context: EventContext) -> list[EventAt]:
    """Sets placed and not removed before this entry."""
    placed: dict[str, EventAt] = {}
    for each in context.history.events_of_kind(entry_kinds.DICE_PLACED, entry_kinds.DICE_REMOVED):
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
        and each.body.trials >= duty.trials
    ]


def _required_trial_count(events: Sequence[EventAt], duty: engine_pack.InspectionDuty) -> int:
    return max(
        (
            each.body.trials
            for each in events
            if each.kind == entry_kinds.INSPECTION and each.body.item == duty.item and each.body.occasion == duty.when
        ),
        default=0,
    )


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
            what=" and ".join(map(item_label, missed)),
            clause=missed[0].clause,
            found=str(_required_trial_count(since, missed[0])),
            required=str(missed[0].trials),
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
                    what=what[0].upper() + what[1:],
                    found=body.by.position,
                    required=duty.inspected_by,
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
    TimelineCheck(frozenset({DICE_24H}), DICE_TIME_ENTRIES, check_dice_time_limit, LookBack(DICE_TIME_ENTRIES, MONTH)),
    TimelineCheck(
        frozenset({SHAKER_SWAP}),
        frozenset({entry_kinds.SHAKER_PLACED}),
        check_shaker_swap,
        LookBack(frozenset({entry_kinds.SHAKER_PLACED, entry_kinds.SHAKER_REMOVED}), MONTH),
    ),
    TimelineCheck(
        frozenset({INSPECT_OPENING}),
        frozenset({entry_kinds.TABLE_OPENED}),
        check_opening_inspections,
        LookBack(INSPECTION_KINDS, timedelta(days=3)),
    ),
    TimelineCheck(frozenset({INSPECT_RANK}), frozenset({entry_kinds.INSPECTION}), check_inspector_rank, LookBack()),
)
