"""Checks that the limits are shown: when a table opens, and in each round.

A controller need not report the sign: limits that are on record are those of the sign. So a missing sign is found where
nothing states limits at all, and where the table itself reported that its sign came down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

from compliance.audit.catalogue.table_codes import LIMIT_NOT_SHOWN
from compliance.audit.checks.shared.check_types import RoundHistoryCheck, TimelineCheck
from compliance.audit.checks.timeline.signs import SIGN_KINDS, SIGN_READERS, SignRemoval, find_displayed_sign
from compliance.audit.context.finding_draft import FindingDraft, round_history_draft
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import EventAt, EventContext, History, LookBack
from rounds.engine.utc_clock import format_utc_clock
from rounds.intake.entry_kinds import TABLE_OPENED

LIMITS = "limits"
LOOK_BACK = LookBack(SIGN_KINDS | {TABLE_OPENED}, timedelta(days=7))


def check_limits_at_opening(context: EventContext) -> Iterator[FindingDraft]:
    """LIMIT-NOT-SHOWN (`duties.limits_shown`): a table opens, and neither its line nor a sign nor the record states
    limits."""
    duty, rules = context.pack.duties.limits_shown if context.pack else None, context.rules_in_force
    if duty is None or rules is None or rules.limits.minimum_cents is not None or context.body.limits is not None:
        return
    if find_displayed_sign(context.history.events, LIMITS, None) is None:
        yield context.draft(
            LIMIT_NOT_SHOWN,
            what=f"Opening of {context.table}",
            found=context.format_local_time(context.event_time),
            required="no limits are on record either",
            clause=duty.clause,
        )


def intervals_without_sign(events: Iterable[EventAt]) -> Iterator[tuple[EventAt, EventAt | None]]:
    """From the removal of a table's last limits sign to the next report of limits on a sign; None if there is none."""
    displayed: set[str] = set()
    removed: EventAt | None = None
    for each in events:
        content = SIGN_READERS[each.kind](each) if each.kind in SIGN_READERS else None
        if isinstance(content, SignRemoval):
            was_last = displayed == {content.sign}
            displayed.discard(content.sign)
            removed = each if was_last else removed
            continue
        if content is not None and content.purpose == LIMITS:
            displayed.add(content.sign)
        elif each.kind != TABLE_OPENED or each.body.limits is None:
            continue
        if removed is not None:
            yield removed, each
            removed = None
    if removed is not None:
        yield removed, None


def check_limits_in_round(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """LIMIT-NOT-SHOWN (`duties.limits_shown`): no limits sign was up from the beginning of the round to its cut-off,
    and the round reports none."""
    duty, by = context.pack.duties.limits_shown, context.cut_off_at or context.ended_at
    if duty is None or context.round.limits is not None:
        return
    began_at = min(context.events.values())
    for removed, returned in intervals_without_sign(history.events):
        if removed.at <= began_at and (returned is None or returned.at > by):
            yield round_history_draft(
                context,
                LIMIT_NOT_SHOWN,
                what=context.round_label,
                found=format_utc_clock(began_at),
                required=f"it came down at {format_utc_clock(removed.at)}",
                clause=duty.clause,
                evidence=[removed.index],
            )


CHECKS = (TimelineCheck(frozenset({LIMIT_NOT_SHOWN}), frozenset({TABLE_OPENED}), check_limits_at_opening, LOOK_BACK),)
ROUND_CHECKS = (RoundHistoryCheck(frozenset({LIMIT_NOT_SHOWN}), check_limits_in_round, LOOK_BACK),)
