"""Clock of a sign: twenty minutes to the second, without a break, across daylight-saving changes."""

from datetime import UTC, datetime, timedelta

import pytest

from compliance.tables.signs.sign_clock import DisplayInterval, SignClock, minutes_until, next_whole_minute

MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
TWENTY = 20 * MINUTE


def clock(*stretches: DisplayInterval, now: datetime = NOON + 60 * MINUTE) -> SignClock:
    return SignClock(TWENTY, stretches, now)


@pytest.mark.parametrize(("after", "is_enough"), [(TWENTY - SECOND, False), (TWENTY, True), (TWENTY + SECOND, True)])
def test_twenty_minutes_to_the_second(after: timedelta, is_enough: bool) -> None:
    assert clock(DisplayInterval(NOON)).was_up_before(NOON + after) is is_enough


def test_a_minute_of_being_down_begins_it_anew() -> None:
    was_down = clock(DisplayInterval(NOON, NOON + 10 * MINUTE), DisplayInterval(NOON + 11 * MINUTE))
    assert was_down.was_up_before(NOON + 21 * MINUTE) is False
    assert was_down.was_up_before(NOON + 31 * MINUTE - SECOND) is False
    assert was_down.was_up_before(NOON + 31 * MINUTE) is True
    assert was_down.earliest_at == NOON + 31 * MINUTE


def test_where_coming_down_does_not_restart_it_the_clock_goes_on() -> None:
    """Ten minutes up, one down, ten up: complete at minute 21; the minute down is not counted."""
    stretches = DisplayInterval(NOON, NOON + 10 * MINUTE), DisplayInterval(NOON + 11 * MINUTE)
    goes_on = SignClock(TWENTY, stretches, NOON + 15 * MINUTE, restarts=False)
    assert goes_on.earliest_at == NOON + 21 * MINUTE
    assert goes_on.was_up_before(NOON + 21 * MINUTE - SECOND) is False
    assert goes_on.was_up_before(NOON + 21 * MINUTE) is True
    down = SignClock(TWENTY, stretches[:1], NOON + 15 * MINUTE, restarts=False)
    assert down.earliest_at == NOON + 25 * MINUTE
    assert down.was_up_before(NOON + 25 * MINUTE) is False


def test_a_display_counts_up_to_its_last_word() -> None:
    """With the last refresh ten seconds before the time, the answer is not known yet: the next one comes, or the
    display is silent."""
    at = NOON + TWENTY
    stretch = DisplayInterval(NOON, None, at - 10 * SECOND)
    assert clock(stretch, now=at + 5 * SECOND).was_up_before(at) is None
    assert clock(stretch, now=at + 36 * SECOND).was_up_before(at) is False
    assert clock(DisplayInterval(NOON, None, at), now=at + 5 * SECOND).was_up_before(at) is True


def test_a_display_is_silent_after_forty_five_seconds() -> None:
    stretch = DisplayInterval(NOON, None, NOON + 12 * MINUTE)
    just, over = NOON + 12 * MINUTE + 45 * SECOND, NOON + 12 * MINUTE + 46 * SECOND
    assert clock(stretch, now=just).is_up
    assert clock(stretch, now=over).silent_interval == stretch
    assert not clock(stretch, now=over).is_up
    assert clock(stretch, now=over).last_known_up_at == NOON + 12 * MINUTE


def test_a_sign_that_is_not_up_could_be_in_time_from_now_on() -> None:
    assert clock(now=NOON).earliest_at == NOON + TWENTY
    assert clock(now=NOON).can_be_in_time(NOON + TWENTY)
    assert not clock(now=NOON).can_be_in_time(NOON + TWENTY - SECOND)


@pytest.mark.parametrize(
    ("seconds", "minutes"), [(1200, 20), (1199, 20), (1141, 20), (1140, 19), (1, 1), (0, 0), (-30, 0)]
)
def test_minutes_left_are_never_told_too_few(seconds: int, minutes: int) -> None:
    assert minutes_until(NOON + seconds * SECOND, NOON) == minutes


def test_people_state_whole_minutes_and_none_that_is_too_early() -> None:
    assert next_whole_minute(NOON) == NOON
    assert next_whole_minute(NOON + SECOND) == NOON + MINUTE
