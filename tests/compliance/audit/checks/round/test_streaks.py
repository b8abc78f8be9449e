"""Super Streak across rounds (NSW 6 and 7.2): placed after one round, settled in another by the results in between."""

from datetime import timedelta
from itertools import count
from typing import Any, ClassVar

import pytest
from django.db import transaction
from msgspec.structs import replace

from compliance.audit.checks.round.result_display import winning_areas
from compliance.audit.models import BLOCK_ENTRIES, Finding
from rounds.floor.fact_values import EquipmentValue, StreakAmountValue, WagersOfferedValue
from rounds.intake.protocol.round import Entered, Wager
from rounds.ledger.writing.append import correct, make_entry
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import NSW, at, build_round, rules_in_force, void, wager
from tests.compliance.audit.run.test_superseded_findings import fill_up_to
from tests.rounds.ledger.harbour_log import record_all

SMALL, BIG, TRIPLE = (1, 2, 3), (6, 5, 4), (2, 2, 2)
STAKE = 1_000


class StreakTable:
    """A table that offers Super Streak at $10, and its rounds one after the other."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.table = house.open_table()
        since = self.table.added_at
        lcd = EquipmentValue(layout="C", screen="lcd", touch_screen=False, shaker="none")
        for fact in (lcd, StreakAmountValue(cents=STAKE), WagersOfferedValue(wagers=("streak",))):
            house.state(self.table, fact, at=since)
        self._minutes = count()

    def play(self, dice: tuple[int, int, int] | None, *wagers: Wager, **rest: Any) -> int:
        return self.house.play(dice, *wagers, later=timedelta(minutes=next(self._minutes)), **rest)

    def wait(self) -> timedelta:
        """Leaves time for a round that is played elsewhere in the test. Returns when it begins."""
        return timedelta(minutes=next(self._minutes))

    def found(self) -> list[tuple[str, int | None, int | None]]:
        self.house.audit()
        rows = Finding.objects.current().order_by("subject_index", "code")
        return list(rows.values_list("code", "required_cents", "found_cents"))


@pytest.fixture
def table(house: House) -> StreakTable:
    return StreakTable(house)


def placed(name: str, bet: str, stake: int = STAKE, second: float = 45, **rest: Any) -> Wager:
    """Placed after the result, which is in sight at 40 s. The next round begins at 60 s."""
    return wager(bet, stake, None, id=name, placed_at=at(second), **rest)


def made(bet: str = "streak:small", stake: int = STAKE) -> Wager:
    return placed("s-1", bet, stake)


def ended(returned: int, bet: str = "streak:small") -> Wager:
    return wager(bet, STAKE, returned, id="s-1")


def test_four_in_a_row_pay_six_to_one_and_triples_and_no_results_do_not_count(table: StreakTable) -> None:
    table.play(SMALL, made())
    table.play(SMALL)
    table.play(TRIPLE)
    table.play(SMALL)
    table.play(None, **void("not-flat"))
    table.play(SMALL)
    table.play(SMALL)
    table.play(BIG, ended(7_000))
    assert table.found() == []


def test_paid_for_two_more_than_there_were(table: StreakTable) -> None:
    table.play(SMALL, made())
    for _ in range(4):
        table.play(SMALL)
    table.play(BIG, ended(16_000))
    assert table.found() == [("STREAK-MISCOUNT", 7_000, 16_000)]
    finding = Finding.objects.get()
    assert finding.clause == "7.2"
    assert "4 in a row." in finding.explanation


def test_three_in_a_row_lose_and_paid_as_four_is_another_reading(table: StreakTable) -> None:
    """N4: three after the wager, four with the result that was there when it was made."""
    table.play(SMALL, made())
    for _ in range(3):
        table.play(SMALL)
    table.play(BIG, ended(7_000))
    assert [code for code, _, _ in table.found()] == ["SETTLE-READING"]
    finding = Finding.objects.get()
    assert finding.check_name == "reading:streak-count=opening-counts"
    assert list(finding.cases.values_list("required_cents", "found_cents")) == [(0, 7_000)]


def test_two_in_a_row_lose(table: StreakTable) -> None:
    table.play(SMALL, made())
    for _ in range(2):
        table.play(SMALL)
    table.play(BIG, ended(7_000))
    assert table.found() == [("STREAK-MISCOUNT", 0, 7_000)]


def test_settled_while_it_runs_and_without_ever_being_made(table: StreakTable) -> None:
    table.play(SMALL, made())
    for _ in range(3):
        table.play(SMALL)
    table.play(SMALL, ended(7_000))
    assert table.found() == [("STREAK-MISCOUNT", None, 7_000)]
    table.play(BIG, wager("streak:small", STAKE, 7_000, id="unheard-of"))
    assert [code for code, _, _ in table.found()] == ["STREAK-MISCOUNT"] * 2


def test_a_wager_may_be_made_when_a_streak_has_just_ended_and_not_while_it_runs(table: StreakTable) -> None:
    table.play(SMALL, made())
    table.play(SMALL, placed("s-2", "streak:big"))
    table.play(BIG, placed("s-3", "streak:big"), ended(0))
    assert [code for code, _, _ in table.found()] == ["STREAK-WINDOW"]
    assert Finding.objects.get().wager == "s-2"


def test_the_amount_is_exact_and_the_table_needs_its_screen(table: StreakTable) -> None:
    table.play(SMALL, made(stake=STAKE + 1))
    assert table.found() == [("STREAK-AMOUNT", STAKE, STAKE + 1)]
    bare = EquipmentValue(layout="A", screen="none", touch_screen=False, shaker="none")
    table.house.state(table.table, bare, at=table.table.added_at, now=NOW + timedelta(seconds=1))
    assert [code for code, _, _ in table.found()] == ["STREAK-AMOUNT", "STREAK-SCREEN"]


@pytest.mark.parametrize(("stake", "found"), [(STAKE - 1, True), (STAKE, False), (STAKE + 1, True)])
def test_without_an_amount_on_record_the_one_that_the_round_reports_governs(
    house: House, stake: int, found: bool
) -> None:
    """NSW 6.7: the sign at the table states the amount, whether the fact was recorded or the controller reports it."""
    opened = house.open_table()
    lcd = EquipmentValue(layout="C", screen="lcd", touch_screen=False, shaker="none")
    for fact in (lcd, WagersOfferedValue(wagers=("streak",))):
        house.state(opened, fact, at=opened.added_at)
    house.play(SMALL, made(stake=stake), streak_amount=STAKE)
    house.audit()
    rows = Finding.objects.current().values_list("code", "required_cents", "found_cents")
    assert list(rows) == ([("STREAK-AMOUNT", STAKE, stake)] if found else [])


def test_the_amount_on_record_governs_before_the_one_that_the_round_reports(table: StreakTable) -> None:
    table.play(SMALL, made(), streak_amount=STAKE + 1)
    assert table.found() == []


def test_it_is_followed_from_one_block_into_the_next(table: StreakTable) -> None:
    table.play(SMALL, made())
    table.play(SMALL)
    table.play(SMALL)
    fill_up_to(table.house, BLOCK_ENTRIES)
    table.play(SMALL)
    table.play(SMALL)
    table.play(BIG, ended(7_100))
    assert table.found() == [("STREAK-MISCOUNT", 7_000, 7_100)]


def test_a_round_taken_back_changes_what_was_due_later(table: StreakTable) -> None:
    table.play(SMALL, made())
    taken_back = table.play(SMALL)
    for _ in range(3):
        table.play(SMALL)
    table.play(BIG, ended(7_000))
    assert table.found() == []
    with transaction.atomic():
        correct("harbour", taken_back, {"reason": "Never played.", "by": {"id": 1, "name": "Sid"}}, NOW)
    assert [code for code, _, _ in table.found()] == ["SETTLE-READING"]
    assert Finding.objects.get().cases.get().required_cents == 0


class TestLights:
    """NSW 8.7.1: lights that are out or wrong end every streak with the result; a wrong entry (N27) does not."""

    RIGHT = tuple(sorted(winning_areas(rules_in_force(NSW), SMALL) - {"odd", "even", "four:1-2-3-4"}))
    LIGHTS: ClassVar = {"out": (), "one-missing": RIGHT[1:], "one-too-many": (*RIGHT, "big")}

    def five_small(self, table: StreakTable, **fifth: Any) -> None:
        table.play(SMALL, made())
        for _ in range(4):
            table.play(SMALL, lit=self.RIGHT)
        table.play(SMALL, ended(11_000), **fifth)

    @pytest.mark.parametrize("entered", [None, Entered(faces=SMALL)])
    @pytest.mark.parametrize("lights", LIGHTS)
    def test_a_fifth_small_pays_ten_to_one(self, table: StreakTable, lights: str, entered: Any) -> None:
        self.five_small(table, lit=self.LIGHTS[lights], entered=entered)
        assert [code for code, _, _ in table.found() if code != "ROUND-LIT"] == []

    def test_right_lights_do_not_end_it(self, table: StreakTable) -> None:
        self.five_small(table, lit=self.RIGHT, entered=Entered(faces=SMALL))
        assert [code for code, _, _ in table.found()] == ["STREAK-MISCOUNT"]

    def test_a_wrong_entry_does_not_end_it(self, table: StreakTable) -> None:
        self.five_small(table, lit=tuple(winning_areas(rules_in_force(NSW), BIG)), entered=Entered(faces=BIG))
        codes = {code for code, _, _ in table.found()}
        assert "STREAK-MISCOUNT" in codes
        assert "ROUND-ENTRY" in codes

    @pytest.mark.parametrize("lights", LIGHTS)
    def test_a_streak_that_runs_on_after_them_is_settled_at_their_count(self, table: StreakTable, lights: str) -> None:
        """Four in a row with failed lights pay 6 to 1; the table counts two more and pays 15 to 1."""
        table.play(SMALL, made())
        for _ in range(3):
            table.play(SMALL)
        failed = table.play(SMALL, lit=self.LIGHTS[lights])
        for _ in range(2):
            table.play(SMALL)
        last = table.play(BIG, ended(16_000))
        table.house.audit()
        rows = Finding.objects.current().filter(code="STREAK-MISCOUNT").order_by("subject_index")
        found = list(rows.values_list("subject_index", "required_cents", "found_cents"))
        assert found == [(failed, 7_000, None), (last, 7_000, 16_000)]

    @pytest.mark.parametrize("lights", LIGHTS)
    def test_they_reopen_betting(self, table: StreakTable, lights: str) -> None:
        table.play(SMALL)
        table.play(SMALL, placed("s-1", "streak:big"), lit=self.LIGHTS[lights])
        assert [code for code, _, _ in table.found() if code != "ROUND-LIT"] == []


class TestRoundsThatShouldBeVoid:
    """NSW 8.3, 8.4 and 8.6: streaks neither win, lose nor progress in a round that should have had no result."""

    def events(self, *left_out: str, uncovered: float = 40) -> dict[str, Any]:
        usual = [each for each in build_round(NSW, SMALL).events if each.name not in left_out]
        moved = [replace(each, at=at(uncovered)) if each.name == "uncovered" else each for each in usual]
        return {"events": tuple(moved)}

    BREACHES: ClassVar[dict[str, dict[str, Any]]] = {
        "two-tumbles": {"tumbles": 2},
        "no-tumble": {"left_out": ("tumbled",)},
        "never-closed": {"left_out": ("no-more-bets-called",)},
        "exposed": {"uncovered": 29.999},
    }

    def play_void(self, table: StreakTable, breach: str, dice: Any, *wagers: Wager) -> int:
        how = dict(self.BREACHES[breach])
        if "tumbles" not in how:
            how = self.events(*how.pop("left_out", ()), **how)
        return table.play(dice, *wagers, **how)

    @pytest.mark.parametrize("breach", BREACHES)
    def test_it_does_not_count(self, table: StreakTable, breach: str) -> None:
        table.play(SMALL, made())
        for _ in range(3):
            table.play(SMALL)
        self.play_void(table, breach, SMALL)
        table.play(SMALL)
        table.play(BIG, ended(7_000))
        assert [code for code, _, _ in table.found() if code.startswith(("STREAK", "SETTLE"))] == []

    @pytest.mark.parametrize("breach", BREACHES)
    def test_it_does_not_end_a_streak(self, table: StreakTable, breach: str) -> None:
        table.play(SMALL, made())
        for _ in range(4):
            table.play(SMALL)
        self.play_void(table, breach, BIG, ended(7_000))
        streaks = [each for each in table.found() if each[0].startswith(("STREAK", "SETTLE"))]
        assert streaks == [("STREAK-MISCOUNT", None, 7_000)]

    @pytest.mark.parametrize("honest", [{"tumbles": 3}, {"uncovered": 30}, {"uncovered": 30.001}], ids=str)
    def test_one_that_just_meets_the_rules_ends_it(self, table: StreakTable, honest: dict[str, Any]) -> None:
        """Betting closes at 30 s."""
        table.play(SMALL, made())
        for _ in range(4):
            table.play(SMALL)
        table.play(BIG, ended(7_000), **(honest if "tumbles" in honest else self.events(**honest)))
        assert table.found() == []


class TestPlacing:
    """NSW 6.1 and 6.2: after the result, in sight at 40 s, and before the next round, which begins at 60 s."""

    @pytest.mark.parametrize(
        ("second", "found_in"), [(39.999, [0]), (40, []), (59.999, []), (60, []), (60.001, [1]), (3_600, [1])]
    )
    def test_the_instant_of_placing(self, table: StreakTable, second: float, found_in: list[int]) -> None:
        rounds = [table.play(SMALL, placed("s-1", "streak:small", second=second)), table.play(SMALL)]
        table.house.audit()
        found = Finding.objects.current()
        assert [(each.code, each.subject_index, each.wager) for each in found] == [
            ("STREAK-WINDOW", rounds[place], "s-1") for place in found_in
        ]

    def test_before_the_first_result_of_the_day(self, table: StreakTable) -> None:
        table.play(SMALL, placed("s-1", "streak:small", second=5))
        assert [code for code, _, _ in table.found()] == ["STREAK-WINDOW"]
        finding = Finding.objects.get()
        assert "before the result was in sight at 09:00:40 UTC" in finding.sentence
        assert finding.clause == "6.2"

    def test_after_a_triple_no_streak_was_running(self, table: StreakTable) -> None:
        table.play(TRIPLE, placed("s-1", "streak:small"))
        table.play(SMALL, placed("s-2", "streak:small"))
        table.play(SMALL, placed("s-3", "streak:big"))
        assert [code for code, _, _ in table.found()] == ["STREAK-WINDOW", "STREAK-WINDOW"]
        by_wager = {each.wager: each.sentence for each in Finding.objects.all()}
        assert "before any result of the day that counts for a streak" in by_wager["s-1"]
        assert "while a streak was running" in by_wager["s-3"]

    def test_the_round_after_it_is_in_another_block(self, table: StreakTable) -> None:
        table.play(SMALL, placed("s-1", "streak:small", second=61))
        fill_up_to(table.house, BLOCK_ENTRIES)
        table.play(SMALL)
        assert [code for code, _, _ in table.found()] == ["STREAK-WINDOW"]


class TestNeverReportedAgain:
    """NSW 6.4: the wager is won or lost by the result that ends its streak."""

    def test_it_is_found_at_the_round_that_ended_it(self, table: StreakTable) -> None:
        opened = table.play(SMALL, made())
        for _ in range(4):
            table.play(SMALL)
        assert table.found() == []
        last = table.play(BIG)
        assert table.found() == [("STREAK-MISCOUNT", 7_000, None)]
        finding = Finding.objects.get()
        assert (finding.subject_index, finding.wager, finding.clause) == (last, "s-1", "6.4.2")
        assert opened in finding.evidence
        table.play(SMALL)
        assert table.found() == [("STREAK-MISCOUNT", 7_000, None)]

    def test_one_that_lost_is_found_as_well(self, table: StreakTable) -> None:
        table.play(SMALL, made())
        table.play(BIG)
        assert table.found() == [("STREAK-MISCOUNT", 0, None)]
        assert Finding.objects.get().clause == "6.4.1"

    def test_a_twelfth_result_ends_it(self, table: StreakTable) -> None:
        table.play(SMALL, made())
        for _ in range(11):
            table.play(SMALL)
        assert table.found() == []
        table.play(SMALL)
        assert table.found() == [("STREAK-MISCOUNT", 501_000, None)]

    @pytest.mark.parametrize("neutral", [{"dice": TRIPLE}, {"dice": None, **void("not-flat")}])
    def test_a_round_that_does_not_count_ends_nothing(self, table: StreakTable, neutral: dict[str, Any]) -> None:
        table.play(SMALL, made())
        table.play(**neutral)
        assert table.found() == []

    def test_its_opening_round_comes_late(self, table: StreakTable) -> None:
        house = table.house
        house.play(BIG, later=timedelta(minutes=1))
        assert table.found() == []
        house.play(SMALL, made())
        assert table.found() == [("STREAK-MISCOUNT", 0, None)]

    def test_settled_too_early_is_found_once(self, table: StreakTable) -> None:
        table.play(SMALL, made())
        table.play(SMALL, ended(7_000))
        table.play(BIG)
        assert table.found() == [("STREAK-MISCOUNT", None, 7_000)]

    def test_the_stake_was_refunded_because_the_outcome_was_invalidated(self, table: StreakTable) -> None:
        opened = table.play(SMALL, made())
        invalid = table.play(SMALL)
        about = {"table": "sb-1", "rounds": [invalid], "at": "2026-11-16T09:02:00Z", "as": "casino-supervisor"}
        refund = about | {"returned": [{"round": invalid, "wager": "s-1", "cents": STAKE}]}
        record_all(
            [
                make_entry("invalidation", about | {"grounds": "fraud"}, table="sb-1"),
                make_entry("stakes-returned", refund, table="sb-1"),
            ]
        )
        table.play(BIG)
        assert opened < invalid
        assert table.found() == []
