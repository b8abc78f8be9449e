"""Super Streak across rounds (NSW 6 and 7.2): placed after one round, settled in another by the results in between."""

from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.db import transaction

from compliance.audit.models import BLOCK_ENTRIES, Finding
from rounds.floor.fact_values import EquipmentValue, StreakAmountValue, WagersOfferedValue
from rounds.intake.protocol.round import Wager
from rounds.ledger.writing.append import correct
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import void, wager
from tests.compliance.audit.run.test_superseded_findings import fill_up_to

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

    def found(self) -> list[tuple[str, int | None, int | None]]:
        self.house.audit()
        rows = Finding.objects.current().order_by("subject_index", "code")
        return list(rows.values_list("code", "required_cents", "found_cents"))


@pytest.fixture
def table(house: House) -> StreakTable:
    return StreakTable(house)


def made(bet: str = "streak:small", stake: int = STAKE) -> Wager:
    return wager(bet, stake, None, id="s-1")


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
    table.play(SMALL, wager("streak:big", STAKE, None, id="s-2"))
    table.play(BIG, wager("streak:big", STAKE, None, id="s-3"), ended(0))
    assert [code for code, _, _ in table.found()] == ["STREAK-WINDOW"]
    assert Finding.objects.get().wager == "s-2"


def test_the_amount_is_exact_and_the_table_needs_its_screen(table: StreakTable) -> None:
    table.play(SMALL, made(stake=STAKE + 1))
    assert table.found() == [("STREAK-AMOUNT", STAKE, STAKE + 1)]
    bare = EquipmentValue(layout="A", screen="none", touch_screen=False, shaker="none")
    table.house.state(table.table, bare, at=table.table.added_at, now=NOW + timedelta(seconds=1))
    assert [code for code, _, _ in table.found()] == ["STREAK-AMOUNT", "STREAK-SCREEN"]


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
