"""Super Streak over a session (NSW 4.6, 6): the screen's count, the final call, wagers open at a closing."""

from datetime import timedelta
from typing import Any

import pytest

from compliance.audit.models import Block, Finding
from rounds.floor.fact_values import EquipmentValue, LimitsValue, StreakAmountValue, WagersOfferedValue
from rounds.intake.protocol.fields import PlayerLimits
from rounds.intake.protocol.round import Wager
from rounds.intake.protocol.table import Streak, StreakState
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import SKYCITY, at, wager
from tests.compliance.audit.table_lines import TableReporter, after

pytestmark = pytest.mark.django_db
SMALL, BIG, TRIPLE = (1, 2, 4), (6, 5, 4), (2, 2, 2)


@pytest.fixture
def table(house: House) -> TableReporter:
    opened = house.open_table(limits=LimitsValue(min=500, max=50_000))
    lcd = EquipmentValue(layout="C", screen="lcd", touch_screen=False, shaker="none")
    for fact in (lcd, StreakAmountValue(cents=1_000), WagersOfferedValue(wagers=("streak",))):
        house.state(opened, fact, at=opened.added_at, now=opened.added_at)
    at_table = TableReporter(house)
    at_table.opens(after(-60))
    return at_table


def codes(table: TableReporter) -> list[str]:
    table.house.audit()
    return table.house.codes()


def play(table: TableReporter, minute: int, dice: Any, *wagers: Wager, **rest: Any) -> int:
    return table.house.play(dice, *wagers, later=timedelta(minutes=minute), **rest)


def shows(table: TableReporter, minute: int, round: str, length: int, side: Any = "small") -> int:
    state = StreakState(round=round, streaks=(Streak(pair="small-big", side=side, length=length),))
    return table.say("streak-state", state, after(minute, 75))


class TestScreen:
    """1-2-4 is Small, 4-5-6 Big, triples do not count."""

    @pytest.mark.parametrize(("length", "found"), [(1, ["STREAK-MISCOUNT"]), (2, []), (3, ["STREAK-MISCOUNT"])])
    def test_it_counts_what_the_results_say(self, table: TableReporter, length: int, found: list[str]) -> None:
        play(table, 0, SMALL)
        play(table, 2, TRIPLE)
        play(table, 4, SMALL)
        shows(table, 4, "r-3", length)
        assert codes(table) == found

    @pytest.mark.parametrize(("rounds", "found"), [(0, ["STREAK-MISCOUNT"]), (1, []), (2, ["STREAK-MISCOUNT"])])
    def test_the_area_flashes_only_while_wagers_may_be_placed(
        self, table: TableReporter, rounds: int, found: list[str]
    ) -> None:
        """NSW 6.1 and 6.2: after the first result, and not before it or in a streak of two."""
        for minute in range(rounds):
            play(table, 2 * minute, SMALL)
        if not rounds:
            play(table, 0, TRIPLE)
        flashes = Streak(pair="small-big", side="small" if rounds else None, length=rounds, flashing=True)
        table.say("streak-state", StreakState(round=f"r-{max(rounds, 1)}", streaks=(flashes,)), after(9))
        assert codes(table) == found

    def test_the_other_side(self, table: TableReporter) -> None:
        play(table, 0, SMALL)
        play(table, 2, BIG)
        shown = shows(table, 2, "r-2", 1, "small")
        assert codes(table) == ["STREAK-MISCOUNT"]
        finding = Finding.objects.get()
        assert finding.subject_index == shown
        assert "stood at 1 in a row for big; the table had 1 in a row for small on its screen." in finding.sentence

    def test_the_round_it_speaks_of_comes_late(self, table: TableReporter) -> None:
        play(table, 4, SMALL)
        shows(table, 4, "r-1", 2)
        assert codes(table) == ["STREAK-MISCOUNT"]
        play(table, 0, SMALL)
        assert codes(table) == []


class TestFinalCall:
    """A wager made 90 seconds after the round's beginning."""

    def made(self) -> Wager:
        return wager("streak:small", 1_000, None, id="s-1", placed_at=at(90))

    @pytest.mark.parametrize(("second", "found"), [(89, ["STREAK-FINAL-CALL"]), (90, []), (91, [])])
    def test_none_is_taken_after_it(self, table: TableReporter, second: int, found: list[str]) -> None:
        table.shows("call", "streak-final-call", at(second))
        play(table, 0, SMALL, self.made())
        assert codes(table) == found

    def test_a_call_of_an_earlier_session_is_over(self, table: TableReporter) -> None:
        table.shows("call", "streak-final-call", after(-50))
        table.closes(after(-20), players=False)
        table.opens(after(-10))
        play(table, 0, SMALL, self.made())
        assert codes(table) == []


class TestOpenAtClose:
    def made(self) -> Wager:
        return wager("streak:small", 1_000, None, id="s-1", placed_at=at(90))

    def test_the_table_closes_on_a_wager_that_nobody_ended(self, table: TableReporter) -> None:
        play(table, 0, SMALL, self.made())
        ended = play(table, 2, BIG)
        closed = table.closes(after(5), players=False)
        assert codes(table) == ["STREAK-MISCOUNT", "STREAK-OPEN-AT-CLOSE"]
        finding = Finding.objects.get(code="STREAK-OPEN-AT-CLOSE")
        assert (finding.subject_index, finding.wager, finding.clause) == (closed, "s-1", "6.6")
        assert ended in finding.evidence
        assert finding.explanation == ["By the results it was determined in round r-2."]

    def test_it_was_ended(self, table: TableReporter) -> None:
        play(table, 0, SMALL, self.made())
        play(table, 2, BIG, wager("streak:small", 1_000, 0, id="s-1"))
        table.closes(after(5), players=False)
        assert codes(table) == []

    def test_it_was_ended_by_a_round_that_arrived_before_the_one_in_which_it_was_made(
        self, table: TableReporter
    ) -> None:
        play(table, 2, BIG, wager("streak:small", 1_000, 0, id="s-1"))
        table.closes(after(5), players=False)
        play(table, 0, SMALL, self.made())
        assert codes(table) == []

    def test_a_later_closing_does_not_find_it_again(self, table: TableReporter) -> None:
        play(table, 0, SMALL, self.made())
        table.closes(after(5), players=False)
        table.opens(after(10))
        table.closes(after(20), players=False)
        assert codes(table) == ["STREAK-OPEN-AT-CLOSE"]


class TestPlayersOwnLimits:
    """NSW 4.6; the table's maximum is $500, the player's own $1,000. Betting closes at 30 s."""

    OWN = (PlayerLimits(min=500, max=100_000, player="p-01"),)

    def stake(self, cents: int) -> Wager:
        return wager("big", cents, 0)

    def test_no_sign_for_the_player(self, table: TableReporter) -> None:
        play(table, 0, SMALL, self.stake(50_001), player_limits=self.OWN)
        assert codes(table) == ["LIMIT-PLAYER-SIGN"]
        finding = Finding.objects.get()
        assert (finding.clause, finding.wager) == ("4.6", "w-big-50001")

    def test_at_the_tables_maximum_no_sign_is_needed(self, table: TableReporter) -> None:
        play(table, 0, SMALL, self.stake(50_000), player_limits=self.OWN)
        assert codes(table) == []

    @pytest.mark.parametrize(("second", "found"), [(29, []), (30, []), (31, ["LIMIT-PLAYER-SIGN"])])
    def test_the_sign_is_up_by_the_close_of_betting(self, table: TableReporter, second: int, found: list[str]) -> None:
        table.shows("p", "player-limits", at(second), player="p-01", min=500, max=100_000)
        play(table, 0, SMALL, self.stake(100_000), player_limits=self.OWN)
        assert codes(table) == found

    @pytest.mark.parametrize(
        ("second", "generation", "found"),
        [(-60, 2, []), (15, 2, []), (30, 2, []), (31, 2, ["LIMIT-PLAYER-SIGN"]), (71, 1, ["LIMIT-PLAYER-SIGN"])],
    )
    def test_a_sign_of_which_the_table_tells_after_the_round_was_audited(
        self, table: TableReporter, second: int, generation: int, found: list[str]
    ) -> None:
        """Displayed before the round, during it, or after its end, 70 s after it began."""
        play(table, 0, SMALL, self.stake(100_000), player_limits=self.OWN)
        assert codes(table) == ["LIMIT-PLAYER-SIGN"]
        table.shows("p", "player-limits", at(second), player="p-01", min=500, max=100_000)
        assert codes(table) == found
        assert Block.objects.get().generation == generation

    @pytest.mark.parametrize("members", [{"player": "p-02"}, {"max": 90_000}, {"min": None}])
    def test_a_sign_for_another_player_or_with_other_limits(
        self, table: TableReporter, members: dict[str, Any]
    ) -> None:
        sign: dict[str, Any] = {"player": "p-01", "min": 500, "max": 100_000} | members
        table.shows("p", "player-limits", at(0), **sign)
        play(table, 0, SMALL, self.stake(60_000), player_limits=self.OWN)
        assert codes(table) == ["LIMIT-PLAYER-SIGN"]


def test_documents_without_player_limits(house: House) -> None:
    house.open_table(rules=SKYCITY, limits=LimitsValue(min=500, max=50_000))
    own = (PlayerLimits(min=500, max=100_000, player="p-01"),)
    house.play(SMALL, wager("big", 40_000, 0), player_limits=own)
    house.audit()
    assert house.codes() == []


class TestFinalCallAtClosing:
    """NSW 6.6: once the closure sign is up and a game is in progress, the final call is made."""

    @pytest.mark.parametrize(
        ("sign_at", "found"),
        [(-10, ["STREAK-NO-CALL"]), (1, ["STREAK-NO-CALL"]), (70, []), (71, [])],
        ids=["before-the-round", "during-it", "at-its-end", "after-it"],
    )
    @pytest.mark.parametrize("is_called", [True, False], ids=["call", "no-call"])
    def test_a_round_under_the_closure_sign(
        self, table: TableReporter, sign_at: int, found: list[str], is_called: bool
    ) -> None:
        """The round lasts from 0 to 70 s. Ticks in the report do not matter."""
        table.shows("c", "closure", after(0, sign_at), closure_at=after(30))
        if is_called:
            table.shows("call", "streak-final-call", after(0, sign_at))
        play(table, 0, SMALL)
        table.closes(after(30), sign="c", streak_in_progress=False)
        assert codes(table) == ([] if is_called else found)
        if found and not is_called:
            assert Finding.objects.get().clause == "6.6"

    def test_the_call_of_an_earlier_closing_does_not_count(self, table: TableReporter) -> None:
        table.shows("c", "closure", after(-30), closure_at=after(-5))
        table.shows("call", "streak-final-call", after(-30))
        table.closes(after(-5), sign="c")
        table.opens(after(-2))
        table.shows("d", "closure", after(-1), closure_at=after(30))
        play(table, 0, SMALL)
        table.closes(after(30), sign="d")
        assert codes(table) == ["STREAK-NO-CALL"]


def test_a_table_without_super_streak_needs_no_call(house: House) -> None:
    house.open_table(limits=LimitsValue(min=500, max=50_000))
    plain = TableReporter(house)
    plain.opens(after(-60))
    plain.shows("c", "closure", after(-10), closure_at=after(30))
    house.play(SMALL)
    plain.closes(after(30), sign="c")
    assert codes(plain) == []
