"""Licensee 1, 5(a), 5(b), 6(d): dice for 24 hours at most, inspections before opening and at each shift, shakers."""

from datetime import timedelta
from typing import Any

import pytest

from compliance.audit.models import Finding
from rounds.floor.fact_values import EquipmentValue, Shift, ShiftsValue
from rounds.intake.protocol.equipment import DicePlaced, DiceRemoved, Inspection, ShakerPlaced, ShakerRemoved
from rounds.intake.protocol.fields import Faces, Staff
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, NSW, RWS, SKYCITY, void
from tests.compliance.audit.table_lines import TableReporter, after
from tests.rounds.floor.crew import record_table_fact

pytestmark = pytest.mark.django_db
DAY = timedelta(hours=24)
SECOND = timedelta(seconds=1)


@pytest.fixture
def table(house: House) -> TableReporter:
    opened = house.open_table(rules=LICENSEE)
    automated = EquipmentValue(layout="A", screen="none", touch_screen=False, shaker="automated")
    house.state(opened, automated, at=opened.added_at, now=opened.added_at)
    return TableReporter(house)


def inspects(
    table: TableReporter,
    item: str,
    occasion: str,
    at: Any,
    *,
    by: str,
    trials: int,
    passed: bool = True,
    entered: tuple[Faces, ...] | None = None,
) -> int:
    """The electrical device with the values 1, 2, 3 in each trial, unless given."""
    usual = ((1, 2, 3),) * trials if item == "electrical-device" else ()
    made = Inspection(
        item=item,  # type: ignore[arg-type]
        occasion=occasion,  # type: ignore[arg-type]
        trials=trials,
        passed=passed,
        by=Staff(position=by),  # type: ignore[arg-type]
        entered=usual if entered is None else entered,
    )
    return table.say("inspection", made, at)


def inspects_all(table: TableReporter, at: Any, **changes: Any) -> None:
    """Records the inspections that 5(a) requires before opening."""
    usual: dict[str, Any] = {"by": "games-supervisor", "passed": True} | changes
    inspects(table, "electrical-device", "before-opening", at, trials=1, **usual)
    inspects(table, "automated-shaker", "before-opening", at, trials=3, **usual)


def codes(table: TableReporter) -> list[str]:
    table.house.audit()
    return table.house.codes()


class TestDice:
    @pytest.mark.parametrize(
        ("off", "found"), [(-SECOND, []), (0 * SECOND, []), (SECOND, ["DICE-24H"])], ids=["under", "at", "over"]
    )
    def test_a_set_stays_for_24_hours_at_most(self, table: TableReporter, off: timedelta, found: list[str]) -> None:
        table.say("dice-placed", DicePlaced(dice="set-1"), after(0))
        table.say("dice-removed", DiceRemoved(dice="set-1", reason="time"), after(0) + DAY + off)
        assert codes(table) == found

    def test_a_set_that_never_leaves_is_found_at_the_first_line_after_its_time(self, table: TableReporter) -> None:
        placed = table.say("dice-placed", DicePlaced(dice="set-1"), after(0))
        table.closes(after(0) + DAY - SECOND)
        shown = table.closes(after(0) + DAY + SECOND)
        table.say("dice-removed", DiceRemoved(dice="set-1"), after(0) + 2 * DAY)
        assert codes(table) == ["DICE-24H"]
        finding = Finding.objects.get()
        assert finding.subject_index == shown
        assert placed in finding.evidence
        assert finding.sentence == "Set set-1 was on the table for 24 h 1 s; 24 h is the most."

    @pytest.mark.parametrize(
        ("off", "found"), [(-SECOND, []), (0 * SECOND, []), (SECOND, ["DICE-24H"])], ids=["under", "at", "over"]
    )
    def test_the_first_round_after_the_time_shows_it(
        self, table: TableReporter, off: timedelta, found: list[str]
    ) -> None:
        """Only the first, and neither the next round nor the removal."""
        placed = table.say("dice-placed", DicePlaced(dice="set-1"), after(0))
        table.house.play((1, 2, 3), later=timedelta(hours=23))
        first = table.house.play((1, 2, 3), later=DAY + off)
        if found:
            table.house.play((1, 2, 3), later=DAY + off + timedelta(minutes=5))
        assert codes(table) == found
        table.say("dice-removed", DiceRemoved(dice="set-1"), after(0) + DAY + off + timedelta(hours=1))
        assert codes(table)[: len(found)] == found
        if found:
            finding = Finding.objects.get()
            assert (finding.subject_index, placed in finding.evidence) == (first, True)

    def test_a_round_that_is_told_late_comes_before_the_removal(self, table: TableReporter) -> None:
        table.say("dice-placed", DicePlaced(dice="set-1"), after(0))
        removed = table.say("dice-removed", DiceRemoved(dice="set-1"), after(0) + DAY + timedelta(hours=1))
        assert codes(table) == ["DICE-24H"]
        played = table.house.play((1, 2, 3), later=DAY + SECOND)
        assert codes(table) == ["DICE-24H"]
        assert list(Finding.objects.current().values_list("subject_index", flat=True)) == [played]
        assert Finding.objects.filter(subject_index=removed).count() == 1

    def test_closed_hours_count(self, table: TableReporter) -> None:
        """U11: the clock runs on while the table is closed."""
        table.say("dice-placed", DicePlaced(dice="set-1"), after(0))
        table.closes(after(60))
        table.say("dice-removed", DiceRemoved(dice="set-1"), after(0) + DAY + SECOND)
        assert codes(table) == ["DICE-24H"]

    def test_a_new_set_in_time(self, table: TableReporter) -> None:
        table.say("dice-placed", DicePlaced(dice="set-1"), after(0))
        table.say("dice-removed", DiceRemoved(dice="set-1"), after(60))
        table.say("dice-placed", DicePlaced(dice="set-2"), after(61))
        table.say("dice-removed", DiceRemoved(dice="set-2"), after(0) + DAY + SECOND)
        assert codes(table) == []

    def test_nsw_says_nothing_of_it(self, house: House) -> None:
        house.open_table(rules=NSW)
        table = TableReporter(house)
        table.say("dice-placed", DicePlaced(dice="set-1"), after(0))
        table.say("dice-removed", DiceRemoved(dice="set-1"), after(0) + 3 * DAY)
        assert codes(table) == []


class TestDamagedDice:
    """NSW 2.5, RWS 5.4, Licensee 1."""

    @pytest.mark.parametrize(("rules", "clause"), [(NSW, "2.5"), (RWS, "5.4"), (LICENSEE, "1"), (SKYCITY, None)])
    @pytest.mark.parametrize(
        ("seconds", "is_damaged"), [(-1, True), (0, True), (1, False)], ids=["before", "at-the-start", "after"]
    )
    def test_a_set_that_was_removed_as_damaged_is_used(
        self, house: House, rules: str, clause: str | None, seconds: int, is_damaged: bool
    ) -> None:
        house.open_table(rules=rules)
        table = TableReporter(house)
        removed = table.say("dice-removed", DiceRemoved(dice="set-1", reason="damaged"), after(0, seconds))
        house.play((1, 2, 4), dice_set="set-1")
        is_found = is_damaged and clause is not None
        assert codes(table) == (["DICE-DAMAGED"] if is_found else [])
        if is_found:
            finding = Finding.objects.get()
            assert (finding.clause, removed in finding.evidence) == (clause, True)
            assert "was played with set set-1, which was removed as damaged at" in finding.sentence

    def test_another_set_another_reason_or_placed_again(self, house: House) -> None:
        house.open_table(rules=NSW)
        table = TableReporter(house)
        table.say("dice-removed", DiceRemoved(dice="set-1", reason="damaged"), after(-9))
        table.say("dice-removed", DiceRemoved(dice="set-2", reason="inspection"), after(-9))
        table.say("dice-removed", DiceRemoved(dice="set-3", reason="damaged"), after(-9))
        table.say("dice-placed", DicePlaced(dice="set-3"), after(-8))
        for number, dice in enumerate((None, "set-2", "set-3", "set-4")):
            house.play((1, 2, 4), dice_set=dice, later=timedelta(minutes=5 * number))
        house.play(None, dice_set="set-1", later=timedelta(minutes=30), **void("broken"))
        assert codes(table) == []


class TestSealedDice:
    """NSW 2.5, Licensee 1."""

    @pytest.mark.parametrize(("rules", "clause"), [(NSW, "2.5"), (LICENSEE, "1"), (RWS, None), (SKYCITY, None)])
    @pytest.mark.parametrize("sealed", [True, False, None])
    def test_a_set_is_put_to_use(self, house: House, rules: str, clause: str | None, sealed: bool | None) -> None:
        house.open_table(rules=rules)
        table = TableReporter(house)
        table.say("dice-placed", DicePlaced(dice="set-1", sealed=sealed), after(0))
        is_found = sealed is False and clause is not None
        assert codes(table) == (["DICE-UNSEALED"] if is_found else [])
        if is_found:
            assert Finding.objects.get().clause == clause


class TestShakers:
    def test_the_automated_one_leaves_before_the_manual_one_is_used(self, table: TableReporter) -> None:
        table.say("shaker-placed", ShakerPlaced(shaker="a", type="automated"), after(0))
        wrong = table.say("shaker-placed", ShakerPlaced(shaker="m", type="manual"), after(10))
        assert codes(table) == ["SHAKER-SWAP"]
        finding = Finding.objects.get()
        assert (finding.subject_index, finding.clause) == (wrong, "6(d)")

    def test_in_the_right_order(self, table: TableReporter) -> None:
        table.say("shaker-placed", ShakerPlaced(shaker="a", type="automated"), after(0))
        table.say("shaker-removed", ShakerRemoved(shaker="a", type="automated"), after(10))
        table.say("shaker-placed", ShakerPlaced(shaker="m", type="manual"), after(10))
        assert codes(table) == []

    @pytest.mark.parametrize(
        ("used", "removed", "found"),
        [
            ("m", None, ["SHAKER-SWAP"]),
            ("m", 1, ["SHAKER-SWAP"]),
            ("m", 0, []),
            ("m", -1, []),
            ("a", None, []),
            (None, None, []),
        ],
    )
    def test_a_round_with_the_manual_one_while_the_other_is_there(
        self, table: TableReporter, used: str | None, removed: int | None, found: list[str]
    ) -> None:
        """The automated one is placed beside the manual one, and removed so many seconds after the round began."""
        table.say("shaker-placed", ShakerPlaced(shaker="m", type="manual"), after(-20))
        beside = table.say("shaker-placed", ShakerPlaced(shaker="a", type="automated"), after(-10))
        if removed is not None:
            table.say("shaker-removed", ShakerRemoved(shaker="a", type="automated"), after(0, removed))
        played = table.house.play((1, 2, 4), shaker=used)
        assert codes(table) == found
        if found:
            finding = Finding.objects.get()
            assert (finding.subject_index, finding.clause, beside in finding.evidence) == (played, "6(d)", True)


class TestBeforeOpening:
    def test_everything_was_tried(self, table: TableReporter) -> None:
        inspects_all(table, after(-1))
        table.opens(after(0))
        assert codes(table) == []

    def test_nothing_was_tried(self, table: TableReporter) -> None:
        table.opens(after(0))
        assert codes(table) == ["INSPECT-OPENING"]
        finding = Finding.objects.get()
        assert finding.clause == "5(a)(1)"
        assert finding.sentence == (
            "The table opened without a complete inspection of the electrical device (0 trials, 1 due) and the "
            "automated shaker (0 trials, 3 due)."
        )

    @pytest.mark.parametrize(("trials", "found"), [(2, ["INSPECT-OPENING"]), (3, []), (4, [])])
    def test_the_shaker_is_worked_three_times(self, table: TableReporter, trials: int, found: list[str]) -> None:
        inspects(table, "electrical-device", "before-opening", after(-1), by="games-supervisor", trials=1)
        inspects(table, "automated-shaker", "before-opening", after(-1), by="games-supervisor", trials=trials)
        table.opens(after(0))
        assert codes(table) == found

    @pytest.mark.parametrize(
        ("members", "said"),
        [
            ({"trials": 3, "entered": ((1, 2, 3), (4, 5, 6))}, "3 trials reported, with the values of 2; 1 due"),
            ({"trials": 1, "entered": ()}, "1 trial reported without the values entered; 1 due"),
            ({"trials": 1, "entered": ((1, 2, 3),), "passed": False}, "1 trial reported as not passed; 1 due"),
        ],
    )
    def test_the_sentence_says_what_was_reported(
        self, table: TableReporter, members: dict[str, Any], said: str
    ) -> None:
        by: dict[str, Any] = {"by": "games-supervisor"}
        inspects(table, "electrical-device", "before-opening", after(-1), **by | members)
        inspects(table, "automated-shaker", "before-opening", after(-1), trials=3, **by)
        table.opens(after(0))
        assert codes(table) == ["INSPECT-OPENING"]
        assert Finding.objects.get().sentence == (
            f"The table opened without a complete inspection of the electrical device ({said})."
        )

    @pytest.mark.parametrize(
        ("trials", "entered", "found"),
        [
            (1, (), ["INSPECT-OPENING"]),
            (1, ((1, 2, 3),), []),
            (3, ((1, 2, 3), (4, 5, 6)), ["INSPECT-OPENING"]),
            (3, ((1, 2, 3), (4, 5, 6), (2, 2, 2)), []),
            (2, ((1, 2, 3), (4, 5, 6), (2, 2, 2)), []),
            (0, ((1, 2, 3),), ["INSPECT-OPENING"]),
        ],
    )
    def test_values_are_entered_into_the_device(
        self, table: TableReporter, trials: int, entered: tuple[Faces, ...], found: list[str]
    ) -> None:
        """5(a)(1), U12: one entry of three values, and as many entries as trials are reported."""
        by: dict[str, Any] = {"by": "games-supervisor"}
        inspects(table, "electrical-device", "before-opening", after(-1), trials=trials, entered=entered, **by)
        inspects(table, "automated-shaker", "before-opening", after(-1), trials=3, **by)
        table.opens(after(0))
        assert codes(table) == found

    @pytest.mark.parametrize(("results", "found"), [(0, []), (2, ["INSPECT-OPENING"]), (3, []), (4, [])])
    def test_results_of_the_shaker_are_those_of_its_trials(
        self, table: TableReporter, results: int, found: list[str]
    ) -> None:
        """5(a)(2): three trials of which only two have a result do not count. No results need be reported."""
        by: dict[str, Any] = {"by": "games-supervisor"}
        inspects(table, "electrical-device", "before-opening", after(-1), trials=1, **by)
        entered: tuple[Faces, ...] = ((1, 2, 3),) * results
        inspects(table, "automated-shaker", "before-opening", after(-1), trials=3, entered=entered, **by)
        table.opens(after(0))
        assert codes(table) == found

    def test_a_trial_that_failed_is_none(self, table: TableReporter) -> None:
        inspects_all(table, after(-1), passed=False)
        table.opens(after(0))
        assert codes(table) == ["INSPECT-OPENING"]

    def test_yesterdays_inspection_is_not_todays(self, table: TableReporter) -> None:
        inspects_all(table, after(-100))
        table.opens(after(-90))
        inspects(table, "automated-shaker", "start-of-shift", after(-90), by="casino-supervisor", trials=3)
        table.closes(after(-60))
        table.opens(after(0))
        assert codes(table) == ["INSPECT-OPENING"]

    def test_without_an_automated_shaker_only_the_device(self, house: House) -> None:
        house.open_table(rules=LICENSEE)
        table = TableReporter(house)
        inspects(table, "electrical-device", "before-opening", after(-1), by="games-supervisor", trials=1)
        table.opens(after(0))
        assert codes(table) == []


class TestRank:
    @pytest.mark.parametrize(
        ("occasion", "by", "found"),
        [
            ("before-opening", "games-supervisor", []),
            ("before-opening", "dealer", ["INSPECT-RANK"]),
            ("start-of-shift", "casino-supervisor", []),
            ("start-of-shift", "games-supervisor", ["INSPECT-RANK"]),
            ("after-repair", "dealer", []),
        ],
    )
    def test_who_inspects(self, table: TableReporter, occasion: str, by: str, found: list[str]) -> None:
        inspects(table, "automated-shaker", occasion, after(0), by=by, trials=3)
        assert codes(table) == found


class TestShifts:
    """Sydney: 09:00 UTC is 20:00 there; the evening shift begins at 20:30."""

    @pytest.fixture
    def shifts(self, table: TableReporter) -> TableReporter:
        crew = table.house.crew
        record_table_fact(
            crew, None, ShiftsValue(shifts=(Shift(name="Day", starts="08:00"), Shift(name="Evening", starts="20:30")))
        )
        inspects_all(table, after(-1))
        return table

    def try_shaker(self, table: TableReporter, at: Any, trials: int = 3) -> None:
        inspects(table, "automated-shaker", "start-of-shift", at, by="casino-supervisor", trials=trials)

    def test_at_the_opening_and_at_the_shift_that_begins_while_it_is_open(self, shifts: TableReporter) -> None:
        shifts.opens(after(0))
        self.try_shaker(shifts, after(0, 1))
        self.try_shaker(shifts, after(31))
        shifts.closes(after(60))
        assert codes(shifts) == []

    def test_the_second_shift_was_left_out(self, shifts: TableReporter) -> None:
        shifts.opens(after(0))
        self.try_shaker(shifts, after(0, 1))
        closed = shifts.closes(after(60))
        assert codes(shifts) == ["INSPECT-SHIFT"]
        finding = Finding.objects.get()
        assert (finding.subject_index, finding.clause) == (closed, "5(b)")
        assert "nothing for the shift at 20:30:00 AEDT" in finding.sentence

    def test_nobody_played_into_it(self, shifts: TableReporter) -> None:
        shifts.opens(after(0))
        self.try_shaker(shifts, after(0, 1))
        shifts.closes(after(29, 59))
        assert codes(shifts) == []

    def test_two_trials_are_too_few(self, shifts: TableReporter) -> None:
        shifts.opens(after(0))
        self.try_shaker(shifts, after(0, 1), trials=2)
        shifts.closes(after(20))
        assert codes(shifts) == ["INSPECT-SHIFT"]

    @pytest.mark.parametrize(("minutes", "found"), [(39, []), (41, ["INSPECT-SHIFT"])])
    def test_before_the_first_round_of_the_shift(self, shifts: TableReporter, minutes: int, found: list[str]) -> None:
        shifts.opens(after(0))
        self.try_shaker(shifts, after(0, 1))
        shifts.house.play((1, 2, 3), later=timedelta(minutes=40))
        self.try_shaker(shifts, after(minutes))
        shifts.closes(after(60))
        assert codes(shifts) == found

    @pytest.mark.parametrize(("minutes", "found"), [(31, []), (41, ["INSPECT-SHIFT"])])
    def test_at_a_table_that_stays_open_the_first_round_of_the_shift_shows_it(
        self, shifts: TableReporter, minutes: int, found: list[str]
    ) -> None:
        """The table stays open while the evening shift begins at 20:30; rounds at 20:25, 20:40 and 20:50."""
        shifts.opens(after(0))
        self.try_shaker(shifts, after(0, 1))
        house = shifts.house
        _, first, _ = (house.play((1, 2, 3), later=timedelta(minutes=played)) for played in (25, 40, 50))
        self.try_shaker(shifts, after(minutes))
        assert codes(shifts) == found
        assert list(Finding.objects.values_list("subject_index", flat=True)) == [first] * len(found)
        shifts.closes(after(60))
        assert codes(shifts) == found

    def test_an_inspection_that_is_told_late_counts(self, shifts: TableReporter) -> None:
        shifts.opens(after(0))
        self.try_shaker(shifts, after(0, 1))
        shifts.house.play((1, 2, 3), later=timedelta(minutes=40))
        assert codes(shifts) == ["INSPECT-SHIFT"]
        self.try_shaker(shifts, after(35))
        assert codes(shifts) == []

    def test_reopening_in_the_same_shift_needs_no_second_test(self, shifts: TableReporter) -> None:
        shifts.opens(after(0))
        self.try_shaker(shifts, after(0, 1))
        shifts.closes(after(5))
        inspects_all(shifts, after(6))
        shifts.opens(after(7))
        shifts.closes(after(20))
        assert codes(shifts) == []
