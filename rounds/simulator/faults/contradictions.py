"""Injectors: reports that contradict each other or the casino's records. Each line alone is honest."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from rounds.intake.protocol.chips import ChipsIssued, ChipsRedeemed
from rounds.intake.protocol.round import Round
from rounds.intake.protocol.table import TableClosed
from rounds.simulator.faults.injector import register_injector
from rounds.simulator.faults.signs import close_session_properly
from rounds.simulator.faults.timeline_editor import TimelineEditor, losing_side
from rounds.simulator.play.round_events import first_event_at
from rounds.simulator.play.table_day import MINUTE, SECOND, TableDay

MILLISECOND = timedelta(milliseconds=1)
CHIPS_ISSUED = 20
UNKNOWN_TERMINAL = "unlisted-99"


def _open_empty_session(scene: TimelineEditor) -> TableDay:
    """A further session without players, so that its rounds have no wagers."""
    table = scene.open_extra_session()
    table.state.players = []
    return table


@register_injector("FEED-ROUND-NAME")
def repeat_round_name(scene: TimelineEditor) -> None:
    """Two rounds of a session are reported under the same name."""
    table = _open_empty_session(scene)
    first = table.play_plain_round()
    table.report("round", first)
    table.now += 2 * SECOND
    line = table.report("round", msgspec.structs.replace(table.play_plain_round(), round=first.round))
    close_session_properly(table)
    scene.record_fault(line, "The round was reported under the name of the round before.")


@register_injector("FEED-ROUND-OVERLAP")
def begin_round_before_result(scene: TimelineEditor) -> None:
    """A round begins a millisecond before the result of the one before it; another exactly when it is shown."""
    for case, off in (("before", MILLISECOND), ("at", timedelta())):
        table = _open_empty_session(scene)
        first = table.play_plain_round()
        over_at, table.now = table.now, _result_at(first) - off
        second = table.play_plain_round()
        table.now = max(over_at, table.now)
        table.report("round", first)
        line = table.report("round", second)
        close_session_properly(table)
        says = f"The round began {off / MILLISECOND:.0f} ms before the result of the round before."
        scene.record_fault(line, says, case=case, finding=case == "before")


def _result_at(body: Round) -> datetime:
    shown = first_event_at(body.events, "uncovered", "drawn", "result-called", "result-entered", "areas-lit")
    assert shown is not None
    return shown


@register_injector("FEED-ROUND-GAMING-DAY")
def report_round_for_last_week(scene: TimelineEditor) -> None:
    """A round is reported for the gaming day a week before."""
    table = _open_empty_session(scene)
    body = table.play_plain_round()
    line = table.report("round", msgspec.structs.replace(body, gaming_day=body.gaming_day - timedelta(days=7)))
    close_session_properly(table)
    scene.record_fault(line, "The round was reported for the gaming day a week before.")


@register_injector("FEED-ROUND-TERMINAL")
def wager_from_unknown_terminal(scene: TimelineEditor) -> None:
    """A wager comes from a terminal that the table does not have. Where a terminal decides the odds, they are not
    known."""
    table = _open_empty_session(scene)
    line = table.report("round", table.play_plain_round())
    close_session_properly(table)
    stake = scene.limits_of_round(line).min
    scene.add_wager(
        line,
        bet=losing_side(scene.round_body(line)),
        stake=stake,
        verdict="lose",
        returned=0,
        terminal=UNKNOWN_TERMINAL,
        registered=True,
    )
    also = ("ROUND-NO-RULES",) if scene.set_up.pay_table is None else ()
    scene.record_fault(line, f"A wager came from {UNKNOWN_TERMINAL}, which is not on record.", also=also)


@register_injector("FEED-CHIPS-COUNT")
def redeem_more_chips_than_issued(scene: TimelineEditor) -> None:
    """A player is issued twenty chips and redeems twenty-one; another redeems as many as were issued."""
    value, name = scene.limits.min, scene.set_up.table
    for case, player, colour, chips in (("over", "p-84", "gold", 21), ("at", "p-85", "amber", 20)):
        issued_at, redeemed_at = scene.pick_pause().spread_instants(2)
        issued = ChipsIssued(set=name.upper(), colour=colour, value=value, chips=CHIPS_ISSUED, player=player)
        scene.insert_line("chips-issued", issued_at, issued)
        redeemed = ChipsRedeemed(
            set=name.upper(),
            colour=colour,
            value=value,
            chips=chips,
            paid=chips * value,
            issued_at=name,
            player=player,
        )
        line = scene.insert_line("chips-redeemed", redeemed_at, redeemed)
        scene.record_fault(line, f"{chips} of 20 chips were redeemed.", case=case, finding=case == "over")


@register_injector("FEED-NO-PLAYERS")
def close_table_without_players_after_wagers(scene: TimelineEditor) -> None:
    """A table is reported closed without players a second less than a minute after a round with a wager; another after
    exactly a minute."""
    duty = scene.pack.duties.closure_sign
    notice = timedelta(minutes=duty.notice_minutes if duty else 0)
    for case, wait in (("under", MINUTE - SECOND), ("at", MINUTE)):
        table = _open_empty_session(scene)
        sign = table.announce_closing(table.now + notice + MINUTE)
        table.now += notice
        line = table.report("round", table.play_plain_round())
        body = scene.round_body(line)
        scene.add_wager(line, bet=losing_side(body), stake=scene.limits_of_round(line).min, verdict="lose", returned=0)
        table.now = max(event.at for event in body.events) + wait
        table.close(sign)
        closed = next(each for each in reversed(scene.timeline.lines) if isinstance(each.body, TableClosed))
        scene.change_body(closed, players_present=False)
        says = f"The table closed {wait / SECOND:.0f} s after a round with a wager, without players."
        scene.record_fault(closed, says, case=case, finding=case == "under")
