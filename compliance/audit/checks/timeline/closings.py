"""Checks of a table's closing: a closure sign displayed long enough, who closed, notification before the closing, no
play after it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.catalogue.table_codes import (
    CLOSE_EARLY,
    CLOSE_NO_SIGN,
    CLOSE_OFFICER,
    CLOSE_RANK,
    CLOSE_SHORT_NOTICE,
    FEED_CLOSED_TABLE,
    FEED_NO_PLAYERS,
)
from compliance.audit.checks.shared.check_types import RoundHistoryCheck, TimelineCheck
from compliance.audit.checks.shared.roles import position_words, positions_for_role
from compliance.audit.checks.timeline.signs import SIGN_KINDS, find_displayed_sign
from compliance.audit.context.finding_draft import FindingDraft, format_duration, round_history_draft
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import EventAt, EventContext, History, LookBack
from compliance.audit.projections.rounds import round_from_entry
from compliance.tables.signs.consumer import CLOCK_TOLERANCE
from rounds.engine.utc_clock import format_utc_clock
from rounds.intake.entry_kinds import ROUND, TABLE_CLOSED, TABLE_OPENED

# Within this time after a round players can hardly have left. A limit of this service, not of a document.
PLAYERS_LEAVE_AFTER = timedelta(minutes=1)
OPENINGS_AND_CLOSINGS = frozenset({TABLE_OPENED, TABLE_CLOSED})


def check_closure_sign(context: EventContext) -> Iterator[FindingDraft]:
    """CLOSE-NO-SIGN, CLOSE-SHORT-NOTICE and CLOSE-EARLY (`duties.closure_sign`)."""
    duty = context.pack.duties.closure_sign if context.pack else None
    if duty is None or not _is_sign_required(context, duty.applies_when):
        return
    notice, at = timedelta(minutes=duty.notice_minutes), context.format_local_time(context.event_time)
    # A sign displayed before the last closing announced that one. An opening leaves signs up: a controller that
    # restarts during the notice reports one.
    sign = find_displayed_sign(context.history.events_since_last(TABLE_CLOSED), "closure", context.body.sign)
    shows_time = sign is not None and (sign.content.closure_at is not None or "time-of-closure" not in duty.sign_shows)
    if sign is None or not shows_time:
        evidence = [] if sign is None else [sign.index]
        why = () if sign is None else ("A closure sign stood, but it did not say when the table would close.",)
        yield context.draft(
            CLOSE_NO_SIGN,
            required=format_duration(notice),
            found=at,
            clause=duty.clause,
            evidence=evidence,
            explanation=why,
        )
        return
    restarts = duty.removal_restarts_the_clock
    if not sign.clock_at(context.event, notice, restarts=restarts).is_notice_complete:
        yield context.draft(
            CLOSE_SHORT_NOTICE,
            required=format_duration(notice),
            found=format_duration(sign.display_duration(context.event, restarts=restarts)),
            clause=duty.clause,
            evidence=[sign.index],
        )
    elif sign.content.closure_at is not None and _closed_at(context) < sign.content.closure_at:
        yield context.draft(
            CLOSE_EARLY,
            required=context.format_local_time(sign.content.closure_at),
            found=context.format_local_time(_closed_at(context)),
            clause=duty.clause,
            evidence=[sign.index],
            severity=Severity(duty.closing_before_time),
        )


def _closed_at(context: EventContext) -> datetime:
    """By the server's clock, as the time on the sign."""
    return context.event.server_time


def check_closing_rank(context: EventContext) -> Iterator[FindingDraft]:
    """CLOSE-RANK (`duties.closure_sign`): a table with players closed by a position that the document does not name.
    Nothing where the report does not say who closed it."""
    pack, by = context.pack, context.body.by
    duty = pack.duties.closure_sign if pack else None
    if pack is None or duty is None or by is None or not _is_sign_required(context, duty.applies_when):
        return
    if by.position not in positions_for_role(pack, duty.closed_by):
        yield context.draft(
            CLOSE_RANK, found=position_words(by.position), required=f"a {duty.closed_by}", clause=duty.clause
        )


def _is_sign_required(context: EventContext, when: tuple[str, ...]) -> bool:
    body = context.body
    return (body.players_present and "players-present" in when) or (
        body.streak_in_progress and "streak-in-progress" in when
    )


def check_closing_notified(context: EventContext) -> Iterator[FindingDraft]:
    """CLOSE-OFFICER (`duties.closure_notification`): notified before the closing. The document does not say how long
    before."""
    pack = context.pack
    duty = pack.duties.closure_notification if pack else None
    if pack is None or duty is None:
        return
    positions = positions_for_role(pack, duty.told)
    if not any(notice.position in positions and notice.at < context.event_time for notice in context.body.told):
        yield context.draft(
            CLOSE_OFFICER, required=duty.told, found=context.format_local_time(context.event_time), clause=duty.clause
        )


def check_players_absent(context: EventContext) -> Iterator[FindingDraft]:
    """FEED-NO-PLAYERS: closed without players moments after a round with wagers. Where players are present, a document
    may ask for a sign."""
    if context.body.players_present:
        return
    played = context.source.last_round(context.table, context.event_time)
    if played is None or context.event_time - played.ended_at >= PLAYERS_LEAVE_AFTER:
        return
    [entry] = context.source.entries_at([played.index])
    body = round_from_entry(entry)
    if body is not None and any(wager.verdict != "refused" for wager in body.wagers):
        yield context.draft(
            FEED_NO_PLAYERS,
            what=f"round {played.round}",
            found=format_duration(context.event_time - played.ended_at),
            required=format_duration(PLAYERS_LEAVE_AFTER),
            evidence=[played.index],
        )


def play_ended_at(closing: EventAt) -> datetime:
    """After this instant no round may begin. Where a person recorded the closing, the clocks of server and controller
    may differ a little."""
    return closing.at if closing.entry.controller is not None else closing.at + CLOCK_TOLERANCE


def check_play_after_closing(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """FEED-CLOSED-TABLE: a round that began after the table was reported closed, and before it was opened again."""
    began_at = min(context.events.values())
    last = history.until(began_at).last_of_kind(*OPENINGS_AND_CLOSINGS)
    if last is not None and last.kind == TABLE_CLOSED and began_at > play_ended_at(last):
        yield round_history_draft(
            context,
            FEED_CLOSED_TABLE,
            what=context.round_label,
            found=format_utc_clock(began_at),
            required=format_utc_clock(last.at),
            evidence=[last.index],
        )


CHECKS = (
    TimelineCheck(
        frozenset({CLOSE_NO_SIGN, CLOSE_SHORT_NOTICE, CLOSE_EARLY}),
        frozenset({TABLE_CLOSED}),
        check_closure_sign,
        LookBack(SIGN_KINDS | {TABLE_CLOSED}),
    ),
    TimelineCheck(frozenset({CLOSE_RANK}), frozenset({TABLE_CLOSED}), check_closing_rank, LookBack()),
    TimelineCheck(
        frozenset({FEED_NO_PLAYERS}), frozenset({TABLE_CLOSED}), check_players_absent, LookBack(frozenset({ROUND}))
    ),
    TimelineCheck(frozenset({CLOSE_OFFICER}), frozenset({TABLE_CLOSED}), check_closing_notified, LookBack()),
)
ROUND_CHECKS = (
    RoundHistoryCheck(
        frozenset({FEED_CLOSED_TABLE}), check_play_after_closing, LookBack(OPENINGS_AND_CLOSINGS, timedelta(days=7))
    ),
)
