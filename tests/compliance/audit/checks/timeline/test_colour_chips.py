"""Colour chips over a session: one value while they are out, their own table, the issuing table's closing, counts."""

from datetime import timedelta
from typing import Any

import pytest

from compliance.audit.models import Finding
from rounds.intake.protocol.round import ColourValue, Wager
from tests.compliance.audit.checks.timeline.test_chips_and_cards import at_table, codes, issues, redeems
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, SKYCITY, wager
from tests.compliance.audit.table_lines import TableReporter, after

pytestmark = pytest.mark.django_db

TEN = {"value": 1_000, "marker": 1_000}


def chips_wager(stake: int = 1_000, returned: int = 2_000, *, value: int = 500, **members: Any) -> Wager:
    """A wager of p-1 with blue chips, on Small."""
    usual: dict[str, Any] = {"player": "p-1", "tender": "colour-checks", "id": f"w-{value}-{stake}-{returned}"}
    issued_at = members.pop("issued_at", None)
    chips = ColourValue(colour=members.pop("colour", "blue"), value=value, issued_at=issued_at)
    return wager("small", stake, returned, chips=chips, **usual | members)


class TestOneValueWhileTheyAreOut:
    """SkyCity 3.c: a player declares one value. NSW 3.8 names no such limit."""

    @pytest.mark.parametrize(
        ("rules", "value", "found"),
        [
            (SKYCITY, 499, ["CHIPS-VALUE"]),
            (SKYCITY, 500, []),
            (SKYCITY, 501, ["CHIPS-VALUE"]),
            (NSW, 501, []),
            (LICENSEE, 501, []),
            (MBS, 501, []),
        ],
    )
    def test_a_second_value_of_the_same_colour(self, house: House, rules: str, value: int, found: list[str]) -> None:
        table = at_table(house, rules)
        first = issues(table)
        issues(table, 1, value=value, marker=value)
        assert codes(table) == found
        for finding in Finding.objects.filter(code="CHIPS-VALUE"):
            assert (finding.clause, first in finding.evidence) == ("3.c", True)
            assert finding.sentence == (
                f"Blue of set T1 was issued at ${value / 100:.2f} a chip; "
                "chips of that colour worth $5.00 were still out."
            )

    @pytest.mark.parametrize("rules", [NSW, SKYCITY])
    def test_each_is_then_redeemed_at_its_own_value(self, house: House, rules: str) -> None:
        table = at_table(house, rules)
        issues(table)
        issues(table, 1, **TEN)
        redeems(table, 30)
        redeems(table, 31, value=1_000, paid=10_000)
        redeems(table, 32, value=700, paid=7_000)
        assert codes(table) == ["CHIPS-VALUE"] * (1 + (rules == SKYCITY))
        sentence = Finding.objects.latest("subject_index").sentence
        assert sentence == "Blue of set T1 counted $7.00 a chip; at issue $10.00 was fixed."

    @pytest.mark.parametrize("rules", [NSW, SKYCITY])
    def test_and_counts_its_own_value_in_a_wager(self, house: House, rules: str) -> None:
        table = at_table(house, rules)
        issues(table, -10)
        issues(table, -9, **TEN)
        house.play((1, 2, 3), chips_wager(), chips_wager(value=1_000))
        assert codes(table) == ["CHIPS-VALUE"] * (rules == SKYCITY)
        house.play((1, 2, 3), chips_wager(2_100, 4_200, value=700), later=timedelta(minutes=2))
        assert codes(table) == ["CHIPS-VALUE"] * (1 + (rules == SKYCITY))

    @pytest.mark.parametrize("rules", [NSW, SKYCITY])
    def test_chips_that_were_handed_back_may_be_issued_at_another_value(self, house: House, rules: str) -> None:
        table = at_table(house, rules)
        issues(table, -20)
        redeems(table, -10)
        issues(table, -9, **TEN)
        house.play((1, 2, 3), chips_wager(value=1_000))
        assert codes(table) == []
        house.play((1, 2, 3), chips_wager(value=500), later=timedelta(minutes=2))
        assert codes(table) == ["CHIPS-VALUE"]
        assert Finding.objects.get().wager == "w-500-1000-2000"

    @pytest.mark.parametrize(("lost", "found"), [(39, ["CHIPS-VALUE"]), (40, [])])
    def test_chips_that_were_lost_are_not_out(self, house: House, lost: int, found: list[str]) -> None:
        table = at_table(house, SKYCITY)
        issues(table, -20)
        house.play((4, 5, 6), chips_wager(lost * 500, 0))
        issues(table, 5, **TEN)
        assert codes(table) == found

    @pytest.mark.parametrize(("lost", "found"), [(39, ["CHIPS-COLOUR"]), (40, [])])
    def test_nor_do_they_count_as_another_colour(self, house: House, lost: int, found: list[str]) -> None:
        table = at_table(house, NSW)
        issues(table, -20)
        house.play((4, 5, 6), chips_wager(lost * 500, 0))
        issues(table, 5, colour="red")
        assert codes(table) == found


class TestUnlessDeclared:
    """SkyCity 3.d: without a declared value, chips are worth the table's minimum, here $5."""

    @pytest.mark.parametrize("declared", [None, True])
    def test_a_declared_value_is_free(self, house: House, declared: bool | None) -> None:
        table = at_table(house, SKYCITY)
        issues(table, declared=declared, **TEN)
        assert codes(table) == []

    @pytest.mark.parametrize(
        ("rules", "value", "found"),
        [
            (SKYCITY, 499, ["CHIPS-VALUE"]),
            (SKYCITY, 500, []),
            (SKYCITY, 501, ["CHIPS-VALUE"]),
            (NSW, 501, []),
        ],
    )
    def test_without_one_it_is_the_minimum(self, house: House, rules: str, value: int, found: list[str]) -> None:
        table = at_table(house, rules)
        issues(table, value=value, marker=value, declared=False)
        assert codes(table) == found
        for finding in Finding.objects.filter(code="CHIPS-VALUE"):
            assert finding.clause == "3.d"
            assert finding.sentence == (
                f"Blue of set T1 was issued at ${value / 100:.2f} a chip; "
                "no value was declared, and the table's minimum is $5.00."
            )


class TestAtTheirOwnTable:
    """NSW 3.5, SkyCity 3.d: colour chips are wagered at the table that issued them."""

    @pytest.mark.parametrize(("rules", "clause"), [(NSW, "3.5"), (SKYCITY, "3.d")])
    def test_chips_of_another_table(self, house: House, rules: str, clause: str) -> None:
        table = at_table(house, rules)
        issues(table, -10)
        house.play((1, 2, 3), chips_wager(), chips_wager(2_000, 4_000, issued_at="sb-1"))
        assert codes(table) == []
        odd = house.play((1, 2, 3), chips_wager(issued_at="sb-9"), later=timedelta(minutes=2))
        assert codes(table) == ["CHIPS-ELSEWHERE"]
        finding = Finding.objects.get()
        assert (finding.clause, finding.subject_index, finding.wager) == (clause, odd, "w-500-1000-2000")
        assert finding.sentence == "Blue in wager w-500-1000-2000 was wagered at sb-1; sb-9 issued it."

    def test_a_refused_wager_was_not_made(self, house: House) -> None:
        table = at_table(house, NSW)
        house.play((1, 2, 3), chips_wager(1_000, 1_000, issued_at="sb-9", verdict="refused"))
        assert codes(table) == ["WAGER-REFUSED-UNPROVEN"]

    @pytest.mark.parametrize("rules", [LICENSEE, MBS])
    def test_other_documents_are_silent(self, house: House, rules: str) -> None:
        table = at_table(house, rules)
        house.play((1, 2, 3), chips_wager(issued_at="sb-9"))
        assert "CHIPS-ELSEWHERE" not in codes(table)


class TestTheIssuingTableIsClosed:
    """NSW 3.6: the log says whether the table was closed, where it has an entry; else whoever redeems them does."""

    @pytest.fixture
    def table(self, house: House) -> TableReporter:
        table = at_table(house, NSW)
        TableReporter(house, "sb-9").opens(after(-60))
        return table

    @pytest.mark.parametrize("told", [None, False, True])
    @pytest.mark.parametrize(("seconds", "found"), [(-1, []), (0, []), (1, ["CHIPS-REDEEMED"])])
    def test_closed_a_second_before_or_after(
        self, table: TableReporter, told: bool | None, seconds: int, found: list[str]
    ) -> None:
        closed = TableReporter(table.house, "sb-9").closes(after(30, seconds), players=False)
        redeems(table, issued_at="sb-9", issuer_closed=told)
        assert codes(table) == found
        assert closed

    def test_closed_and_opened_again(self, table: TableReporter) -> None:
        TableReporter(table.house, "sb-9").closes(after(10), players=False)
        opened = TableReporter(table.house, "sb-9").opens(after(20))
        redeems(table, issued_at="sb-9", issuer_closed=True)
        assert codes(table) == ["CHIPS-REDEEMED"]
        finding = Finding.objects.get()
        assert (finding.clause, opened in finding.evidence) == ("3.6", True)
        assert finding.sentence == "Blue of set T1 was redeemed: at sb-1; sb-9 issued it and was open."

    def test_skycity_allows_it_in_no_case(self, house: House) -> None:
        table = at_table(house, SKYCITY)
        TableReporter(house, "sb-9").opens(after(-60))
        redeems(table, issued_at="sb-9", issuer_closed=True)
        assert codes(table) == ["CHIPS-REDEEMED"]
