"""Checks of changed limits: who changed them; a raised minimum announced by a sign, long enough before, with the new
minimum and the time of the change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any, TypeAlias

from compliance.audit.catalogue.table_codes import (
    LIMIT_EARLY,
    LIMIT_NO_SIGN,
    LIMIT_RANK,
    LIMIT_SHORT_NOTICE,
    LIMIT_SIGN_INCOMPLETE,
)
from compliance.audit.checks.shared.check_types import TimelineCheck
from compliance.audit.checks.shared.roles import position_words, positions_for_role
from compliance.audit.checks.timeline.signs import SIGN_KINDS, DisplayedSign, find_displayed_sign
from compliance.audit.context.finding_draft import FindingDraft, format_amount, format_duration
from compliance.audit.context.timeline import EventContext, LookBack
from rounds.engine import BETS, RulesInForce, pack
from rounds.floor.entry_kinds import TABLE_FACTS
from rounds.intake.entry_kinds import LIMITS_CHANGED, TABLE_CLOSED, TABLE_OPENED
from rounds.rulebook.labels import wager_type_names

# By bet, in cents.
Minimums: TypeAlias = Mapping[str, int]


def check_minimum_raise(context: EventContext) -> Iterator[FindingDraft]:
    """LIMIT-NO-SIGN, LIMIT-SHORT-NOTICE, LIMIT-SIGN-INCOMPLETE and LIMIT-EARLY (`duties.minimum_raise`), at every
    change of limits. The minimum of one type of wager counts like the table's. A lower minimum needs no notice; nor
    does a table that opens at a higher one."""
    duty = context.pack.duties.minimum_raise if context.pack else None
    raised = _raised_minimums(context)
    if duty is None or not raised or _was_table_closed(context):
        return
    notice = timedelta(minutes=duty.notice_minutes)
    sign = _announcing_sign(context)
    common: dict[str, Any] = {"clause": duty.clause, "what": f"The minimum at {context.table}"}
    if sign is None:
        found = _minimums_text(context, raised)
        yield context.draft(LIMIT_NO_SIGN, required=format_duration(notice), found=found, **common)
        return
    common["evidence"] = [sign.index]
    yield from _incomplete_sign_draft(context, duty, sign, raised, common)
    restarts = duty.removal_restarts_the_clock
    if not sign.clock_at(context.event, notice, restarts=restarts).is_notice_complete:
        displayed_for = format_duration(sign.display_duration(context.event, restarts=restarts))
        yield context.draft(LIMIT_SHORT_NOTICE, required=format_duration(notice), found=displayed_for, **common)
    change_at, at = sign.content.change_at, context.event.server_time
    if change_at is not None and at < change_at:
        found, required = context.format_local_time(at), context.format_local_time(change_at)
        yield context.draft(LIMIT_EARLY, required=required, found=found, **common)


def _incomplete_sign_draft(
    context: EventContext, duty: pack.MinimumRaise, sign: DisplayedSign, raised: Minimums, common: dict[str, Any]
) -> Iterator[FindingDraft]:
    shown = sign.content
    missing = []
    not_shown = {bet: cents for bet, cents in raised.items() if shown.minimum_for(bet) != cents}
    if "new-minimum" in duty.sign_shows and not_shown:
        missing.append(f"the new minimum of {_minimums_text(context, not_shown)}")
    if "time-of-change" in duty.sign_shows and shown.change_at is None:
        missing.append("the time of the change")
    if missing:
        minimum_text = (
            "no minimum" if shown.minimum_cents is None else f"a minimum of {format_amount(shown.minimum_cents)}"
        )
        time_text = f"the time {context.format_local_time(shown.change_at)}" if shown.change_at else "no time"
        found = f"{minimum_text} and {time_text}"
        yield context.draft(LIMIT_SIGN_INCOMPLETE, required=" and ".join(missing), found=found, **common)


def _raised_minimums(context: EventContext) -> Minimums:
    """The new minimum of each bet whose minimum is above the one before."""
    before, now = context.rules_before, context.rules_in_force
    if context.event.kind == TABLE_FACTS and context.body["name"] != "limits":
        return {}
    if not isinstance(before, RulesInForce) or now is None:
        return {}
    minimums = {
        bet: (before.limits_for(bet).minimum_cents, now.limits_for(bet).minimum_cents)
        for bet in _ordinary_bets(context)
    }
    return {bet: new for bet, (old, new) in minimums.items() if old is not None and new is not None and new > old}


def _ordinary_bets(context: EventContext) -> list[str]:
    """The bets that the table offers, without Super Streak, which has an amount of its own."""
    offered = context.rules_in_force.offered if context.rules_in_force else ()
    return sorted(bet for bet in offered if not BETS[bet].is_streak)


def _minimums_text(context: EventContext, raised: Minimums) -> str:
    """“$10.00”; where it does not hold for every bet of the table, with the types of wager for which it does."""
    bets_by_minimum: dict[int, list[str]] = {}
    for bet, cents in raised.items():
        bets_by_minimum.setdefault(cents, []).append(bet)
    if len(bets_by_minimum) == 1 and len(raised) == len(_ordinary_bets(context)):
        return format_amount(next(iter(bets_by_minimum)))
    return ", ".join(
        f"{format_amount(cents)} on {', '.join(wager_type_names(context.pack, bets))}"
        for cents, bets in sorted(bets_by_minimum.items())
    )


def _was_table_closed(context: EventContext) -> bool:
    """A closed table needs no notice: nobody plays at the old minimum."""
    last = context.history.last_of_kind(TABLE_OPENED, TABLE_CLOSED)
    return last is not None and last.kind == TABLE_CLOSED


def _announcing_sign(context: EventContext) -> DisplayedSign | None:
    """The displayed sign that announces this change. A sign whose time of change is before the last change announced
    that one."""
    named = context.body.sign if context.event.kind == LIMITS_CHANGED else None
    sign, last = (
        find_displayed_sign(context.history.events, "limit-change", named),
        context.history.last_of_kind(LIMITS_CHANGED),
    )
    is_used_up = sign is not None and last is not None and (sign.content.change_at or last.at) < last.at
    return None if is_used_up else sign


def check_limits_rank(context: EventContext) -> Iterator[FindingDraft]:
    """LIMIT-RANK (`duties.minimum_raise`): limits changed by a position that the document does not name. Nothing where
    the report does not say who changed them."""
    pack, by = context.pack, context.body.by
    duty = pack.duties.minimum_raise if pack else None
    if pack is None or duty is None or by is None:
        return
    if by.position not in positions_for_role(pack, duty.changed_by):
        yield context.draft(
            LIMIT_RANK, found=position_words(by.position), required=f"a {duty.changed_by}", clause=duty.clause
        )


CHECKS = (
    TimelineCheck(frozenset({LIMIT_RANK}), frozenset({LIMITS_CHANGED}), check_limits_rank, LookBack()),
    TimelineCheck(
        frozenset({LIMIT_NO_SIGN, LIMIT_SHORT_NOTICE, LIMIT_SIGN_INCOMPLETE, LIMIT_EARLY}),
        frozenset({LIMITS_CHANGED, TABLE_FACTS}),
        check_minimum_raise,
        LookBack(SIGN_KINDS | {TABLE_OPENED, TABLE_CLOSED, LIMITS_CHANGED}),
    ),
)
