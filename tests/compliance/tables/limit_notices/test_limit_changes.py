"""Changing limits: what needs a sign and for how long, what takes effect at once, what is refused with which
message."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from compliance.tables.limit_notices.errors import NoticeRefusal
from compliance.tables.limit_notices.models import LimitNotice, NoticeStep
from compliance.tables.limit_notices.services import schedule_notice, withdraw_notice
from compliance.tables.limit_notices.states import NoticeState
from compliance.tables.signs.errors import RoleRequired
from compliance.tables.signs.models import Sign
from compliance.tables.signs.presentation.text import time_of_day
from compliance.tables.signs.services import take_down_sign
from rounds.floor.fact_values import LimitsValue, StreakAmountValue
from rounds.floor.models import Fact
from rounds.floor.selectors import facts_at
from tests.compliance.tables.signs.builders import (
    MINUTE,
    SECOND,
    SKYCITY,
    START,
    add_screen,
    entries_of,
    nsw_table,
    put_up,
    raise_minimum,
    refresh_until,
    reload_notice,
    run_workers,
    use_rules_with_pausing_clock,
)
from tests.rounds.floor.crew import Crew, record_table_fact, refusal_of, table_under


def test_a_raised_minimum_comes_into_force_twenty_minutes_after_its_sign(crew: Crew) -> None:
    table = nsw_table(crew)
    notice = raise_minimum(crew, table)
    assert notice.state == NoticeState.SCHEDULED
    assert notice.clause == "4.5"
    put_up(crew, notice.sign, START + 2 * MINUTE)
    run_workers(START + 3 * MINUTE)
    assert reload_notice(notice).state == NoticeState.SIGN_UP
    run_workers(START + 22 * MINUTE)
    assert reload_notice(notice).state == NoticeState.IN_FORCE
    assert facts_at(table, START + 22 * MINUTE).get(LimitsValue) == LimitsValue(min=2_500, max=50_000)
    assert facts_at(table, START + 22 * MINUTE - SECOND).get(LimitsValue) == LimitsValue(min=500, max=50_000)
    assert [entry.kind for entry in (*entries_of("sign-shown"), *entries_of("sign-removed"))] == [
        "sign-shown",
        "sign-removed",
    ]


@pytest.mark.parametrize(
    ("sign_up_after", "becomes"),
    [
        (2 * MINUTE - SECOND, NoticeState.IN_FORCE),
        (2 * MINUTE, NoticeState.IN_FORCE),
        (2 * MINUTE + SECOND, NoticeState.LAPSED),
    ],
)
def test_the_clock_starts_with_the_sign_and_not_with_the_form(
    crew: Crew, sign_up_after: timedelta, becomes: NoticeState
) -> None:
    table = nsw_table(crew)
    notice = raise_minimum(crew, table)
    put_up(crew, notice.sign, START + sign_up_after)
    run_workers(START + 22 * MINUTE)
    assert reload_notice(notice).state == becomes
    raised = facts_at(table, START + 30 * MINUTE).get(LimitsValue) == LimitsValue(min=2_500, max=50_000)
    assert raised is (becomes == NoticeState.IN_FORCE)


def test_a_sign_that_went_down_for_a_minute_lapses_the_notice_and_changes_nothing(crew: Crew) -> None:
    table = nsw_table(crew)
    notice = raise_minimum(crew, table)
    sign = put_up(crew, notice.sign, START)
    take_down_sign(sign=sign, actor=crew.gina, now=START + 8 * MINUTE)
    run_workers(START + 8 * MINUTE + SECOND)
    assert reload_notice(notice).state == NoticeState.SCHEDULED
    put_up(crew, sign, START + 9 * MINUTE)
    before = Fact.objects.count()
    run_workers(START + 22 * MINUTE)
    assert reload_notice(notice).state == NoticeState.LAPSED
    assert Fact.objects.count() == before
    lapsed = NoticeStep.objects.get(notice=notice)
    assert "not up without a break for 20 minutes before 5:22 pm (clause 4.5)" in lapsed.reason


@pytest.mark.parametrize(
    ("up_again_after", "becomes"), [(9 * MINUTE, NoticeState.IN_FORCE), (11 * MINUTE, NoticeState.LAPSED)]
)
def test_under_rules_whose_clock_goes_on_only_the_time_up_is_counted(
    crew: Crew, up_again_after: timedelta, becomes: NoticeState, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Up for eight minutes, then down: one minute down leaves 21 in all, three minutes leave 19."""
    use_rules_with_pausing_clock(monkeypatch, tmp_path)
    notice = raise_minimum(crew, nsw_table(crew))
    sign = put_up(crew, notice.sign, START)
    take_down_sign(sign=sign, actor=crew.gina, now=START + 8 * MINUTE)
    put_up(crew, sign, START + up_again_after)
    run_workers(START + 22 * MINUTE)
    assert reload_notice(notice).state == becomes


# At Sydney 2 am becomes 3 am on 4 October 2026, and 3 am becomes 2 am on 4 April 2027.
FORWARD, BACK = datetime(2026, 10, 3, 15, 50, tzinfo=UTC), datetime(2027, 4, 3, 15, 50, tzinfo=UTC)


@pytest.mark.parametrize(("up_at", "on_the_sign"), [(FORWARD, "3:10 am"), (BACK, "2:10 am")])
@pytest.mark.parametrize(("late", "becomes"), [(0 * SECOND, NoticeState.IN_FORCE), (SECOND, NoticeState.LAPSED)])
def test_across_the_nights_when_clocks_change(
    crew: Crew, up_at: datetime, on_the_sign: str, late: timedelta, becomes: NoticeState
) -> None:
    """1:50 am and 3:10 am are twenty minutes apart in spring; 2:50 am and 2:10 am in autumn."""
    table = nsw_table(crew)
    notice = raise_minimum(crew, table, up_at - MINUTE, effective_at=up_at + 20 * MINUTE)
    assert time_of_day(notice.effective_at, crew.harbour) == on_the_sign
    put_up(crew, notice.sign, up_at + late)
    run_workers(up_at + 20 * MINUTE)
    assert reload_notice(notice).state == becomes


def test_lower_minimums_and_changed_maximums_take_effect_at_once(crew: Crew) -> None:
    table = nsw_table(crew)
    for limits in (
        LimitsValue(min=200, max=50_000),
        LimitsValue(min=200, max=10_000),
        LimitsValue(min=200, max=90_000, unit=100),
    ):
        notice = schedule_notice(table=table, limits=limits, actor=crew.sid, now=START)
        assert (notice.state, notice.sign) == (NoticeState.IN_FORCE, None)
        assert facts_at(table, START).get(LimitsValue) == limits


def test_a_streak_amount_changes_at_once_with_the_limits_as_they_are(crew: Crew) -> None:
    table = nsw_table(crew)
    held = LimitsValue(min=500, max=50_000)
    notice = schedule_notice(table=table, limits=held, streak_cents=2_000, actor=crew.sid, now=START)
    assert notice.state == NoticeState.IN_FORCE
    assert facts_at(table, START).get(StreakAmountValue) == StreakAmountValue(cents=2_000)


def test_where_the_rules_are_silent_a_raise_needs_no_sign(crew: Crew) -> None:
    table = table_under(crew, SKYCITY)
    record_table_fact(crew, table, LimitsValue(min=500, max=50_000))
    notice = schedule_notice(table=table, limits=LimitsValue(min=2_500, max=50_000), actor=crew.sid, now=START)
    assert (notice.state, notice.sign, notice.clause) == (NoticeState.IN_FORCE, None, "")


def test_a_lower_minimum_announced_between_makes_a_later_change_a_raise(crew: Crew) -> None:
    """The minimum is $5, then $3 from 5:10 pm, so $4 from 5:30 pm is a raise. Announced in the other order, it
    lapses."""
    table = nsw_table(crew)
    three, four = LimitsValue(min=300, max=50_000), LimitsValue(min=400, max=50_000)

    def change(limits: LimitsValue, minutes: int) -> LimitNotice:
        at = START + minutes * MINUTE
        return schedule_notice(table=table, limits=limits, effective_at=at, actor=crew.sid, now=START)

    lower = change(three, 10)
    assert change(four, 30).clause == "4.5"
    withdraw_notice(notice=lower, reason="Another order.", actor=crew.sid, now=START)
    later = change(four, 25)
    assert later.sign is None
    change(three, 20)
    run_workers(START + 20 * MINUTE)
    run_workers(START + 25 * MINUTE)
    assert reload_notice(later).state == NoticeState.LAPSED
    assert "needs a sign (clause 4.5)" in NoticeStep.objects.get(notice=later).reason
    assert facts_at(table, START + 25 * MINUTE).get(LimitsValue) == three


def test_without_a_time_a_raise_gets_the_earliest_that_leaves_time_for_the_sign(crew: Crew) -> None:
    notice = raise_minimum(crew, nsw_table(crew), START + 7 * SECOND, effective_at=None)
    assert notice.effective_at == START + 23 * MINUTE


def test_what_is_refused_names_clause_and_earliest_time_and_leaves_nothing(crew: Crew) -> None:
    table = nsw_table(crew)
    entries = len(entries_of("limit-notice"))
    in_19 = refusal_of(lambda: raise_minimum(crew, table, effective_at=START + 19 * MINUTE))
    assert "(clause 4.5)" in in_19.detail
    assert in_19.detail.endswith("The earliest possible time is 5:20 pm.")
    just = refusal_of(lambda: raise_minimum(crew, table, effective_at=START + 20 * MINUTE - SECOND))
    assert just.code == "notice-too-soon"
    past = refusal_of(lambda: raise_minimum(crew, table, effective_at=START - MINUTE))
    assert past.detail == "That time has passed. The earliest possible time is 5:20 pm (clause 4.5)."
    upside_down = refusal_of(
        lambda: schedule_notice(table=table, limits=LimitsValue(min=500, max=400), actor=crew.sid, now=START)
    )
    assert isinstance(upside_down, NoticeRefusal)
    assert upside_down.field == "max"
    same = refusal_of(
        lambda: schedule_notice(table=table, limits=LimitsValue(min=500, max=50_000), actor=crew.sid, now=START)
    )
    assert same.code == "notice-nothing-changes"
    assert (len(entries_of("limit-notice")), LimitNotice.objects.count(), Sign.objects.count()) == (entries, 0, 0)


def test_two_changes_for_one_instant_and_two_raises_are_refused(crew: Crew) -> None:
    table = nsw_table(crew)
    at = START + 22 * MINUTE
    first = raise_minimum(crew, table, effective_at=at)
    lower = LimitsValue(min=300, max=50_000)
    taken = refusal_of(lambda: schedule_notice(table=table, limits=lower, effective_at=at, actor=crew.sid, now=START))
    assert taken.detail == "Another change at Table SB-1 is announced for 5:22 pm. Choose another time, or withdraw it."
    second = refusal_of(lambda: raise_minimum(crew, table, effective_at=at + 5 * MINUTE))
    assert "announced at Table SB-1 for 5:22 pm already" in second.detail
    withdraw_notice(notice=first, reason="A mistake.", actor=crew.sid, now=START)
    assert raise_minimum(crew, table, effective_at=at).state == NoticeState.SCHEDULED


def test_games_supervisors_act_where_the_rules_count_them_and_outsiders_never(crew: Crew) -> None:
    """NSW counts a games supervisor as a casino supervisor, but not a compliance officer; Otto has no role here."""
    table = nsw_table(crew)
    assert raise_minimum(crew, table, actor=crew.gina).scheduled_by == crew.gina
    for person in (crew.cora, crew.cast.otto, crew.cast.ines):
        with pytest.raises(RoleRequired, match=r"clause 4\.5 this is for a casino supervisor or games supervisor"):
            raise_minimum(crew, table, actor=person, effective_at=START + 40 * MINUTE)


def test_at_a_silent_rule_set_a_games_supervisor_may_not(crew: Crew) -> None:
    table = table_under(crew, SKYCITY)
    record_table_fact(crew, table, LimitsValue(min=500, max=50_000))
    with pytest.raises(RoleRequired):
        schedule_notice(table=table, limits=LimitsValue(min=300, max=50_000), actor=crew.gina, now=START)


def test_a_notice_that_ended_moves_no_more(crew: Crew) -> None:
    notice = raise_minimum(crew, nsw_table(crew))
    withdraw_notice(notice=notice, reason="Not today.", actor=crew.sid, now=START)
    run_workers(START + 30 * MINUTE)
    assert reload_notice(notice).state == NoticeState.WITHDRAWN
    again = refusal_of(lambda: withdraw_notice(notice=notice, reason="Again.", actor=crew.sid, now=START))
    assert again.code == "notice-not-waiting"


def test_a_display_killed_at_minute_twelve(crew: Crew) -> None:
    """Its last heartbeat was at minute 12: the loss is dated then, and the notice returns to scheduled and lapses at
    its time."""
    table = nsw_table(crew)
    notice, display = raise_minimum(crew, table), add_screen(crew, table)
    refresh_until(display, notice.sign, START, START + 12 * MINUTE)
    run_workers(START + 12 * MINUTE + 45 * SECOND)
    assert reload_notice(notice).state == NoticeState.SIGN_UP
    run_workers(START + 12 * MINUTE + 46 * SECOND)
    assert reload_notice(notice).state == NoticeState.SCHEDULED
    [lost] = entries_of("sign-removed")
    assert lost.content()["body"] == {"lost": True, "sign": notice.sign.name}  # type: ignore[union-attr]
    assert datetime.fromisoformat(lost.content()["at"]) == START + 12 * MINUTE
    refresh_until(display, notice.sign, START + 14 * MINUTE, START + 22 * MINUTE)
    run_workers(START + 22 * MINUTE)
    assert reload_notice(notice).state == NoticeState.LAPSED
    assert [entry.content()["body"].get("again", False) for entry in entries_of("sign-shown")] == [False, True]
