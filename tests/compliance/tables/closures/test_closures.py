"""Closing a table: the sign before it, open streak wagers that block it, required alerts, emergencies, reopening."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction

from compliance.core.web.mail.outbox import send_due_emails
from compliance.notify.alerts.models import Alert
from compliance.tables.closures.consumer import CONSUMED_KINDS, CONSUMER, handle_entries
from compliance.tables.closures.models import Closure, ClosureStep
from compliance.tables.closures.services import (
    announce_closure,
    close_in_emergency,
    close_table,
    reopen_table,
    withdraw_closure,
)
from compliance.tables.closures.states import ClosureState
from compliance.tables.closures.table_activity import is_closed, open_streak_wagers, recent_rounds
from compliance.tables.closures.todo_items import closing_todo_items
from compliance.tables.signs.errors import RoleRequired
from compliance.tables.signs.models import Sign
from compliance.tables.signs.services import take_down_sign
from rounds.floor.models import Table
from rounds.intake.protocol.examples import BODIES
from rounds.ledger.readers.consumer import consume_all
from rounds.ledger.writing.append import append, make_entry
from rounds.transparency_log.formats.leaf import encode_timestamp
from tests.compliance.tables.signs.builders import (
    MINUTE,
    SECOND,
    SKYCITY,
    START,
    entries_of,
    nsw_table,
    offering_streaks,
    put_up,
)
from tests.rounds.floor.crew import Crew, refusal_of, speaking_controller, table_under
from tests.rounds.intake.controller_client import Feeder

AT = START + 22 * MINUTE


def announce(crew: Crew, table: Table, now: datetime = START, **said: Any) -> Closure:
    usual: dict[str, Any] = {"closes_at": AT, "players_present": True, "streak_in_progress": False, "actor": crew.sid}
    said = usual | said
    return announce_closure(table=table, now=now, **said)


def play(at: datetime, name: str, *wagers: tuple[str, str, str]) -> None:
    """Reports a round with wagers given as (id, bet, verdict)."""
    base = {"stake": 1_000, "tender": "value-chips", "placed_at": encode_timestamp(at), "seat": 3}
    placed = [{**base, "id": each, "bet": bet, "verdict": verdict} for each, bet, verdict in wagers]
    line = {"kind": "round", "table": "sb-1", "at": encode_timestamp(at)}
    line["body"] = {**BODIES["round"], "round": name, "wagers": placed}  # type: ignore[assignment]
    with transaction.atomic():
        append("harbour", [make_entry("round", line, "sb-1")], at)


@pytest.mark.parametrize(
    ("up_for", "may_close"), [(20 * MINUTE - SECOND, False), (20 * MINUTE, True), (20 * MINUTE + SECOND, True)]
)
def test_with_players_it_closes_after_twenty_minutes_of_its_sign(
    crew: Crew, up_for: timedelta, may_close: bool
) -> None:
    table = nsw_table(crew)
    closure = announce(crew, table)
    assert closure.clause == "9.8"
    put_up(crew, closure.sign, AT - up_for)
    if may_close:
        assert close_table(closure=closure, actor=crew.gina, now=AT).state == ClosureState.CLOSED
        [closed] = entries_of("table-closed")
        assert closed.content()["body"] == {
            "gaming_day": "2026-06-01",
            "players_present": True,
            "streak_in_progress": False,
            "sign": closure.sign.name,  # type: ignore[union-attr]
        }
        assert closed.content()["origin"]["by"]["name"] == "Gina"
    else:
        refused = refusal_of(lambda: close_table(closure=closure, actor=crew.gina, now=AT))
        assert "20 minutes (clause 9.8). The earliest possible time is 5:23 pm." in refused.detail
    assert is_closed(table) is may_close


def test_a_sign_that_was_down_for_a_minute_begins_anew(crew: Crew) -> None:
    table = nsw_table(crew)
    closure = announce(crew, table)
    sign = put_up(crew, closure.sign, START)
    take_down_sign(sign=sign, actor=crew.gina, now=START + 8 * MINUTE)
    put_up(crew, sign, START + 9 * MINUTE)
    refused = refusal_of(lambda: close_table(closure=closure, actor=crew.sid, now=AT))
    assert "The earliest possible time is 5:29 pm." in refused.detail
    assert close_table(closure=closure, actor=crew.sid, now=START + 29 * MINUTE).state == ClosureState.CLOSED


def test_not_before_the_time_on_the_sign(crew: Crew) -> None:
    closure = announce(crew, nsw_table(crew), closes_at=START + 30 * MINUTE)
    put_up(crew, closure.sign, START)
    early = refusal_of(lambda: close_table(closure=closure, actor=crew.sid, now=START + 25 * MINUTE))
    assert early.detail == "The sign says 5:30 pm. It cannot close before that."


def test_an_empty_table_closes_at_once_without_a_sign(crew: Crew) -> None:
    table = nsw_table(crew)
    closure = announce(crew, table, closes_at=None, players_present=False)
    assert (closure.sign, closure.closes_at) == (None, START)
    assert close_table(closure=closure, actor=crew.sid, now=START).state == ClosureState.CLOSED


def test_a_streak_game_asks_for_the_sign_even_without_players_and_for_a_final_call(crew: Crew) -> None:
    table = offering_streaks(crew, nsw_table(crew))
    closure = announce(crew, table, players_present=False, streak_in_progress=True)
    assert closure.sign is not None
    assert closure.call is not None
    assert (closure.sign.notice_minutes, closure.call.clause) == (20, "6.6")
    put_up(crew, closure.call, START)
    [shown] = entries_of("sign-shown")
    assert shown.content()["body"] == {"sign": closure.call.name, "purpose": "streak-final-call"}


def test_the_log_decides_whether_a_streak_game_is_in_progress(crew: Crew) -> None:
    table = offering_streaks(crew, nsw_table(crew))
    play(START - MINUTE, "R-1", ("w-1", "streak:big", "open"))
    closure = announce(crew, table, players_present=False, streak_in_progress=False)
    assert closure.streak_in_progress
    assert closure.sign is not None
    assert closure.call is not None


@pytest.mark.parametrize("offers", [True, False])
def test_the_final_call_is_asked_where_super_streak_is_offered_and_play_goes_on(crew: Crew, offers: bool) -> None:
    table = nsw_table(crew)
    table = offering_streaks(crew, table) if offers else table
    assert (announce(crew, table).call is not None) is offers


def test_running_streak_wagers_hold_the_closing_until_they_are_determined(crew: Crew) -> None:
    table = offering_streaks(crew, nsw_table(crew))
    play(START - MINUTE, "R-1", ("w-1", "streak:big", "open"), ("w-2", "streak:odd", "open"), ("w-3", "big", "win"))
    closure = announce(crew, table, streak_in_progress=True)
    put_up(crew, closure.sign, START)
    play(START + 5 * MINUTE, "R-2", ("w-1", "streak:big", "lose"))
    assert open_streak_wagers(table) == ["w-2"]
    held = refusal_of(lambda: close_table(closure=closure, actor=crew.sid, now=AT))
    assert held.code == "closure-held-by-streaks"
    assert "A Super Streak wager is still running" in held.detail
    assert "clause 6.6" in held.detail
    [need] = closing_todo_items([table], AT)
    assert (need.state.label, need.button) == ("Held", "")
    play(AT + 2 * MINUTE, "R-3", ("w-2", "streak:odd", "win"))
    [need] = closing_todo_items([table], AT + 3 * MINUTE)
    assert (need.state.label, need.button) == ("Due", "Table is closed")
    assert close_table(closure=closure, actor=crew.sid, now=AT + 3 * MINUTE).state == ClosureState.CLOSED


def test_what_the_log_says_of_streaks_counts_whatever_was_declared(crew: Crew) -> None:
    table = offering_streaks(crew, nsw_table(crew))
    play(START - MINUTE, "R-1", ("w-1", "streak:big", "open"))
    closure = announce(crew, table, players_present=False)
    put_up(crew, closure.sign, START)
    held = refusal_of(lambda: close_table(closure=closure, actor=crew.sid, now=AT))
    assert (held.code, "clause 6.6" in held.detail) == ("closure-held-by-streaks", True)
    [need] = closing_todo_items([table], AT)
    assert need.state.label == "Held"


# At Sydney 2 am becomes 3 am on 4 October 2026, and 3 am becomes 2 am on 4 April 2027.
@pytest.mark.parametrize("up_at", [datetime(2026, 10, 3, 15, 50, tzinfo=UTC), datetime(2027, 4, 3, 15, 50, tzinfo=UTC)])
def test_twenty_minutes_are_elapsed_time_on_nights_when_clocks_change(crew: Crew, up_at: datetime) -> None:
    closure = announce(crew, nsw_table(crew), up_at - MINUTE, closes_at=up_at + 20 * MINUTE)
    put_up(crew, closure.sign, up_at + SECOND)
    early = refusal_of(lambda: close_table(closure=closure, actor=crew.sid, now=up_at + 20 * MINUTE))
    assert early.code == "closure-not-yet"
    done = close_table(closure=closure, actor=crew.sid, now=up_at + 20 * MINUTE + SECOND)
    assert done.state == ClosureState.CLOSED


def test_what_is_refused_names_clause_and_earliest_time_and_leaves_nothing(crew: Crew) -> None:
    table = nsw_table(crew)
    in_19 = refusal_of(lambda: announce(crew, table, closes_at=START + 19 * MINUTE))
    assert "(clause 9.8). The earliest possible time is 5:20 pm." in in_19.detail
    past = refusal_of(lambda: announce(crew, table, closes_at=START - MINUTE, players_present=False))
    assert past.detail == "That time has passed. The earliest possible time is 5:00 pm."
    for person in (crew.cora, crew.cast.otto):
        with pytest.raises(RoleRequired, match=r"clause 9\.8"):
            announce(crew, table, actor=person)
    assert (Closure.objects.count(), Sign.objects.count(), entries_of("closure")) == (0, 0, [])
    announce(crew, table)
    twice = refusal_of(lambda: announce(crew, table))
    assert twice.detail == "The closing of Table SB-1 is announced for 5:22 pm already. Withdraw it first."


def test_a_closed_table_is_not_closed_again_and_an_open_one_not_opened(crew: Crew) -> None:
    table = nsw_table(crew)
    assert refusal_of(lambda: reopen_table(table=table, actor=crew.sid, now=START)).code == "closure-not-closed"
    closure = announce(crew, table, closes_at=None, players_present=False)
    close_table(closure=closure, actor=crew.sid, now=START)
    again = refusal_of(lambda: announce(crew, table, START + MINUTE))
    assert again.detail == "Table SB-1 is closed already."
    assert refusal_of(lambda: emergency(crew, table, START + MINUTE)).code == "closure-closed-already"
    opened = reopen_table(table=table, actor=crew.sid, now=START + 2 * MINUTE)
    assert opened is not None
    assert opened.state == ClosureState.REOPENED
    assert not is_closed(table)
    [entry] = entries_of("table-opened")
    assert entry.content()["body"]["limits"] == {"min": 500, "max": 50_000, "multiples": False, "unit": None}


def emergency(crew: Crew, table: Table, now: datetime) -> Closure:
    return close_in_emergency(
        table=table, players_present=True, streak_in_progress=False, reason="Fire alarm.", actor=crew.sid, now=now
    )


def test_an_emergency_closes_at_once_and_is_recorded_as_what_it_is(crew: Crew) -> None:
    table = nsw_table(crew)
    announced = announce(crew, table)
    closure = emergency(crew, table, START + MINUTE)
    assert (closure.state, closure.is_emergency, closure.sign) == (ClosureState.CLOSED, True, None)
    announced.refresh_from_db()
    assert announced.state == ClosureState.WITHDRAWN
    [entry] = entries_of("table-closed")
    assert "sign" not in entry.content()["body"]
    assert entries_of("closure")[1].content()["emergency"] is True


def test_a_withdrawn_closing_leaves_the_table_open_and_ends_its_signs(crew: Crew) -> None:
    table = offering_streaks(crew, nsw_table(crew))
    closure = announce(crew, table, streak_in_progress=True)
    withdraw_closure(closure=closure, reason="Players stay.", actor=crew.sid, now=START + MINUTE)
    assert not is_closed(table)
    assert not Sign.objects.active().exists()
    late = refusal_of(lambda: close_table(closure=closure, actor=crew.sid, now=AT))
    assert late.code == "closure-no-such-step"


def test_where_an_officer_must_be_told_they_are_told_and_no_sign_is_asked_for(crew: Crew) -> None:
    """SkyCity 8.g: the Authorised Officer, whom the pack counts as an inspector; before, and no number of minutes."""
    table = table_under(crew, SKYCITY)
    closure = announce(crew, table, closes_at=START + MINUTE)
    assert (closure.sign, closure.told_at, closure.told) == (None, START, "inspector")
    alert = Alert.objects.get()
    assert (alert.clause, alert.to, alert.statement) == (
        "8.g",
        ["inspector"],
        "Table SB-1 is to close at 5:01 pm.",
    )
    untold = refusal_of(lambda: close_table(closure=closure, actor=crew.sid, now=START + MINUTE))
    assert untold.detail.startswith("The Authorised Officer has not been notified yet (clause 8.g)")
    [need] = closing_todo_items([table], START + MINUTE)
    assert (need.state.label, need.button) == ("Telling", "")
    send_due_emails(lambda: START + 4 * SECOND)
    [need] = closing_todo_items([table], START + MINUTE)
    assert need.button == "Table is closed"
    close_table(closure=closure, actor=crew.sid, now=START + MINUTE)
    [entry] = entries_of("table-closed")
    assert entry.content()["body"]["told"] == [{"at": "2026-06-01T07:00:04.000000Z", "position": "inspector"}]


def test_elsewhere_the_rules_are_silent(crew: Crew) -> None:
    table = table_under(crew, "mbs-3-card-sic-bo")
    closure = announce(crew, table, closes_at=None)
    assert (closure.sign, closure.call, closure.told_at, closure.clause) == (None, None, None, "")
    assert close_table(closure=closure, actor=crew.sid, now=START).state == ClosureState.CLOSED


def test_a_controllers_own_report_carries_the_closing_out_and_ends_it(crew: Crew, time_machine: Any) -> None:
    table = nsw_table(crew)
    closure = announce(crew, table)
    speaking_controller(crew, table)
    feeder = Feeder()
    for at, kind, becomes in (
        (AT, "table-closed", ClosureState.CLOSED),
        (AT + MINUTE, "table-opened", ClosureState.REOPENED),
    ):
        time_machine.move_to(at, tick=False)
        assert feeder.send(feeder.line(kind, at=at), sent_at=at.isoformat()).status_code == 200
        consume_all(CONSUMER, ["harbour"], handle_entries, kinds=CONSUMED_KINDS)
        closure.refresh_from_db()
        assert closure.state == becomes
    assert [step.by_name for step in ClosureStep.objects.all()] == ["controller box-1", "controller box-1"]


def test_the_last_wagers_stand_beside_the_question_who_is_there(crew: Crew) -> None:
    table = nsw_table(crew)
    play(START - 3 * MINUTE, "R-1", ("w-1", "big", "win"), ("w-2", "small", "lose"))
    [shown] = recent_rounds(table)
    assert (shown.name, shown.at, shown.wagers, shown.players) == ("R-1", START - 3 * MINUTE, 2, 1)
    assert date(2026, 6, 1) == shown.at.date()
