"""Wagers above the maximum (NSW 4.3, SkyCity 8.e): what is due, which half of the clause applies and why, and several
wagers of one player on one box."""

from dataclasses import replace
from typing import Any

import pytest

from compliance.audit.checks import evaluate_round
from rounds.engine.settle import compute_amount_owed, explain_settlement
from tests.compliance.audit.checks.round.test_settlement import found, judge
from tests.compliance.audit.round_builders import (
    MBS,
    NSW,
    RWS,
    SKYCITY,
    at,
    build_round,
    limits,
    round_context,
    rules_in_force,
    wager,
)


class TestAboveTheMaximum:
    def test_skycity_settles_up_to_the_maximum_and_hands_the_rest_back(self) -> None:
        """8.e: 600 with a maximum of 500 wins 500; 100 goes back with stake and winnings."""
        right = judge(SKYCITY, (4, 2, 4), wager("small", 60_000, 110_000), **limits(500, 50_000))
        assert [draft.code for draft in right] == ["LIMIT-OVER-MAX"]
        in_full = judge(SKYCITY, (4, 2, 4), wager("small", 60_000, 120_000), **limits(500, 50_000))
        assert found(in_full) == [("SETTLE-CLIP", 110_000, 120_000, "8.e")]

    def test_a_loser_gets_the_part_above_the_maximum_back(self) -> None:
        drafts = judge(SKYCITY, (6, 5, 4), wager("small", 60_000, 0), **limits(500, 50_000))
        assert found(drafts) == [("SETTLE-CLIP", 10_000, 0, "8.e")]

    def test_nsw_lets_it_stand_when_found_later_with_nothing_at_stake(self) -> None:
        drafts = judge(NSW, (4, 2, 4), wager("small", 60_000, 120_000), **limits(500, 50_000))
        assert found(drafts) == [("LIMIT-OVER-MAX", None, 120_000, "4.3")]
        clipped = judge(NSW, (4, 2, 4), wager("small", 60_000, 110_000), **limits(500, 50_000))
        assert [draft.code for draft in clipped] == ["LIMIT-OVER-MAX"]
        neither = judge(NSW, (4, 2, 4), wager("small", 60_000, 115_000), **limits(500, 50_000))
        assert found(neither) == [("SETTLE-CLIP", 110_000, 115_000, "4.3")]

    @pytest.mark.parametrize(("stake", "codes"), [(50_000, []), (50_001, ["LIMIT-OVER-MAX"])])
    def test_at_the_maximum_and_a_cent_above(self, stake: int, codes: list[str]) -> None:
        drafts = judge(NSW, (4, 2, 4), wager("small", stake, 2 * stake), **limits(500, 50_000))
        assert [draft.code for draft in drafts] == codes

    def test_wagers_of_one_player_on_one_box_count_together_and_the_last_is_clipped(self) -> None:
        first = wager("small", 30_000, 60_000, id="first", placed_at=at(15))
        second = wager("small", 30_000, 60_000, id="second", placed_at=at(16))
        [draft] = judge(SKYCITY, (4, 2, 4), first, second, **limits(500, 50_000))
        assert (draft.code, draft.wager, draft.required_cents) == ("SETTLE-CLIP", "second", 50_000)
        other = wager("small", 30_000, 60_000, id="second", placed_at=at(16), player="p-02")
        assert judge(SKYCITY, (4, 2, 4), first, other, **limits(500, 50_000)) == []

    def test_where_the_document_is_silent_it_is_settled_in_full_and_flagged_as_silent(self) -> None:
        [draft] = judge(RWS, (2, 3, 3), wager("small", 60_000, 120_000, rules=RWS), **limits(500, 50_000))
        assert (draft.code, draft.is_silent, draft.required_cents) == ("LIMIT-OVER-MAX", True, None)
        assert judge(MBS, (2, 3, 3), wager("small", 60_000, 120_000), **limits(500, 50_000)) == []


class TestWhichHalfOfTheClauseApplies:
    """NSW 4.3, $600 on Small with a maximum of $500: $1,100 up to the maximum, $1,200 in full."""

    def owed(self, returned: int, reports: Any = ()) -> Any:
        body = build_round(NSW, (4, 2, 4), wager("small", 60_000, returned))
        context = round_context(body, rules_in_force(NSW, **limits(500, 50_000)))
        context = replace(context, over_limit_reports=dict(reports))
        return context, compute_amount_owed(context, context.positions[0])

    @pytest.mark.parametrize(
        ("returned", "due", "is_met", "says"),
        [
            (120_000, 120_000, True, "on a later game: the stake of $600.00 stands in full."),
            (110_000, 110_000, True, "The stake counts up to the maximum of $500.00; $100.00 is handed back."),
            (115_000, 110_000, False, "The stake counts up to the maximum of $500.00; $100.00 is handed back."),
        ],
    )
    def test_the_working_says_it(self, returned: int, due: int, is_met: bool, says: str) -> None:
        _, owed = self.owed(returned)
        assert (owed.cents, owed.is_met) == (due, is_met)
        assert any(says in sentence for sentence in explain_settlement(owed.settled.settlement, owed.cents))

    def test_found_before_it_was_settled_it_counts_up_to_the_maximum(self) -> None:
        context, owed = self.owed(120_000, {"w-small-60000": 5})
        assert (owed.cents, owed.is_met) == (110_000, False)
        assert found(evaluate_round(context)) == [("SETTLE-CLIP", 110_000, 120_000, "4.3")]

    def test_the_finding_says_what_is_due_and_when(self) -> None:
        [draft] = judge(NSW, (4, 2, 4), wager("small", 60_000, 120_000), **limits(500, 50_000))
        assert draft.explanation == (
            "Found before it is settled, a wager counts up to the maximum: $1,100.00 would be due [4.3].",
            "Found on a later game, it stands in full: $1,200.00 is due [4.3].",
            "Nothing on record shows that it was found before it was settled.",
        )
        [draft] = judge(NSW, (4, 2, 4), wager("small", 60_000, 110_000), **limits(500, 50_000))
        assert draft.explanation[-1] == "It was settled up to the maximum."

    def test_where_the_document_knows_one_amount_only_it_is_said(self) -> None:
        [draft] = judge(SKYCITY, (4, 2, 4), wager("small", 60_000, 110_000), **limits(500, 50_000))
        assert draft.explanation == ("A wager counts up to the maximum: $1,100.00 is due [8.e].",)
        [draft] = judge(RWS, (4, 2, 4), wager("small", 60_000, 120_000, rules=RWS), **limits(500, 50_000))
        assert (draft.explanation, draft.is_silent) == ((), True)


class TestSeveralOnOneBox:
    """SkyCity 8.e and NSW 4.3: two wagers of $300 with a maximum of $500. Small wins: $600 and $500 are due."""

    def two(self, rules: str, dice: Any, paid: tuple[int, int], **rest: Any) -> list[str]:
        first = wager("small", 30_000, paid[0], id="first", placed_at=at(15))
        second = wager("small", 30_000, paid[1], id="second", **{"placed_at": at(16)} | rest)
        return [draft.code for draft in judge(rules, dice, first, second, **limits(500, 50_000))]

    @pytest.mark.parametrize("rules", [SKYCITY, NSW])
    @pytest.mark.parametrize("paid", [(60_000, 50_000), (50_000, 60_000), (55_000, 55_000)])
    def test_a_winner_is_judged_by_player_and_box(self, rules: str, paid: tuple[int, int]) -> None:
        assert self.two(rules, (4, 2, 4), paid) == ["LIMIT-OVER-MAX"]

    @pytest.mark.parametrize(
        ("rules", "paid", "expected"),
        [
            (SKYCITY, (50_000, 59_999), ["SETTLE-UNDERPAID", "SETTLE-CLIP"]),
            (SKYCITY, (50_001, 60_000), ["SETTLE-UNDERPAID", "SETTLE-CLIP"]),
            (NSW, (50_000, 59_999), ["SETTLE-UNDERPAID", "SETTLE-CLIP"]),
            # Paid in full, the second stands as found on a later game.
            (NSW, (50_001, 60_000), ["SETTLE-UNDERPAID", "LIMIT-OVER-MAX"]),
        ],
    )
    def test_a_cent_more_or_less(self, rules: str, paid: tuple[int, int], expected: list[str]) -> None:
        assert self.two(rules, (4, 2, 4), paid) == expected

    @pytest.mark.parametrize(("paid", "is_right"), [((0, 10_000), True), ((10_000, 0), True), ((10_000, 1), False)])
    def test_a_loser_as_well(self, paid: tuple[int, int], is_right: bool) -> None:
        codes = self.two(SKYCITY, (6, 5, 4), paid)
        assert (codes == ["LIMIT-OVER-MAX"]) is is_right

    def test_two_players_are_judged_apart(self) -> None:
        codes = self.two(SKYCITY, (4, 2, 4), (50_000, 70_000), player="p-02")
        assert codes == ["SETTLE-UNDERPAID", "SETTLE-OVERPAID"]

    def test_within_the_maximum_each_is_judged_by_itself(self) -> None:
        first = wager("small", 10_000, 15_000, id="first", placed_at=at(15))
        second = wager("small", 10_000, 25_000, id="second", placed_at=at(16))
        codes = [draft.code for draft in judge(SKYCITY, (4, 2, 4), first, second, **limits(500, 50_000))]
        assert codes == ["SETTLE-UNDERPAID", "SETTLE-OVERPAID"]
