"""A sign is up by a display, a controller or a supervisor; taken down, lost, shown again; each recorded in the
ledger."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.utils import IntegrityError, ProgrammingError
from time_machine import TimeMachineFixture

from compliance.tables.signs.consumer import CONSUMED_KINDS, CONSUMER, handle_entries
from compliance.tables.signs.errors import SignEnded, SignNotUp, SignUpAlready
from compliance.tables.signs.models import Refresh, Showing, Sign, SignSource
from compliance.tables.signs.selectors import clock_of
from compliance.tables.signs.services import confirm_sign, end_sign, record_lost_signs, refresh_display, take_down_sign
from rounds.ledger.readers.consumer import consume_all
from tests.compliance.tables.signs.builders import (
    MINUTE,
    SECOND,
    START,
    add_screen,
    entries_of,
    nsw_table,
    put_up,
    raise_minimum,
    refresh_until,
)
from tests.rounds.floor.crew import Crew, new_table, refusal_of, speaking_controller
from tests.rounds.intake.controller_client import Feeder


def raised(crew: Crew) -> Sign:
    sign = raise_minimum(crew, nsw_table(crew)).sign
    assert sign is not None
    return sign


def test_a_sign_stands_in_the_ledger_as_a_controller_would_report_it(crew: Crew) -> None:
    sign = put_up(crew, raised(crew), START + MINUTE)
    [shown] = entries_of("sign-shown")
    assert shown.content() == {
        "kind": "sign-shown",
        "table": "sb-1",
        "at": "2026-06-01T07:01:00.000000Z",
        "body": {
            "sign": sign.name,
            "purpose": "limit-change",
            "min": 2_500,
            "max": 50_000,
            "change_at": "2026-06-01T07:22:00.000000Z",
        },
        "origin": {"how": "person", "by": {"id": crew.gina.pk, "name": "Gina"}},
    }


def test_refreshes_are_rows_and_only_start_loss_and_return_are_entries(crew: Crew) -> None:
    sign = raised(crew)
    display = add_screen(crew, sign.table)
    refresh_until(display, sign, START, START + 5 * MINUTE)
    assert Refresh.objects.filter(display=display).count() == 31
    assert (len(entries_of("sign-shown")), len(entries_of("sign-removed"))) == (1, 0)
    refresh_until(display, sign, START + 7 * MINUTE, START + 8 * MINUTE)
    lost, back = entries_of("sign-removed"), entries_of("sign-shown")[1:]
    assert [datetime.fromisoformat(entry.content()["at"]) for entry in (*lost, *back)] == [
        START + 5 * MINUTE,
        START + 7 * MINUTE,
    ]
    assert clock_of(sign, START + 8 * MINUTE).displayed_since == START + 7 * MINUTE


def test_a_display_confirms_only_what_it_says_it_shows_and_only_at_its_own_table(crew: Crew) -> None:
    sign = raised(crew)
    here, elsewhere = add_screen(crew, sign.table), add_screen(crew, new_table(crew, "sb-2"))
    refresh_display(display=here, shown=[], now=START)
    refresh_display(display=here, shown=["limits-of-nothing"], now=START + SECOND)
    refresh_display(display=elsewhere, shown=[sign.name], now=START + SECOND)
    assert not clock_of(sign, START + 2 * SECOND).is_up
    refresh_display(display=here, shown=[sign.name], now=START + 2 * SECOND)
    assert clock_of(sign, START + 2 * SECOND).displayed_since == START + 2 * SECOND


def test_a_supervisor_says_since_when_and_never_since_before_it_could_have_been(crew: Crew) -> None:
    sign, now = raised(crew), START + 10 * MINUTE
    early = refusal_of(lambda: confirm_sign(sign=sign, shown_at=START - MINUTE, actor=crew.gina, now=now))
    assert early.detail.startswith("The sign can be confirmed from 1 Jun 2026, 5:00 pm AEST up to now.")
    ahead = refusal_of(lambda: confirm_sign(sign=sign, shown_at=now + MINUTE, actor=crew.gina, now=now))
    assert ahead.code == "sign-time-not-possible"
    confirm_sign(sign=sign, shown_at=START + 4 * MINUTE, actor=crew.gina, now=now)
    assert clock_of(sign, now).displayed_since == START + 4 * MINUTE
    with pytest.raises(SignUpAlready):
        put_up(crew, sign, now)
    take_down_sign(sign=sign, actor=crew.sid, now=now)
    with pytest.raises(SignNotUp):
        take_down_sign(sign=sign, actor=crew.sid, now=now)
    late = refusal_of(lambda: confirm_sign(sign=sign, shown_at=now - MINUTE, actor=crew.gina, now=now + MINUTE))
    assert late.detail.endswith("It was not up before that.")


def test_nobody_without_a_role_at_the_table_says_that_a_sign_is_up(crew: Crew) -> None:
    sign = raised(crew)
    for person in (crew.cast.otto, crew.cora, crew.cast.ines):
        assert (
            refusal_of(
                lambda person=person: confirm_sign(  # type: ignore[misc]
                    sign=sign, shown_at=START, actor=person, now=START
                )
            ).code
            == "sign-not-for-you"
        )
    assert not Showing.objects.exists()


def test_a_supervisors_word_holds_while_a_display_falls_silent(crew: Crew) -> None:
    """Gina confirmed the paper sign, which is still up, so the screen is not needed."""
    sign = put_up(crew, raised(crew), START)
    refresh_until(add_screen(crew, sign.table), sign, START + MINUTE, START + 2 * MINUTE)
    assert record_lost_signs(now=START + 10 * MINUTE) == 0
    assert clock_of(sign, START + 10 * MINUTE).displayed_since == START


def test_after_a_silent_display_a_supervisors_word_begins_at_its_last(crew: Crew) -> None:
    sign = raised(crew)
    refresh_until(add_screen(crew, sign.table), sign, START, START + 5 * MINUTE)
    now = START + 9 * MINUTE
    refused = refusal_of(lambda: confirm_sign(sign=sign, shown_at=START + MINUTE, actor=crew.gina, now=now))
    assert refused.code == "sign-time-not-possible"
    confirm_sign(sign=sign, shown_at=START + 6 * MINUTE, actor=crew.gina, now=now)
    assert [showing.source for showing in sign.showings.all()] == [SignSource.DISPLAY, SignSource.PERSON]
    assert clock_of(sign, now).displayed_since == START + 6 * MINUTE


def test_a_sign_that_nobody_wants_any_more_cannot_be_confirmed(crew: Crew) -> None:
    sign = raised(crew)
    with transaction.atomic():
        end_sign(sign=sign, now=START)
    with pytest.raises(SignEnded):
        put_up(crew, sign, START)


# --- Controllers ----------------------------------------------------------------------------------------------------


def follow() -> None:
    consume_all(CONSUMER, ["harbour"], handle_entries, kinds=CONSUMED_KINDS)


def report(feeder: Feeder, kind: str, at: datetime, sent_at: datetime, **body: Any) -> None:
    """`sent_at` is by the controller's own clock."""
    answer = feeder.send(feeder.line(kind, at=at, **body), sent_at=sent_at.isoformat())
    assert answer.status_code == 200, answer.content
    follow()


@pytest.mark.parametrize("own_name", [True, False])
def test_a_controllers_sign_moves_the_clock_by_name_or_by_what_it_says(
    crew: Crew, own_name: bool, time_machine: TimeMachineFixture
) -> None:
    sign = raised(crew)
    speaking_controller(crew, sign.table)
    feeder, name = Feeder(), "screen-7" if own_name else sign.name
    time_machine.move_to(START + 2 * MINUTE, tick=False)
    says = {"sign": name, "min": 2_500, "max": 50_000, "change_at": "2026-06-01T17:22:00+10:00"}
    report(feeder, "sign-shown", START + MINUTE, START + 2 * MINUTE, **says)
    assert clock_of(sign, START + 2 * MINUTE).displayed_since == START + MINUTE
    time_machine.move_to(START + 4 * MINUTE, tick=False)
    report(feeder, "sign-removed", START + 3 * MINUTE, START + 4 * MINUTE, sign=name)
    clock = clock_of(sign, START + 5 * MINUTE)
    assert (clock.is_up, clock.last_known_up_at) == (False, START + 3 * MINUTE)


def test_another_minimum_is_another_sign(crew: Crew, time_machine: TimeMachineFixture) -> None:
    sign = raised(crew)
    speaking_controller(crew, sign.table)
    time_machine.move_to(START + 2 * MINUTE, tick=False)
    says = {"sign": "screen-7", "min": 3_000, "change_at": "2026-06-01T17:22:00+10:00"}
    report(Feeder(), "sign-shown", START + MINUTE, START + 2 * MINUTE, **says)
    assert not clock_of(sign, START + 2 * MINUTE).is_up


@pytest.mark.parametrize("apart", [timedelta(minutes=5), timedelta(minutes=-5)])
def test_a_controllers_clock_that_is_off_is_moved_to_ours(
    crew: Crew, apart: timedelta, time_machine: TimeMachineFixture
) -> None:
    """Its clock is five minutes fast or slow; in both cases the sign went up a minute ago."""
    sign = raised(crew)
    speaking_controller(crew, sign.table)
    now = START + 8 * MINUTE
    time_machine.move_to(now, tick=False)
    report(Feeder(), "sign-shown", now - MINUTE + apart, now + apart, sign=sign.name)
    assert clock_of(sign, now).displayed_since == now - MINUTE


@pytest.mark.parametrize(
    ("clock_before", "moved_to"),
    [
        # The clock was right forty seconds ago, so this batch was in transit for twenty.
        (timedelta(0), timedelta(0)),
        # The clock was two minutes fast and has been corrected since, so only this batch counts.
        (2 * MINUTE, timedelta(seconds=20)),
    ],
)
def test_a_batch_that_waited_on_its_way_does_not_move_the_clock(
    crew: Crew, clock_before: timedelta, moved_to: timedelta, time_machine: TimeMachineFixture
) -> None:
    sign = raised(crew)
    speaking_controller(crew, sign.table)
    feeder, now = Feeder(), START + 8 * MINUTE
    time_machine.move_to(now - timedelta(seconds=40), tick=False)
    before = now - timedelta(seconds=40) + clock_before
    report(feeder, "sign-shown", before, before, sign="another")
    time_machine.move_to(now, tick=False)
    report(feeder, "sign-shown", now - MINUTE, now - timedelta(seconds=20), sign=sign.name)
    assert clock_of(sign, now).displayed_since == now - MINUTE + moved_to


# --- The database ---------------------------------------------------------------------------------------------------


def test_the_database_refuses_to_move_a_clock(crew: Crew) -> None:
    sign = put_up(crew, raised(crew), START + 5 * MINUTE)
    for statement in (
        "UPDATE signs_showing SET since_at = since_at - interval '15 minutes'",
        "UPDATE signs_sign SET content = '{}'",
        "UPDATE signs_refresh SET at = now()",
        "DELETE FROM signs_showing",
    ):
        with pytest.raises((IntegrityError, ProgrammingError)), transaction.atomic(), connection.cursor() as cursor:
            if "refresh" in statement:
                refresh_display(display=add_screen(crew, sign.table), shown=[], now=START)
            cursor.execute(statement)
