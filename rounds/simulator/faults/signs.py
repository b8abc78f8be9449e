"""Injectors: limits raised and tables closed without a sign, on short notice, with an incomplete sign, or too early."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from rounds.intake.protocol.fields import BetLimits, Staff
from rounds.intake.protocol.table import LimitsChanged, SignShown, TableClosed
from rounds.simulator.faults.injector import register_injector
from rounds.simulator.faults.timeline_editor import TimelineEditor
from rounds.simulator.play.controller_output import ReportedLine
from rounds.simulator.play.table_config import TableConfig
from rounds.simulator.play.table_day import MINUTE, SECOND, TableDay

DEALER = Staff(position="dealer", number="D-01")


def _raise_needs_notice(set_up: TableConfig) -> bool:
    return set_up.pack.duties.minimum_raise is not None


def _raise_notice(set_up: TableConfig) -> timedelta:
    duty = set_up.pack.duties.minimum_raise
    assert duty is not None
    return timedelta(minutes=duty.notice_minutes)


class _MinimumRaise:
    """A higher minimum in an extra session without rounds, restored before play goes on."""

    def __init__(self, scene: TimelineEditor) -> None:
        self.scene, self.table = scene, scene.open_extra_session()
        usual = self.table.state.limits
        self.usual, self.higher = usual, msgspec.structs.replace(usual, min=usual.min * 2)
        self.sign = f"planted-raise-{self.table.now:%Y%m%d%H%M%S}"

    def show_sign(self, *, change_in: timedelta | None) -> None:
        change_at = None if change_in is None else self.table.now + change_in
        self.shown_at = self.table.now
        shown = SignShown(
            sign=self.sign,
            purpose="limit-change",
            min=self.higher.min,
            max=self.higher.max,
            change_at=change_at,
            by=self.table.supervisor,
        )
        self.table.report("sign-shown", shown)

    def raise_and_restore(self, *, after: timedelta | None, sign: str | None) -> ReportedLine:
        """Raises the minimum `after` the sign went up, and restores it a second later."""
        if after is not None:
            self.table.now = self.shown_at + after
        by = self.table.supervisor
        changed = self.table.report("limits-changed", LimitsChanged(limits=self.higher, sign=sign, by=by))
        self.table.now += SECOND
        self.table.report("limits-changed", LimitsChanged(limits=self.usual, by=by))
        close_session_properly(self.table)
        return changed


def close_session_properly(table: TableDay) -> None:
    """Ends a session as the rules require, whatever fault was planted in it."""
    duty = table.set_up.pack.duties.closure_sign
    notice = timedelta(minutes=duty.notice_minutes if duty else 0) + SECOND
    sign = table.announce_closing(table.now + notice + SECOND)
    table.now += notice + SECOND
    table.close(sign)


@register_injector("LIMIT-NO-SIGN", fits=_raise_needs_notice)
def raise_minimum_without_sign(scene: TimelineEditor) -> None:
    """The minimum goes up and no sign had announced it; the same for the minimum of one type of wager only."""
    changed = _MinimumRaise(scene).raise_and_restore(after=None, sign=None)
    scene.record_fault(changed, "The minimum was raised without a sign.", case="table")
    act = _MinimumRaise(scene)
    act.higher = msgspec.structs.replace(act.usual, by_bet={"small": BetLimits(min=act.usual.min * 2)})
    changed = act.raise_and_restore(after=None, sign=None)
    scene.record_fault(changed, "The minimum of one type of wager was raised without a sign.", case="type")


@register_injector("LIMIT-SHORT-NOTICE", fits=_raise_needs_notice)
def raise_minimum_too_soon(scene: TimelineEditor) -> None:
    """The sign was up for a second less than it must be; for exactly as long; for a second more."""
    for case, off in (("under", -SECOND), ("at", timedelta()), ("over", SECOND)):
        act, shown_for = _MinimumRaise(scene), _raise_notice(scene.set_up) + off
        act.show_sign(change_in=shown_for)
        changed = act.raise_and_restore(after=shown_for, sign=act.sign)
        says, figures = f"The minimum was raised {shown_for} after its sign.", {"seconds": shown_for.total_seconds()}
        scene.record_fault(changed, says, case=case, finding=case == "under", figures=figures)


@register_injector("LIMIT-SIGN-INCOMPLETE", fits=_raise_needs_notice)
def omit_change_time_on_sign(scene: TimelineEditor) -> None:
    """The sign does not say when the minimum changes."""
    act = _MinimumRaise(scene)
    act.show_sign(change_in=None)
    changed = act.raise_and_restore(after=_raise_notice(scene.set_up) + MINUTE, sign=act.sign)
    scene.record_fault(changed, "The sign did not say when the minimum would change.")


@register_injector("LIMIT-EARLY", fits=_raise_needs_notice)
def raise_minimum_before_stated_time(scene: TimelineEditor) -> None:
    """The sign was up long enough, but the minimum goes up before the time that it states."""
    act = _MinimumRaise(scene)
    act.show_sign(change_in=_raise_notice(scene.set_up) + 10 * MINUTE)
    changed = act.raise_and_restore(after=_raise_notice(scene.set_up) + 5 * MINUTE, sign=act.sign)
    scene.record_fault(changed, "The minimum was raised five minutes before the time on its sign.")


@register_injector("LIMIT-RANK", fits=_raise_needs_notice)
def raise_minimum_as_dealer(scene: TimelineEditor) -> None:
    """The dealer changes the limits, which a supervisor must do."""
    act = _MinimumRaise(scene)
    act.show_sign(change_in=_raise_notice(scene.set_up))
    changed = act.raise_and_restore(after=_raise_notice(scene.set_up), sign=act.sign)
    scene.change_body(changed, by=DEALER)
    scene.record_fault(changed, "The dealer raised the minimum.")


def _closing_needs_sign(set_up: TableConfig) -> bool:
    return set_up.pack.duties.closure_sign is not None


@register_injector("CLOSE-NO-SIGN", fits=_closing_needs_sign)
def close_table_without_sign(scene: TimelineEditor) -> None:
    """A table with players is closed and no sign had announced it."""
    table = scene.open_extra_session()
    table.now += MINUTE
    table.close(None)
    scene.record_fault(_last_closing(scene), "The table was closed on its players without a sign.")


@register_injector("CLOSE-SHORT-NOTICE", fits=_closing_needs_sign)
def close_table_too_soon(scene: TimelineEditor) -> None:
    """The closure sign was up for a second less than it must be; for exactly as long; for a second more."""
    duty = scene.pack.duties.closure_sign
    assert duty is not None
    for case, off in (("under", -SECOND), ("at", timedelta()), ("over", SECOND)):
        table, shown_for = scene.open_extra_session(), timedelta(minutes=duty.notice_minutes) + off
        shown_at = table.now
        sign = table.announce_closing(shown_at + shown_for)
        # No players, so no chips to redeem first: the table closes at this exact second.
        table.state.players = []
        table.now = shown_at + shown_for
        table.close(sign)
        says, figures = f"The table was closed {shown_for} after its sign.", {"seconds": shown_for.total_seconds()}
        scene.record_fault(_last_closing(scene), says, case=case, finding=case == "under", figures=figures)


@register_injector("CLOSE-EARLY", fits=_closing_needs_sign)
def close_table_before_stated_time(scene: TimelineEditor) -> None:
    """The closure sign was up long enough; the table closes a second before the time on it, and exactly at it."""
    duty = scene.pack.duties.closure_sign
    assert duty is not None
    for case, off in (("under", SECOND), ("at", timedelta())):
        table, shown_for = scene.open_extra_session(), timedelta(minutes=duty.notice_minutes) + MINUTE
        closes_at = table.now + shown_for
        sign = table.announce_closing(closes_at + off)
        table.state.players = []
        table.now = closes_at
        table.close(sign)
        says = f"The table was closed {off.seconds} s before the time on its sign."
        scene.record_fault(_last_closing(scene), says, case=case, finding=case == "under")


@register_injector("CLOSE-RANK", fits=_closing_needs_sign)
def close_table_as_dealer(scene: TimelineEditor) -> None:
    """The dealer closes a table with players, which a supervisor must do."""
    close_session_properly(scene.open_extra_session())
    closed = _last_closing(scene)
    scene.change_body(closed, by=DEALER)
    scene.record_fault(closed, "The dealer closed the table.")


@register_injector("STREAK-NO-CALL", fits=lambda set_up: set_up.streak_amount is not None)
def close_table_without_final_call(scene: TimelineEditor) -> None:
    """A round is played under the closure sign, and the final call for Super Streak is never made."""
    duty, table = scene.pack.duties.closure_sign, scene.open_extra_session()
    assert duty is not None
    table.state.players = []
    closes_at = table.now + timedelta(minutes=duty.notice_minutes) + MINUTE
    sign = table.announce_closing(closes_at)
    assert isinstance(scene.timeline.lines.pop().body, SignShown)
    table.report("round", table.play_plain_round())
    table.now = closes_at
    table.close(sign)
    scene.record_fault(_last_closing(scene), "The table closed without the final call for Super Streak.")


@register_injector("CLOSE-OFFICER", fits=lambda set_up: set_up.pack.duties.closure_notification is not None)
def close_table_without_notification(scene: TimelineEditor) -> None:
    """A table is closed and the officer who must be told before was not."""
    table = scene.open_extra_session()
    table.now += MINUTE
    table.close(None)
    closed = _last_closing(scene)
    scene.change_body(closed, told=())
    scene.record_fault(closed, "The table was closed and the officer had not been told.")


@register_injector("FEED-CLOSED-TABLE")
def play_at_closed_table(scene: TimelineEditor) -> None:
    """A table that was closed as its rules ask reports another round, without wagers."""
    table = scene.open_extra_session()
    table.state.players = []
    close_session_properly(table)
    # The dice were taken away with the closing; what the round was played with is not reported.
    table.state.dice_set = ""
    table.now += MINUTE
    line = table.report("round", table.play_plain_round())
    scene.record_fault(line, "A round was played after the table had closed.")


def _last_closing(scene: TimelineEditor) -> ReportedLine:
    return next(line for line in reversed(scene.timeline.lines) if isinstance(line.body, TableClosed))
