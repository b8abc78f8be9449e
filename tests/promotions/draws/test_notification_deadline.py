"""Winners are notified within two days of the draw: the day itself is not counted, weekends and holidays roll over
(N43)."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from promotions.draws.models import Draw, Winner
from promotions.draws.notification_deadline import winner_deadline
from promotions.draws.selectors import unnotified_draws
from promotions.draws.services import record_attempt, record_winner, schedule_draw
from promotions.shared.duties import require_duties
from rounds.floor.fact_values import Holiday
from rounds.ledger.readers.consumer import read_entries
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
    assert last_on(crew, wednesday) == date(2026, 12, 25)
    set_holidays(
        crew, Holiday(on=date(2026, 12, 25), name="Christmas Day"), Holiday(on=date(2026, 12, 28), name="Boxing Day")
    )
    assert last_on(crew, wednesday) == date(2026, 12, 29)


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
