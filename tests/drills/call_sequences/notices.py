"""Any sequence of limit notices, signs shown and removed, and minutes that pass, at a table under the NSW rules."""

from datetime import datetime, timedelta

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from compliance.tables.limit_notices.models import LimitNotice, NoticeStep
from compliance.tables.limit_notices.services import schedule_notice, withdraw_notice
from compliance.tables.limit_notices.states import OPEN_STATES, NoticeState
from compliance.tables.signs.services import confirm_sign, take_down_sign
from rounds.floor.fact_values import LimitsValue
from rounds.floor.models import Fact, Table
from tests.compliance.tables.signs.builders import MINUTE, START, nsw_table, run_workers
from tests.drills.call_sequences.state_machine import ServiceCallMachine
from tests.fixture_snapshots import snapshotted
from tests.rounds.floor.crew import Crew, gather

# NSW 4.5: a higher minimum takes effect at the earliest when its sign was shown without a break for this long.
NOTICE = timedelta(minutes=20)
PEOPLE = st.sampled_from(["sid", "sid", "gina", "cora"])
MINIMUMS = st.sampled_from([100, 500, 1_000, 2_500])
LATER = st.one_of(st.none(), st.integers(-5, 60))
WHICH = st.integers(0, 5)


@snapshotted
def notice_floor() -> tuple[Crew, Table]:
    crew = gather()
    return crew, nsw_table(crew)


class AnyNotices(ServiceCallMachine):
    """`up`: since when each sign is shown; `stretches`: every ended interval, as the test saw them."""

    name = "notices"

    def begin(self) -> None:
        self.crew, self.table = notice_floor()
        self.now = START
        self.notices: list[LimitNotice] = []
        self.up: dict[int, datetime] = {}
        self.stretches: list[tuple[int, datetime, datetime]] = []

    @rule(minimum=MINIMUMS, maximum=st.sampled_from([5_000, 50_000]), minutes=LATER, name=PEOPLE)
    def schedule(self, minimum: int, maximum: int, minutes: int | None, name: str) -> None:
        at = None if minutes is None else self.now + minutes * MINUTE
        made = self.attempt(
            lambda: schedule_notice(
                table=self.table,
                limits=LimitsValue(min=minimum, max=maximum),
                effective_at=at,
                actor=getattr(self.crew, name),
                now=self.now,
            )
        )
        if made is not None:
            self.notices.append(made)

    def _chosen(self, which: int) -> LimitNotice | None:
        if not self.notices:
            return None
        return LimitNotice.objects.with_related().get(pk=self.notices[which % len(self.notices)].pk)

    @rule(which=WHICH)
    def put_up(self, which: int) -> None:
        notice = self._chosen(which)
        if notice is not None and notice.sign is not None:
            sign = notice.sign
            done = self.attempt(lambda: confirm_sign(sign=sign, shown_at=self.now, actor=self.crew.gina, now=self.now))
            if done is not None:
                self.up.setdefault(sign.pk, self.now)

    @rule(which=WHICH)
    def take_down(self, which: int) -> None:
        notice = self._chosen(which)
        if notice is not None and notice.sign is not None:
            sign = notice.sign
            done = self.attempt(lambda: take_down_sign(sign=sign, actor=self.crew.gina, now=self.now))
            if done is not None and sign.pk in self.up:
                self.stretches.append((sign.pk, self.up.pop(sign.pk), self.now))

    @rule(which=WHICH, name=PEOPLE)
    def withdraw(self, which: int, name: str) -> None:
        notice = self._chosen(which)
        if notice is not None:
            said = {"reason": "A mistake.", "actor": getattr(self.crew, name), "now": self.now}
            self.attempt(lambda: withdraw_notice(notice=notice, **said))

    @rule(minutes=st.integers(1, 25))
    def let_time_pass(self, minutes: int) -> None:
        for _ in range(minutes):
            self.now += MINUTE
            run_workers(self.now)

    @invariant()
    def a_higher_minimum_had_its_sign_up_for_twenty_minutes(self) -> None:
        for notice in LimitNotice.objects.filter(state=NoticeState.IN_FORCE).exclude(sign=None):
            seen = [*self.stretches, *((sign, since, self.now) for sign, since in self.up.items())]
            assert any(
                sign == notice.sign_id and since <= notice.effective_at - NOTICE and until >= notice.effective_at
                for sign, since, until in seen
            ), f"{notice} came into force without its twenty minutes."

    @invariant()
    def no_minimum_rises_without_a_sign(self) -> None:
        with_sign = set(
            LimitNotice.objects.filter(state=NoticeState.IN_FORCE)
            .exclude(sign=None)
            .values_list("effective_at", flat=True)
        )
        facts = Fact.objects.filter(table=self.table, name="limits").order_by("effective_at", "pk")
        before = 500
        for minimum, at in [(fact.value["min"], fact.effective_at) for fact in facts]:
            assert minimum <= before or at in with_sign
            before = minimum

    @invariant()
    def what_ended_has_one_end_and_its_entry(self) -> None:
        ended = {notice.pk: notice.state for notice in LimitNotice.objects.exclude(state__in=OPEN_STATES)}
        steps = [(step.notice_id, step.state) for step in NoticeStep.objects.all()]
        assert sorted(steps) == sorted(ended.items())
