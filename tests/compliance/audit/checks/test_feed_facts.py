"""Rounds that contradict the casino's records: their gaming day, and terminals that the table does not have."""

from datetime import UTC, date, datetime, timedelta

import pytest

from compliance.audit.models import BLOCK_ENTRIES, Block, Finding
from rounds.floor.fact_values import GamingDayValue
from rounds.floor.models import Table, Terminal
from rounds.floor.services import add_terminal, retire_terminal
from rounds.intake.protocol.round import Wager
from tests.compliance.audit.checks.round.test_streaks import made
from tests.compliance.audit.checks.test_feed_rounds import RULES, codes, report
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import MBS, NSW, RWS, START, wager
from tests.compliance.audit.run.test_superseded_findings import fill_up_to
from tests.rounds.floor.crew import OPENING, record_table_fact

pytestmark = pytest.mark.django_db
TODAY, ONE_DAY, SECOND = START.date(), timedelta(days=1), timedelta(seconds=1)
# 06:00 in Sydney on 17 November.
CUT_OVER = datetime(2026, 11, 16, 19, 0, tzinfo=UTC)
WRONG_DAY = ["FEED-ROUND-GAMING-DAY"]


def state_cut_over(house: House, clock: str = "06:00", at: datetime = OPENING, **said: object) -> None:
    record_table_fact(house.crew, None, GamingDayValue(cut_over=clock), at, **said)


class TestGamingDays:
    @pytest.mark.parametrize("rules", RULES)
    @pytest.mark.parametrize(
        ("day", "found"),
        [(-7, WRONG_DAY), (-1, WRONG_DAY), (0, []), (1, WRONG_DAY)],
        ids=["last-week", "yesterday", "today", "tomorrow"],
    )
    def test_a_round_is_in_the_day_of_its_cut_over(self, house: House, rules: str, day: int, found: list[str]) -> None:
        house.open_table(rules=rules)
        state_cut_over(house)
        index = report(house, "r-1", gaming_day=TODAY + day * ONE_DAY)
        assert codes(house) == found
        for finding in Finding.objects.all():
            assert (finding.subject_index, finding.table, finding.clause) == (index, "sb-1", "")
            assert finding.sentence == (
                f"Round r-1 of sb-1 was reported for the gaming day {16 + day} Nov 2026; "
                "by the cut-over at 06:00 it belongs to 16 Nov 2026."
            )

    @pytest.mark.parametrize(
        ("began_at", "day", "found"),
        [
            (CUT_OVER - SECOND, 16, []),
            (CUT_OVER + 60 * SECOND, 16, []),
            (CUT_OVER + 61 * SECOND, 16, WRONG_DAY),
            (CUT_OVER, 17, []),
            (CUT_OVER - 70 * SECOND, 17, []),
            (CUT_OVER - 71 * SECOND, 17, WRONG_DAY),
        ],
        ids=["before", "a-minute-after", "later", "at-the-cut-over", "ends-at-the-cut-over", "ends-before"],
    )
    def test_rounds_around_the_cut_over(self, house: House, began_at: datetime, day: int, found: list[str]) -> None:
        """A round lasts seventy seconds."""
        house.open_table()
        state_cut_over(house)
        report(house, "r-1", began_at - START, gaming_day=date(2026, 11, day))
        assert codes(house) == found

    @pytest.mark.parametrize("rules", RULES)
    @pytest.mark.parametrize(("day", "found"), [(-7, WRONG_DAY), (-2, WRONG_DAY), (-1, []), (0, []), (1, WRONG_DAY)])
    def test_without_a_cut_over_only_what_no_cut_over_allows(
        self, house: House, rules: str, day: int, found: list[str]
    ) -> None:
        house.open_table(rules=rules)
        report(house, "r-1", gaming_day=TODAY + day * ONE_DAY)
        assert codes(house) == found
        for finding in Finding.objects.all():
            assert finding.sentence.endswith("by the calendar it belongs to 16 Nov 2026.")

    @pytest.mark.parametrize(("minutes", "found"), [(0, []), (60, []), (25 * 60, WRONG_DAY)])
    def test_a_new_cut_over_leaves_the_running_day_as_it_is(self, house: House, minutes: int, found: list[str]) -> None:
        """From midnight in Sydney on, gaming days begin at four o'clock; until then they began at six."""
        midnight = CUT_OVER - timedelta(hours=6)
        house.open_table()
        state_cut_over(house)
        state_cut_over(house, "04:00", midnight, now=midnight)
        began_at = midnight + timedelta(hours=4, minutes=30 + minutes)
        report(house, "r-1", began_at - START, gaming_day=TODAY + minutes // 1440 * ONE_DAY)
        assert codes(house) == found

    def test_a_cut_over_that_is_recorded_late_reopens_the_block(self, house: House) -> None:
        house.open_table()
        state_cut_over(house)
        report(house, "r-1", gaming_day=TODAY - ONE_DAY)
        fill_up_to(house, BLOCK_ENTRIES)
        assert codes(house) == WRONG_DAY
        state_cut_over(house, "21:00", START - ONE_DAY * 5, now=NOW)
        assert codes(house) == []
        assert "says when gaming days begin" in Finding.objects.get().superseded_reason
        assert Block.objects.get(number=0).generation == 2

    @pytest.mark.parametrize(("streak", "found"), [(True, []), (False, WRONG_DAY)])
    def test_a_day_goes_on_while_its_streaks_run(self, house: House, streak: bool, found: list[str]) -> None:
        house.open_table()
        state_cut_over(house)
        wagers = (made("streak:big"),) if streak else ()
        house.play((4, 5, 6), *wagers)
        report(house, "r-99", CUT_OVER - START + timedelta(minutes=30))
        assert codes(house) == found


def terminal_wager(rules: str, terminal: str | None) -> Wager:
    return wager("big", 1_000, 0, rules=rules, terminal=terminal)


class TestTerminals:
    @pytest.mark.parametrize("rules", RULES)
    @pytest.mark.parametrize(
        ("terminal", "found"),
        [("t-1", []), (None, []), ("t-2", ["FEED-ROUND-TERMINAL"]), ("t-9", ["FEED-ROUND-TERMINAL"])],
        ids=["its-own", "none", "of-another-table", "unknown"],
    )
    def test_wagers_come_from_terminals_of_the_table(
        self, house: House, rules: str, terminal: str | None, found: list[str]
    ) -> None:
        self.add(house, house.open_table(rules=rules), "t-1")
        self.add(house, house.open_table("sb-2", rules=MBS if rules == NSW else NSW), "t-2")
        index = report(house, "r-1", wagers=(terminal_wager(rules, terminal),))
        assert codes(house) == found
        for finding in Finding.objects.filter(code="FEED-ROUND-TERMINAL"):
            assert (finding.subject_index, finding.clause) == (index, "")
            assert finding.sentence == f"Round r-1 of sb-1 has wagers from {terminal}, which its table does not have."

    def test_several_unknown_terminals_are_one_finding(self, house: House) -> None:
        house.open_table()
        wagers = [wager("big", 1_000, 0, id=name, terminal=name) for name in ("t-9", "t-8")]
        report(house, "r-1", wagers=tuple(wagers))
        assert codes(house) == ["FEED-ROUND-TERMINAL"]
        assert "from t-8, t-9, which" in Finding.objects.get(code="FEED-ROUND-TERMINAL").sentence

    @pytest.mark.parametrize("before", [True, False])
    def test_a_terminal_is_added_before_its_wagers_are_recorded(self, house: House, before: bool) -> None:
        table = house.open_table()
        if before:
            self.add(house, table, "t-1")
        report(house, "r-1", wagers=(terminal_wager(NSW, "t-1"),))
        if not before:
            self.add(house, table, "t-1")
        report(house, "r-2", timedelta(minutes=5), wagers=(terminal_wager(NSW, "t-1"),))
        assert codes(house) == ([] if before else ["FEED-ROUND-TERMINAL"])

    @pytest.mark.parametrize(("seconds", "found"), [(9, []), (10, []), (11, ["FEED-ROUND-TERMINAL"])])
    def test_a_retired_terminal_takes_no_wagers(self, house: House, seconds: int, found: list[str]) -> None:
        """Ten seconds are the tolerance of clocks."""
        terminal = self.add(house, house.open_table(), "t-1")
        retire_terminal(terminal=terminal, actor=house.crew.sid, now=START - seconds * SECOND)
        report(house, "r-1", wagers=(terminal_wager(NSW, "t-1"),))
        assert codes(house) == found

    def test_where_the_terminal_decides_the_odds_they_are_not_known(self, house: House) -> None:
        house.add_terminal(house.open_table(rules=RWS), "t-1", "Appendix A")
        report(house, "r-1", wagers=(terminal_wager(RWS, "t-9"),))
        assert codes(house) == ["FEED-ROUND-TERMINAL"]
        assert house.codes() == ["FEED-ROUND-TERMINAL", "ROUND-NO-RULES"]

    def add(self, house: House, table: Table, slug: str) -> Terminal:
        return add_terminal(table=table, slug=slug, actor=house.crew.sid, now=OPENING)
