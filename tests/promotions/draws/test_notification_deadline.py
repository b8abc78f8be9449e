"""Winners are notified within two days of the draw: the day itself is not counted, weekends and holidays roll over
(N43)."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from promotions.draws.forms import AttemptForm
from promotions.draws.models import Draw, Winner
from promotions.draws.notification_deadline import winner_deadline
from promotions.draws.selectors import unnotified_draws
from promotions.draws.services import record_attempt, record_winner, schedule_draw
from promotions.draws.views.holidays import holiday_list
from promotions.shared.duties import require_duties
from rounds.floor.fact_values import Holiday
from rounds.ledger.readers.consumer import read_entries
from tests.compliance.core.accounts.people import browser_of
from tests.promotions.crew import DAY, HOUR, NOW, START, Crew, file_example_terms, set_holidays
from tests.promotions.draws.test_draws import DRAW_DAY, held, scheduled


def last_on(crew: Crew, drawn_at: datetime) -> date:
    return winner_deadline(crew.harbour, drawn_at, require_duties(crew.harbour, NOW).duties.notification).last_on


def at_noon(day: int, month: int = 11) -> datetime:
    """Noon in Sydney, in summer time."""
    return datetime(2026, month, day, 1, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("drawn", "last"),
    [
        (at_noon(16), date(2026, 11, 18)),  # Monday: Wednesday
        (at_noon(18), date(2026, 11, 20)),  # Wednesday: Friday
        (at_noon(19), date(2026, 11, 23)),  # Thursday: Saturday rolls to Monday
        (at_noon(20), date(2026, 11, 23)),  # Friday: Sunday rolls to Monday
        (at_noon(21), date(2026, 11, 23)),  # Saturday: Monday
    ],
)
def test_two_days_roll_over_a_weekend(crew: Crew, drawn: datetime, last: date) -> None:
    assert last_on(crew, drawn) == last


def test_a_holiday_rolls_over_as_the_calendar_says(crew: Crew) -> None:
    wednesday = at_noon(23, 12)
    # Christmas Day, the weekend, and the Monday for Boxing Day.
    assert last_on(crew, wednesday) == date(2026, 12, 29)
    set_holidays(crew, Holiday(on=date(2026, 12, 29), name="A holiday"))
    assert last_on(crew, wednesday) == date(2026, 12, 30)
    set_holidays(crew, working_days=(Holiday(on=date(2026, 12, 28), name="By proclamation"),))
    assert last_on(crew, wednesday) == date(2026, 12, 28)


@pytest.mark.parametrize(
    ("reading", "last"), [("interpretation-act", date(2026, 11, 23)), ("calendar-days", date(2026, 11, 21))]
)
def test_both_readings_of_two_days_are_known_and_one_is_adopted(crew: Crew, reading: str, last: date) -> None:
    duty = replace(
        require_duties(crew.harbour, NOW).duties.notification,
        rolls_over_non_business_days=reading == "interpretation-act",
    )
    assert duty.days_reading == reading
    due = winner_deadline(crew.harbour, at_noon(19), duty)
    assert (due.last_on, due.by_reading[reading]) == (last, last)
    assert set(due.by_reading) == {"interpretation-act", "calendar-days"}


@pytest.mark.parametrize(("before", "is_tried"), [(timedelta(seconds=1), False), (timedelta(), True)])
def test_an_attempt_before_the_draw_does_not_count(crew: Crew, before: timedelta, is_tried: bool) -> None:
    winner = won(crew)
    at = DRAW_DAY - before
    record_attempt(winner=winner, method="mail", attempted_at=at, is_reached=True, actor=crew.mara, now=DRAW_DAY + HOUR)
    again = Winner.objects.with_details().get(pk=winner.pk)
    assert (again.first_attempt_at is not None, again.is_reached) == (is_tried, is_tried)
    duties = require_duties(crew.harbour, NOW).duties
    local = at.astimezone(crew.harbour.zone)
    typed = {"method": "mail", "attempted_at": f"{local:%Y-%m-%dT%H:%M}", "is_reached": "yes"}
    form = AttemptForm(typed, duties=duties, drawn_at=DRAW_DAY, casino=crew.harbour, now=DRAW_DAY + HOUR)
    assert form.is_valid() is is_tried


def test_the_page_shows_the_last_day_by_each_reading(crew: Crew) -> None:
    page = browser_of(crew.mara).get(won(crew).address("winner")).content.decode()
    assert "interpretation-act: 8 Dec 2026, adopted; calendar-days: 8 Dec 2026" in page


def test_the_calendar_has_the_public_holidays_and_what_was_corrected(crew: Crew) -> None:
    set_holidays(
        crew,
        Holiday(on=date(2026, 12, 24), name="Bank holiday"),
        working_days=(Holiday(on=date(2026, 12, 28), name="By proclamation"),),
    )
    named = {day.on: (day.name, day.source.label) for day in holiday_list(crew.harbour, NOW)}
    assert named[date(2026, 4, 27)] == ("ANZAC Day (observed)", "Public holiday")
    assert named[date(2026, 12, 24)] == ("Bank holiday", "Added here")
    assert named[date(2026, 12, 28)] == ("By proclamation", "Working day here")


def test_the_day_is_the_casinos_own(crew: Crew) -> None:
    # 23:30 UTC on Sunday is Monday morning in Sydney.
    assert last_on(crew, datetime(2026, 11, 15, 23, 30, tzinfo=UTC)) == date(2026, 11, 18)


def won(crew: Crew, presence: str = "not-required") -> Winner:
    draw = scheduled(crew) if presence == "not-required" else _present_draw(crew)
    held(crew, draw)
    person = {"name": "Pat Example", "telephone": "+61 2 5550 0100"}
    winner = record_winner(
        draw=draw,
        prize="Hatchback",
        value_cents=2_500_000,
        entry_drawn="17",
        person=person,
        actor=crew.mara,
        now=DRAW_DAY + HOUR,
    )
    return Winner.objects.with_details().get(pk=winner.pk)


def _present_draw(crew: Crew) -> Draw:
    promotion = file_example_terms(crew, START, presence="required").promotion
    return schedule_draw(
        promotion=promotion, scheduled_at=DRAW_DAY, place="Stage", method="Barrel", actor=crew.mara, now=START
    )


def test_an_attempt_in_time_is_enough_and_at_midnight_it_is_late(crew: Crew) -> None:
    due = winner_deadline(crew.harbour, DRAW_DAY, require_duties(crew.harbour, NOW).duties.notification)
    midnight = due.ends_at
    assert not due.is_overdue(None, midnight - timedelta(seconds=1))
    assert due.is_overdue(None, midnight)
    assert not due.is_overdue(midnight - timedelta(seconds=1), midnight + DAY)
    assert due.is_overdue(midnight, midnight + DAY)


def test_whoever_is_not_reached_stays_on_the_list_and_whoever_is_leaves_it(crew: Crew) -> None:
    winner = won(crew)
    [waiting] = unnotified_draws(crew.harbour, DRAW_DAY + 10 * DAY)
    assert (waiting.draw, waiting.winners, waiting.overdue) == (winner.draw, 1, 1)
    tried: dict[str, Any] = {
        "winner": winner,
        "actor": crew.mara,
        "now": DRAW_DAY + 3 * HOUR,
        "attempted_at": DRAW_DAY + 2 * HOUR,
    }
    record_attempt(**tried, method="telephone", is_reached=False)
    [waiting] = unnotified_draws(crew.harbour, DRAW_DAY + 10 * DAY)
    assert (waiting.winners, waiting.overdue) == (1, 0)
    record_attempt(**tried, method="email", is_reached=True)
    assert unnotified_draws(crew.harbour, DRAW_DAY + 10 * DAY) == []


def test_where_presence_was_required_nobody_is_on_the_list(crew: Crew) -> None:
    assert won(crew, "required").is_presence_required
    assert unnotified_draws(crew.harbour, DRAW_DAY + 10 * DAY) == []


def test_the_winners_name_is_in_no_leaf(crew: Crew) -> None:
    winner = won(crew)
    assert winner.personal is not None
    leaves = b"".join(entry.body for entry in read_entries("harbour", 0, 1000))
    assert winner.personal.digest_sha256.encode() in leaves
    assert b"Pat Example" not in leaves
    assert b"5550" not in leaves
