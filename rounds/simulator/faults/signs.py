"""Signs: limits raised and tables closed without one, with one too late, incomplete, or before its time."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from rounds.intake.kinds.table import LimitsChanged, SignShown, TableClosed
from rounds.simulator.at_play import MINUTE, SECOND, TableAtPlay
from rounds.simulator.faults.injector import injects
from rounds.simulator.faults.scene import Scene
from rounds.simulator.said import Said
from rounds.simulator.set_up import TableSetUp


def _needs_notice(set_up: TableSetUp) -> bool:
    return set_up.pack.duties.minimum_raise is not None


def _notice(set_up: TableSetUp) -> timedelta:
    duty = set_up.pack.duties.minimum_raise
    assert duty is not None
    return timedelta(minutes=duty.notice_minutes)


class _Raise:
    """A higher minimum in a session without rounds, put back before anybody plays."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.table = scene, scene.session()
        usual = self.table.state.limits
        self.usual, self.higher = usual, msgspec.structs.replace(usual, min=usual.min * 2)
        self.sign = f"planted-raise-{self.table.now:%Y%m%d%H%M%S}"

    def show_sign(self, *, change_in: timedelta | None) -> None:
        change_at = None if change_in is None else self.table.now + change_in
        self.shown_at = self.table.now
        shown = SignShown(sign=self.sign, purpose="limit-change", min=self.higher.min, max=self.higher.max,
                          change_at=change_at, by=self.table.supervisor)  # fmt: skip
        self.table.say("sign-shown", shown)

    def change(self, *, after: timedelta | None, sign: str | None) -> Said:
        """Raises it so long after the sign went up, and lowers it again a second later."""
        if after is not None:
            self.table.now = self.shown_at + after
        by = self.table.supervisor
        changed = self.table.say("limits-changed", LimitsChanged(limits=self.higher, sign=sign, by=by))
        self.table.now += SECOND
        self.table.say("limits-changed", LimitsChanged(limits=self.usual, by=by))
        close_properly(self.table)
        return changed


def close_properly(table: TableAtPlay) -> None:
    """Ends a session as the rules ask, whatever was planted in it."""
    duty = table.set_up.pack.duties.closure_sign
    notice = timedelta(minutes=duty.notice_minutes if duty else 0) + SECOND
    sign = table.announce_closing(table.now + notice + SECOND)
    table.now += notice + SECOND
    table.close(sign)


@injects("LIMIT-NO-SIGN", fits=_needs_notice)
def raise_without_a_sign(scene: Scene) -> None:
    """The minimum goes up and no sign had announced it."""
    changed = _Raise(scene).change(after=None, sign=None)
    scene.plant("LIMIT-NO-SIGN", changed, "The minimum was raised without a sign.")


@injects("LIMIT-SHORT-NOTICE", fits=_needs_notice)
def raise_too_soon(scene: Scene) -> None:
    """The sign was up for a second less than it must be; for exactly as long; for a second more."""
    for case, off in (("under", -SECOND), ("at", timedelta()), ("over", SECOND)):
        act, shown_for = _Raise(scene), _notice(scene.set_up) + off
        act.show_sign(change_in=shown_for)
        changed = act.change(after=shown_for, sign=act.sign)
        says, figures = f"The minimum was raised {shown_for} after its sign.", {"seconds": shown_for.total_seconds()}
        scene.plant("LIMIT-SHORT-NOTICE", changed, says, case=case, finding=case == "under", figures=figures)


@injects("LIMIT-SIGN-INCOMPLETE", fits=_needs_notice)
def leave_out_the_time(scene: Scene) -> None:
    """The sign does not say when the minimum changes."""
    act = _Raise(scene)
    act.show_sign(change_in=None)
    changed = act.change(after=_notice(scene.set_up) + MINUTE, sign=act.sign)
    scene.plant("LIMIT-SIGN-INCOMPLETE", changed, "The sign did not say when the minimum would change.")


@injects("LIMIT-EARLY", fits=_needs_notice)
def raise_before_its_time(scene: Scene) -> None:
    """The sign was up long enough, but the minimum goes up before the time that it states."""
    act = _Raise(scene)
    act.show_sign(change_in=_notice(scene.set_up) + 10 * MINUTE)
    changed = act.change(after=_notice(scene.set_up) + 5 * MINUTE, sign=act.sign)
    scene.plant("LIMIT-EARLY", changed, "The minimum was raised five minutes before the time on its sign.")


def _closing_needs_a_sign(set_up: TableSetUp) -> bool:
    return set_up.pack.duties.closure_sign is not None


@injects("CLOSE-NO-SIGN", fits=_closing_needs_a_sign)
def close_without_a_sign(scene: Scene) -> None:
    """A table with players is closed and no sign had announced it."""
    table = scene.session()
    table.now += MINUTE
    table.close(None)
    scene.plant("CLOSE-NO-SIGN", _closing(scene), "The table was closed on its players without a sign.")


@injects("CLOSE-SHORT-NOTICE", fits=_closing_needs_a_sign)
def close_too_soon(scene: Scene) -> None:
    """The closure sign was up for a second less than it must be; for exactly as long; for a second more."""
    duty = scene.pack.duties.closure_sign
    assert duty is not None
    for case, off in (("under", -SECOND), ("at", timedelta()), ("over", SECOND)):
        table, shown_for = scene.session(), timedelta(minutes=duty.notice_minutes) + off
        shown_at = table.now
        sign = table.announce_closing(shown_at + shown_for)
        # Chips are handed back a moment before, so that the table closes to the second.
        table.state.players = []
        table.now = shown_at + shown_for
        table.close(sign)
        says, figures = f"The table was closed {shown_for} after its sign.", {"seconds": shown_for.total_seconds()}
        scene.plant("CLOSE-SHORT-NOTICE", _closing(scene), says, case=case, finding=case == "under", figures=figures)


@injects("CLOSE-OFFICER", fits=lambda set_up: set_up.pack.duties.closure_notification is not None)
def close_without_telling(scene: Scene) -> None:
    """A table is closed and the officer who must be told before was not."""
    table = scene.session()
    table.now += MINUTE
    table.close(None)
    closed = _closing(scene)
    scene.change(closed, told=())
    scene.plant("CLOSE-OFFICER", closed, "The table was closed and the officer had not been told.")


def _closing(scene: Scene) -> Said:
    return next(said for said in reversed(scene.timeline.said) if isinstance(said.body, TableClosed))
