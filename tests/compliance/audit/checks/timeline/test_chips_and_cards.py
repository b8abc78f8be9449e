"""Chips without a denomination (NSW 3.4 to 3.9, SkyCity 3.c and 3.d), vouchers (NSW 1.1), shoes (MBS 2 and 5)."""

from datetime import timedelta
from typing import Any

import pytest

from compliance.audit.models import Finding
from rounds.floor.fact_values import LimitsValue
from rounds.intake.protocol.chips import ChipsIssued, ChipsRedeemed, VoucherExchanged
from rounds.intake.protocol.equipment import DeckCount, FaceCount, ForeignCard, ShoeChanged
from rounds.intake.protocol.fields import Staff
from rounds.intake.protocol.round import ColourValue
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, SKYCITY, void, wager
from tests.compliance.audit.table_lines import TableReporter, after

pytestmark = pytest.mark.django_db


def at_table(house: House, rules: str) -> TableReporter:
    house.open_table(rules=rules, limits=LimitsValue(min=500, max=50_000))
    table = TableReporter(house)
    table.opens(after(-60))
    return table


def codes(table: TableReporter) -> list[str]:
    table.house.audit()
    return [code for code in table.house.codes() if not code.startswith("INSPECT-")]


def issues(table: TableReporter, minute: float = 0, **members: Any) -> int:
    usual: dict[str, Any] = {"set": "T1", "colour": "blue", "value": 500, "chips": 40, "player": "p-1"}
    return table.say("chips-issued", ChipsIssued(**usual | members), after(minute))


def redeems(table: TableReporter, minute: float = 30, **members: Any) -> int:
    usual: dict[str, Any] = {
        "set": "T1",
        "colour": "blue",
        "value": 500,
        "chips": 10,
        "paid": 5_000,
        "issued_at": "sb-1",
        "player": "p-1",
    }
    return table.say("chips-redeemed", ChipsRedeemed(**usual | members), after(minute))


class TestValue:
    @pytest.mark.parametrize(("rules", "clause"), [(NSW, "3.8"), (SKYCITY, "3.c")])
    def test_above_the_minimum_a_marker_says_what_a_chip_is_worth(self, house: House, rules: str, clause: str) -> None:
        table = at_table(house, rules)
        issues(table, value=501)
        assert codes(table) == ["CHIPS-VALUE"]
        assert Finding.objects.get().clause == clause

    @pytest.mark.parametrize(("rules", "clause"), [(NSW, "3.8"), (SKYCITY, "3.c")])
    def test_in_a_round_a_chip_counts_what_it_was_issued_at(self, house: House, rules: str, clause: str) -> None:
        """Issued at $5; counted at $5, at $10, and by a player without a recorded issue."""
        table = at_table(house, rules)
        issued = issues(table, -10, value=500)
        issues(table, -5, value=1_000, marker=1_000, colour="red", player="p-2")
        right, wrong, unknown = (
            wager(
                "small",
                1_000,
                2_000,
                id=name,
                player=player,
                tender="colour-checks",
                chips=ColourValue(colour="blue", value=value),
            )
            for name, player, value in (("w-1", "p-1", 500), ("w-2", "p-1", 1_000), ("w-3", "p-9", 700))
        )
        house.play((1, 2, 3), right, unknown)
        assert codes(table) == []
        house.play((1, 2, 3), right, wrong, unknown, later=timedelta(minutes=1))
        assert codes(table) == ["CHIPS-VALUE"]
        found = Finding.objects.get()
        assert (found.wager, found.clause, issued in found.evidence) == ("w-2", clause, True)
        assert found.sentence == "Blue in wager w-2 counted $10.00 a chip; at issue $5.00 was fixed."

    def test_an_issue_that_is_told_late_says_what_they_are_worth(self, house: House) -> None:
        table = at_table(house, NSW)
        blue = wager(
            "small", 1_000, 2_000, player="p-1", tender="colour-checks", chips=ColourValue(colour="blue", value=500)
        )
        house.play((1, 2, 3), blue)
        assert codes(table) == []
        issues(table, -10, value=1_000, marker=1_000)
        assert codes(table) == ["CHIPS-VALUE"]

    @pytest.mark.parametrize(
        ("value", "marker", "found"), [(499, None, []), (500, None, []), (501, 501, []), (501, 600, ["CHIPS-VALUE"])]
    )
    def test_at_the_minimum_none_is_needed(
        self, house: House, value: int, marker: int | None, found: list[str]
    ) -> None:
        table = at_table(house, NSW)
        issues(table, value=value, marker=marker)
        assert codes(table) == found

    def test_worth_at_the_end_what_it_was_at_issue(self, house: House) -> None:
        table = at_table(house, NSW)
        issues(table)
        redeems(table, value=1_000, paid=10_000)
        assert codes(table) == ["CHIPS-VALUE"]
        assert Finding.objects.get().sentence == "Blue of set T1 counted $10.00 a chip; at issue $5.00 was fixed."

    def test_the_licensee_says_nothing_of_it(self, house: House) -> None:
        table = at_table(house, LICENSEE)
        issues(table, value=5_000)
        assert codes(table) == []


class TestColours:
    def test_a_second_colour_needs_leave(self, house: House) -> None:
        table = at_table(house, NSW)
        issues(table)
        issues(table, 1, colour="red")
        assert codes(table) == ["CHIPS-COLOUR"]
        assert Finding.objects.get().clause == "3.9"

    @pytest.mark.parametrize(
        ("rules", "position", "found"),
        [
            (NSW, "casino-supervisor", []),
            (NSW, "dealer", ["CHIPS-COLOUR"]),
            (SKYCITY, "inspector", []),
            (SKYCITY, "casino-supervisor", ["CHIPS-COLOUR"]),
        ],
    )
    def test_whose_leave(self, house: House, rules: str, position: Any, found: list[str]) -> None:
        table = at_table(house, rules)
        issues(table)
        issues(table, 1, colour="red", approved_by=Staff(position=position))
        assert codes(table) == found

    def test_both_colours_have_one_value(self, house: House) -> None:
        table = at_table(house, NSW)
        issues(table)
        issues(table, 1, colour="red", value=400, approved_by=Staff(position="casino-supervisor"))
        assert codes(table) == ["CHIPS-COLOUR"]

    @pytest.mark.parametrize(
        ("rules", "agreed", "found"), [(NSW, None, ["CHIPS-COLOUR"]), (NSW, True, []), (SKYCITY, None, [])]
    )
    def test_the_same_colour_for_two_players(
        self, house: House, rules: str, agreed: bool | None, found: list[str]
    ) -> None:
        table = at_table(house, rules)
        issues(table)
        issues(table, 1, player="p-2", agreed=agreed)
        assert codes(table) == found

    def test_a_colour_that_was_handed_back_is_free_again(self, house: House) -> None:
        table = at_table(house, NSW)
        issues(table)
        redeems(table)
        issues(table, 40, player="p-2")
        issues(table, 41, colour="red")
        assert codes(table) == []

    def test_a_new_session_begins_with_no_colours(self, house: House) -> None:
        table = at_table(house, NSW)
        issues(table)
        table.closes(after(10), players=False)
        table.opens(after(20))
        issues(table, 30, player="p-2")
        assert codes(table) == []


class TestRedeemed:
    @pytest.mark.parametrize(
        ("rules", "closed", "found"),
        [
            (NSW, False, ["CHIPS-REDEEMED"]),
            (NSW, None, ["CHIPS-REDEEMED"]),
            (NSW, True, []),
            (SKYCITY, True, ["CHIPS-REDEEMED"]),
        ],
    )
    def test_at_another_table(self, house: House, rules: str, closed: bool | None, found: list[str]) -> None:
        """NSW 3.6 lets them be redeemed elsewhere while their table is closed, SkyCity 3.d does not."""
        table = at_table(house, rules)
        redeems(table, issued_at="sb-9", issuer_closed=closed)
        assert codes(table) == found

    @pytest.mark.parametrize(("paid", "found"), [(4_999, ["CHIPS-REDEEMED"]), (5_000, []), (5_001, ["CHIPS-REDEEMED"])])
    def test_at_their_value(self, house: House, paid: int, found: list[str]) -> None:
        table = at_table(house, NSW)
        redeems(table, paid=paid)
        assert codes(table) == found


class TestVoucher:
    @pytest.mark.parametrize(
        ("tokens", "met", "found"),
        [
            (4_999, True, ["VOUCHER-VALUE"]),
            (5_000, True, []),
            (5_001, True, ["VOUCHER-VALUE"]),
            (5_000, None, []),
            (5_000, False, ["VOUCHER-VALUE"]),
        ],
    )
    def test_equal_value_on_its_conditions(self, house: House, tokens: int, met: bool | None, found: list[str]) -> None:
        table = at_table(house, NSW)
        body = VoucherExchanged(voucher="V-1", value=5_000, tokens=tokens, player="p-1", conditions_met=met)
        table.say("voucher-exchanged", body, after(0))
        assert codes(table) == found


class TestShoes:
    """Four decks: 192 cards, 32 of each face."""

    FACES = tuple(FaceCount(face=face, cards=32) for face in range(1, 7))

    @pytest.mark.parametrize(("cards", "found"), [(191, ["CARDS-COUNT"]), (192, []), (193, ["CARDS-COUNT"])])
    def test_what_a_shoe_holds(self, house: House, cards: int, found: list[str]) -> None:
        table = at_table(house, MBS)
        table.say("deck-count", DeckCount(shoe="s-1", decks=4, cards=cards, by_face=self.FACES), after(0))
        assert codes(table) == found

    def test_one_face_short_and_another_over(self, house: House) -> None:
        table = at_table(house, MBS)
        faces = (FaceCount(face=1, cards=31), FaceCount(face=2, cards=33), *self.FACES[2:])
        table.say("deck-count", DeckCount(shoe="s-1", decks=4, cards=192, by_face=faces), after(0))
        assert codes(table) == ["CARDS-COUNT"]

    @pytest.mark.parametrize(("decks", "found"), [(1, ["CARDS-COUNT"]), (2, []), (6, []), (7, ["CARDS-COUNT"])])
    def test_two_to_six_decks(self, house: House, decks: int, found: list[str]) -> None:
        table = at_table(house, MBS)
        table.say("shoe-changed", ShoeChanged(shoe="s-1", decks=decks, cards=48 * decks), after(0))
        assert codes(table) == found

    def test_the_round_is_dealt_from_the_shoe_in_play(self, house: House) -> None:
        table = at_table(house, MBS)
        table.say("shoe-changed", ShoeChanged(shoe="s-1", decks=4), after(-5))
        house.play((1, 2, 3), shoe="s-1")
        table.say("shoe-changed", ShoeChanged(shoe="s-2", decks=4), after(2))
        wrong = house.play((1, 2, 3), shoe="s-1", later=timedelta(minutes=3))
        house.play((1, 2, 3), shoe="s-2", later=timedelta(minutes=4))
        house.play((1, 2, 3), later=timedelta(minutes=5))
        assert codes(table) == ["ROUND-CARDS"]
        finding = Finding.objects.get()
        assert (finding.subject_index, finding.clause) == (wrong, "2.2")
        assert "dealt from s-1; s-2 was in play" in finding.sentence

    def test_from_a_shoe_that_nobody_put_into_play(self, house: House) -> None:
        table = at_table(house, MBS)
        house.play((1, 2, 3), shoe="s-1")
        assert codes(table) == ["ROUND-CARDS"]


class TestForeignCard:
    CARD = ForeignCard(shoe="s-1", round="r-1")
    WAGER = wager("small", 500, 1_000, rules=MBS)

    @pytest.mark.parametrize("is_told_first", [True, False])
    def test_the_round_in_which_it_was_found_is_void(self, house: House, is_told_first: bool) -> None:
        table = at_table(house, MBS)
        if is_told_first:
            table.say("foreign-card", self.CARD, after(0, 30))
        house.play((1, 2, 3), self.WAGER)
        if not is_told_first:
            table.say("foreign-card", self.CARD, after(1))
        assert codes(table) == ["CARDS-FOREIGN"]
        assert Finding.objects.get().clause == "5.2.1"

    def test_it_was_declared_void(self, house: House) -> None:
        table = at_table(house, MBS)
        house.play(None, **void("foreign-card"))
        table.say("foreign-card", self.CARD, after(1))
        assert codes(table) == []
