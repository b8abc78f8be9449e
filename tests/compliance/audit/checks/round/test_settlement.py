"""Settlement of one wager at a time under each of the five rule sets: the amount due by the document, and the finding
code."""

from fractions import Fraction
from typing import Any

import pytest

from compliance.audit.checks import evaluate_round
from compliance.audit.checks.round.result_display import winning_areas
from compliance.audit.context.finding_draft import FindingDraft
from rounds.engine.settle import TableEquipment
from rounds.intake.protocol.fields import Staff
from rounds.intake.protocol.round import Called, Change, Displayed, Entered
from tests.compliance.audit.round_builders import (
    LICENSEE,
    MBS,
    NSW,
    RWS,
    SKYCITY,
    at,
    build_round,
    limits,
    round_context,
    rules_in_force,
    void,
    wager,
)


def judge(rules: str, dice: Any, *wagers: Any, round: dict[str, Any] | None = None, **facts: Any) -> list[FindingDraft]:
    drafts = evaluate_round(
        round_context(build_round(rules, dice, *wagers, **round or {}), rules_in_force(rules, **facts))
    )
    # Procedure findings are left out; test_procedure.py has them.
    return [draft for draft in drafts if not draft.code.startswith("ROUND-")]


def found(drafts: list[FindingDraft]) -> list[tuple[str, int | None, int | None, str]]:
    return [(draft.code, draft.required_cents, draft.found_cents, draft.clause) for draft in drafts]


class TestPaidRight:
    """Figures from the documents: NSW 7.1, RWS 4.1, MBS 4.1, SkyCity 6, Licensee 4(b)."""

    @pytest.mark.parametrize(
        ("rules", "dice", "bet", "stake", "returned"),
        [
            (NSW, (4, 2, 4), "small", 2_500, 5_000),
            (NSW, (4, 2, 4), "big", 2_500, 0),
            (NSW, (4, 2, 4), "total:10", 1_000, 7_000),
            (RWS, (2, 3, 3), "total:8", 100, 950),
            (MBS, (2, 2, 2), "triple:any", 500, 16_000),
            (SKYCITY, (1, 2, 5), "pair:1-2", 200, 1_300),
            (LICENSEE, (3, 3, 3), "triple:3", 100, 15_100),
        ],
    )
    def test_nothing_is_found(self, rules: str, dice: Any, bet: str, stake: int, returned: int) -> None:
        assert judge(rules, dice, wager(bet, stake, returned, rules=rules)) == []


class TestWrongAmounts:
    @pytest.mark.parametrize(
        ("returned", "code"),
        [(5_100, "SETTLE-OVERPAID"), (4_900, "SETTLE-UNDERPAID"), (2_500, "SETTLE-WINNER-UNPAID")],
    )
    def test_a_winner_paid_otherwise(self, returned: int, code: str) -> None:
        [draft] = judge(NSW, (4, 2, 4), wager("small", 2_500, returned))
        assert (draft.code, draft.required_cents, draft.found_cents) == (code, 5_000, returned)
        assert "$50.00" in draft.sentence

    def test_a_winner_collected(self) -> None:
        drafts = judge(NSW, (4, 2, 4), wager("small", 2_500, 0))
        assert found(drafts) == [("SETTLE-WINNER-UNPAID", 5_000, 0, "3.1.1.1")]
        assert drafts[0].explanation[-1] == "Due: $50.00."

    @pytest.mark.parametrize("rules", [NSW, RWS, MBS, SKYCITY, LICENSEE])
    def test_a_winner_reported_as_open(self, rules: str) -> None:
        """Only Super Streak wagers run on after the round."""
        bet = "triple:any" if rules == MBS else "small"
        dice = (2, 2, 2) if rules == MBS else (4, 2, 3)
        drafts = judge(rules, dice, wager(bet, 500, None, verdict="open", rules=rules))
        assert [(draft.code, draft.found_cents) for draft in drafts] == [("SETTLE-WINNER-UNPAID", 0)]
        assert (drafts[0].required_cents or 0) > 500

    def test_a_loser_paid(self) -> None:
        drafts = judge(NSW, (4, 2, 4), wager("big", 2_500, 5_000))
        assert found(drafts) == [("SETTLE-LOSER-PAID", 0, 5_000, "3.1.2.2")]

    def test_one_cent_is_enough(self) -> None:
        assert [draft.code for draft in judge(NSW, (4, 2, 4), wager("small", 2_500, 4_999))] == ["SETTLE-UNDERPAID"]

    def test_the_clause_is_that_of_the_odds(self) -> None:
        assert found(judge(SKYCITY, (1, 1, 1), wager("triple:1", 100, 18_100))) == [
            ("SETTLE-UNDERPAID", 19_100, 18_100, "6.b")
        ]


class TestVoid:
    def test_stakes_go_back(self) -> None:
        back = wager("small", 2_500, 2_500, verdict="void")
        assert judge(NSW, None, back, round=void("not-flat")) == []

    def test_a_stake_kept(self) -> None:
        drafts = judge(NSW, None, wager("small", 2_500, 0), round=void("not-flat"))
        assert found(drafts) == [("SETTLE-VOID-KEPT", 2_500, 0, "8.1")]

    def test_a_void_wager_paid(self) -> None:
        drafts = judge(NSW, (4, 2, 4), wager("small", 2_500, 5_000), round=void("invalidated"))
        assert found(drafts) == [("SETTLE-SHOULD-BE-VOID", 2_500, 5_000, "9.4")]

    def test_forfeited_for_fraud_where_the_rules_allow_it(self) -> None:
        forfeited = wager("small", 2_500, 0, verdict="forfeited")
        supervisor, dealer = Staff(position="casino-supervisor"), Staff(position="dealer")
        for grounds, by, expected in (
            ("fraud", supervisor, []),
            ("disruption", supervisor, ["SETTLE-VOID-KEPT"]),
            ("fraud", dealer, ["SETTLE-VOID-KEPT"]),
        ):
            drafts = judge(NSW, (4, 2, 4), forfeited, round=void("invalidated", grounds=grounds, by=by))
            assert [draft.code for draft in drafts] == expected

    def test_a_button_not_pressed_matters_only_at_a_touch_screen(self) -> None:
        paid = wager("small", 100, 200)
        assert judge(NSW, (4, 2, 4), paid) == []
        drafts = judge(NSW, (4, 2, 4), paid, equipment=TableEquipment(has_touch_screen=True))
        assert found(drafts) == [("SETTLE-SHOULD-BE-VOID", 100, 200, "8.4")]


class TestUnderTheMinimum:
    def test_nsw_holds_it_valid(self) -> None:
        settled = judge(NSW, (4, 2, 4), wager("small", 400, 800), **limits(500, 50_000))
        assert found(settled) == [("WAGER-UNDER-MIN", None, 800, "4.2")]
        handed_back = judge(NSW, (4, 2, 4), wager("small", 400, 400, verdict="void"), **limits(500, 50_000))
        assert found(handed_back) == [("WAGER-UNDER-MIN", 800, 400, "4.2")]
        for [draft], back in ((settled, "$8.00"), (handed_back, "$4.00")):
            assert draft.sentence.endswith(
                f"under the minimum of $5.00 and was handed back {back}; the rules let it stand, so $8.00 was due."
            )
        assert judge(NSW, (4, 2, 4), wager("small", 500, 1_000), **limits(500, 50_000)) == []

    def test_skycity_settles_once_and_hands_back_after_the_warning(self) -> None:
        warned_and_back = wager("small", 400, 400, verdict="void", warned=True)
        [as_due] = judge(SKYCITY, (4, 2, 4), warned_and_back, **limits(500, 50_000))
        assert as_due.required_cents is None
        assert as_due.sentence.endswith("handed back $4.00; its owner had been warned, so $4.00 was due.")
        warned_and_paid = wager("small", 400, 800, warned=True)
        drafts = judge(SKYCITY, (4, 2, 4), warned_and_paid, **limits(500, 50_000))
        assert found(drafts) == [("WAGER-UNDER-MIN", 400, 800, "8.d")]
        assert drafts[0].sentence.endswith("handed back $8.00; its owner had been warned, so $4.00 was due.")
        [first] = judge(SKYCITY, (4, 2, 4), wager("small", 400, 400, verdict="void"), **limits(500, 50_000))
        assert first.sentence.endswith("handed back $4.00; no earlier warning is on record, so $8.00 was due.")


class TestRounding:
    """SkyCity 8.f: 5 1/2 to 1 on 250 is 1,375, which a float in units of 100 cannot pay."""

    def test_without_a_notice_it_is_rounded_up(self) -> None:
        facts = limits(100, 50_000, payable_unit_cents=100)
        assert judge(SKYCITY, (1, 2, 5), wager("pair:1-2", 250, 1_650), **facts) == []
        down = judge(SKYCITY, (1, 2, 5), wager("pair:1-2", 250, 1_550), **facts)
        assert found(down) == [("SETTLE-ROUNDING", 1_650, 1_550, "8.f")]
        assert down[0].sentence.endswith("was handed back $15.50; $16.50, rounded as the rules say, was due.")

    def test_a_fraction_of_a_cent_where_the_rules_do_not_say_how_to_round(self) -> None:
        """RWS 4.1: 8 1/2 to 1 on one cent wins 8.5 cents."""
        [draft] = judge(RWS, (2, 3, 3), wager("total:8", 1, 9, rules=RWS))
        assert found([draft]) == [("SETTLE-ROUNDING", None, 9, "4.1.1")]
        assert draft.sentence.endswith("was handed back $0.09; the rules do not say what was due.")
        assert judge(RWS, (2, 3, 3), wager("total:8", 2, 19, rules=RWS)) == []

    def test_under_a_notice_the_part_above_a_multiple_wins_nothing(self) -> None:
        """Minimum 200, multiples only: 250 wins 5 1/2 to 1 on 200, which is 1,100, and goes back whole."""
        facts = limits(200, 50_000, needs_multiples=True, payable_unit_cents=100)
        assert judge(SKYCITY, (1, 2, 5), wager("pair:1-2", 250, 1_350), **facts) == []
        up = judge(SKYCITY, (1, 2, 5), wager("pair:1-2", 250, 1_650), **facts)
        assert found(up) == [("SETTLE-ROUNDING", 1_350, 1_650, "8.f")]
        by_payout = judge(SKYCITY, (1, 2, 5), wager("pair:1-2", 250, 1_450), **facts)
        assert [(draft.code, draft.reading) for draft in by_payout] == [
            ("SETTLE-READING", ("lower-multiple", "payout"))
        ]

    def test_half_a_cent_that_no_clause_rounds_is_flagged_as_silent(self) -> None:
        [draft] = judge(RWS, (2, 3, 3), wager("total:8", 101, 959, rules=RWS, terminal="t-2"))
        assert (draft.code, draft.is_silent, draft.required_cents) == ("SETTLE-ROUNDING", True, None)


class TestPayTables:
    """RWS 4.1: a total of 8 pays 8.5 to 1 at pay table 2 and 8 to 1 at pay table 3."""

    @pytest.mark.parametrize(("terminal", "right", "wrong"), [("t-2", 950, 900), ("t-3", 900, 950)])
    def test_the_terminal_decides(self, terminal: str, right: int, wrong: int) -> None:
        assert judge(RWS, (2, 3, 3), wager("total:8", 100, right, rules=RWS, terminal=terminal)) == []
        [draft] = judge(RWS, (2, 3, 3), wager("total:8", 100, wrong, rules=RWS, terminal=terminal))
        assert (draft.code, draft.required_cents, draft.found_cents) == ("SETTLE-PAY-TABLE", right, wrong)


class TestTokens:
    """NSW 1.1: a token wins chips and is not handed back with them."""

    def test_winnings_only(self) -> None:
        token = {"tender": "promotional-token"}
        assert judge(NSW, (4, 2, 4), wager("small", 1_000, 1_000, verdict="win", **token)) == []
        assert judge(NSW, None, wager("small", 1_000, 1_000, verdict="void", **token), round=void("not-flat")) == []
        [draft] = judge(NSW, (4, 2, 4), wager("small", 1_000, 1_500, **token))
        assert (draft.code, draft.required_cents) == ("SETTLE-TOKEN", 1_000)

    def test_a_token_handed_back_with_its_winnings_is_another_reading(self) -> None:
        [draft] = judge(NSW, (4, 2, 4), wager("small", 1_000, 2_000, tender="promotional-token"))
        assert (draft.code, draft.reading) == ("SETTLE-READING", ("promo-token", "token-returned"))

    def test_winnings_paid_in_tokens(self) -> None:
        paid = {"tender": "promotional-token", "verdict": "win"}
        assert judge(NSW, (4, 2, 4), wager("small", 1_000, 1_000, paid_in="value-chips", **paid)) == []
        drafts = judge(NSW, (4, 2, 4), wager("small", 1_000, 1_000, paid_in="promotional-token", **paid))
        assert [draft.code for draft in drafts] == ["SETTLE-TOKEN"]


class TestReadings:
    def test_even_paid_on_ten_is_right_by_another_reading(self) -> None:
        """N1: 3.2.2.1 does not name 10."""
        drafts = judge(NSW, (4, 2, 4), wager("even", 1_000, 2_000))
        assert found(drafts) == [("SETTLE-READING", 0, 2_000, "3.2.2.1")]
        assert drafts[0].reading == ("even", "every-even-total")

    def test_even_paid_on_an_odd_total_is_right_by_none(self) -> None:
        assert [d.code for d in judge(NSW, (4, 2, 5), wager("even", 1_000, 2_000))] == ["SETTLE-LOSER-PAID"]


class TestWhichResultCounts:
    """The dice show 4-2-4, Small; 6-5-4 would be Big."""

    SMALL, BIG = (4, 2, 4), (6, 5, 4)

    @pytest.mark.parametrize("told", ["entered", "displayed"])
    @pytest.mark.parametrize(("rules", "clause"), [(NSW, "3.1.2.2"), (RWS, "4.1.1")])
    def test_what_was_entered_or_displayed_otherwise_pays_nobody(self, rules: str, clause: str, told: str) -> None:
        """NSW 8.7 and 8.9, RWS 5.5 and 5.8."""
        said = {"entered": Entered(faces=self.BIG)}
        if told == "displayed":
            said = {"displayed": (Displayed(device="wnd", faces=self.BIG),)}  # type: ignore[dict-item]
        by_dice = wager("small", 100, 200, rules=rules)
        assert judge(rules, self.SMALL, by_dice, round=said) == []
        by_another = judge(rules, self.SMALL, wager("big", 100, 200, rules=rules), round=said)
        assert found(by_another) == [("SETTLE-LOSER-PAID", 0, 200, clause)]

    @pytest.mark.parametrize("lit", [(), ("odd", "triple:1")], ids=["failed", "wrong"])
    def test_skycity_goes_by_the_call_where_the_lights_are_no_guide(self, lit: Any) -> None:
        """7.e."""
        called = {"called": Called(faces=self.BIG), "lit": lit}
        assert judge(SKYCITY, self.SMALL, wager("big", 100, 200), round=called) == []
        [by_dice] = judge(SKYCITY, self.SMALL, wager("small", 100, 200), round=called)
        assert (by_dice.code, by_dice.reading) == ("SETTLE-READING", ("lights-fail", "dice"))

    @pytest.mark.parametrize("shown", [SMALL, BIG], ids=["as-the-dice", "as-called"])
    def test_skycity_goes_by_the_dice_where_they_light_what_lay_or_was_called(self, shown: Any) -> None:
        """4.d: a wrong call is a finding of its own and does not change what is paid."""
        lit = winning_areas(rules_in_force(SKYCITY), shown)
        called = {"called": Called(faces=self.BIG), "lit": tuple(lit)}
        assert judge(SKYCITY, self.SMALL, wager("small", 100, 200), round=called) == []
        drafts = judge(SKYCITY, self.SMALL, wager("big", 100, 200), round=called)
        assert [draft.code for draft in drafts] == ["SETTLE-LOSER-PAID"]


class TestLate:
    """Betting closes at 30 s."""

    @pytest.mark.parametrize(("rules", "clause"), [(NSW, "3.10"), (RWS, "3.5"), (MBS, "5.5"), (SKYCITY, "4.b")])
    def test_a_wager_after_the_close_is_not_valid(self, rules: str, clause: str) -> None:
        late = wager("small", 100, 200, rules=rules, placed_at=at(30.001))
        assert found(judge(rules, (4, 2, 4), late)) == [("WAGER-LATE", 100, 200, clause)]
        in_time = wager("small", 100, 200, rules=rules, placed_at=at(30))
        assert judge(rules, (4, 2, 4), in_time) == []
        handed_back = wager("small", 100, 100, rules=rules, placed_at=at(31), verdict="refused")
        assert judge(rules, (4, 2, 4), handed_back) == []

    def test_where_no_clause_forbids_it_the_finding_says_so(self) -> None:
        [draft] = judge(LICENSEE, (4, 2, 4), wager("small", 100, 200, placed_at=at(31)))
        assert (draft.code, draft.is_silent, draft.required_cents) == ("WAGER-LATE", True, None)
        assert draft.sentence.endswith("after the close and was handed back $2.00; the rules do not say what was due.")

    def test_an_increase_is_split_at_the_close(self) -> None:
        """MBS 5.5: 100 stands and wins 100; the 50 that came late go back."""
        raised = (Change(what="raised", at=at(31), stake=150),)
        assert judge(MBS, (1, 2, 5), wager("small", 100, 250, changes=raised)) == []
        drafts = judge(MBS, (1, 2, 5), wager("small", 100, 300, changes=raised))
        assert found(drafts) == [("WAGER-LATE", 250, 300, "5.5")]
        assert drafts[0].explanation[-1] == "Due: $2.50."
        in_time = (Change(what="raised", at=at(29), stake=150),)
        assert judge(MBS, (1, 2, 5), wager("small", 100, 300, changes=in_time)) == []

    def test_a_wager_moved_after_the_close_is_settled_where_it_lay(self) -> None:
        """NSW 3.10: Big loses, wherever it was moved afterwards."""
        moved = wager("big", 100, 200, changes=(Change(what="moved", at=at(31), bet="small"),))
        assert found(judge(NSW, (4, 2, 4), moved)) == [("WAGER-LATE", 0, 200, "3.10")]

    def test_a_wager_taken_back_late_is_still_won(self) -> None:
        """MBS 5.6 goes both ways (M5): 100 won 100."""
        withdrawn = (Change(what="withdrawn", at=at(31)),)
        handed_back = wager("small", 100, 100, changes=withdrawn, verdict="void")
        assert found(judge(MBS, (1, 2, 5), handed_back)) == [("WAGER-WITHDRAWN-LATE", 200, 100, "5.6")]
        assert judge(MBS, (1, 2, 5), wager("small", 100, 200, changes=withdrawn)) == []

    def test_a_wager_taken_back_late_is_still_lost(self) -> None:
        """MBS 5.6."""
        withdrawn = (Change(what="withdrawn", at=at(31)),)
        handed_back = wager("small", 100, 100, changes=withdrawn, verdict="void")
        assert found(judge(MBS, (6, 5, 4), handed_back)) == [("WAGER-WITHDRAWN-LATE", 0, 100, "5.6")]
        assert judge(MBS, (6, 5, 4), wager("small", 100, 0, changes=withdrawn)) == []
        in_time = (Change(what="withdrawn", at=at(29)),)
        assert judge(MBS, (6, 5, 4), wager("small", 100, 100, changes=in_time, verdict="void")) == []

    def test_a_wager_taken_back_in_time_neither_wins_nor_loses(self) -> None:
        in_time = (Change(what="withdrawn", at=at(29)),)
        [draft] = judge(NSW, (4, 2, 4), wager("small", 100, 200, changes=in_time, verdict="void"))
        assert (draft.code, draft.required_cents, draft.found_cents) == ("SETTLE-SHOULD-BE-VOID", 100, 200)
        assert "should have been void and was handed back $2.00; $1.00 was due." in draft.sentence
        assert draft.explanation == ("The wager was withdrawn before betting closed.", "Due: $1.00.")
        [draft] = judge(NSW, (6, 5, 4), wager("small", 100, 0, changes=in_time))
        assert draft.code == "SETTLE-VOID-KEPT"


class TestOtherWagers:
    def test_a_box_that_the_version_lacks(self) -> None:
        drafts = judge(MBS, (1, 2, 5), wager("single:1", 100, 200))
        assert [(d.code, d.found_cents) for d in drafts] == [("WAGER-UNAPPROVED", 200)]
        refused = wager("single:1", 100, 100, verdict="refused")
        assert judge(MBS, (1, 2, 5), refused) == []

    def test_an_optional_box_that_the_table_does_not_offer(self) -> None:
        offered = rules_in_force(NSW).offered - {"odd"}
        drafts = judge(NSW, (4, 2, 5), wager("odd", 100, 200), offered=offered)
        assert [(d.code, d.clause) for d in drafts] == [("WAGER-UNOFFERED", "3.2.1")]

    @pytest.mark.parametrize(
        ("rules", "tender", "codes"),
        [
            (NSW, "promotional-token", []),
            (NSW, "cash", ["WAGER-TENDER"]),
            (SKYCITY, "cash", ["WAGER-TENDER"]),
            (SKYCITY, "promotional-token", ["WAGER-TENDER"]),
            (LICENSEE, "plaques", []),
        ],
    )
    def test_tender(self, rules: str, tender: str, codes: list[str]) -> None:
        lost = wager("small", 100, 0, rules=rules, tender=tender)
        assert [draft.code for draft in judge(rules, (6, 5, 4), lost)] == codes

    @pytest.mark.parametrize(("rules", "clause"), [(NSW, "3.11"), (SKYCITY, "3.g")])
    def test_spoken_with_no_time_left_to_place_it(self, rules: str, clause: str) -> None:
        """Betting closes at 30 s."""
        for seconds, expected in ((29.999, []), (30, []), (30.001, [("WAGER-LATE", 100, 200, clause)])):
            spoken = wager("small", 100, 200, spoken=True, placed_at=at(seconds))
            assert found(judge(rules, (4, 2, 4), spoken)) == expected
        returned = wager("small", 100, 100, spoken=True, placed_at=at(31), verdict="void")
        assert judge(rules, (4, 2, 4), returned) == []

    @pytest.mark.parametrize(("rules", "clause"), [(NSW, "3.11"), (SKYCITY, "3.g"), (LICENSEE, "3(a)")])
    def test_spoken_without_chips(self, rules: str, clause: str) -> None:
        [draft] = judge(rules, (6, 5, 4), wager("small", 100, 0, tender="cash", spoken=True))
        assert (draft.code, draft.clause) == ("WAGER-TENDER", clause)
        assert "cash, spoken" in draft.sentence
        assert judge(rules, (6, 5, 4), wager("small", 100, 0, spoken=True)) == []

    def test_an_unregistered_bet_goes_back(self) -> None:
        """RWS 5.2.2."""
        back = wager("small", 100, 100, rules=RWS, registered=False, verdict="void")
        assert judge(RWS, (2, 3, 3), back) == []
        drafts = judge(RWS, (2, 3, 3), wager("small", 100, 200, rules=RWS, registered=False))
        assert found(drafts) == [("WAGER-UNREGISTERED", 100, 200, "5.2.2")]

    def test_posted_odds_are_what_is_due_and_never_less_than_the_minimum(self) -> None:
        """Licensee 4(b): a total of 4 pays at least 50 to 1; at this table 60 to 1 is posted."""
        posted = {"posted_odds": {"total:4": Fraction(60)}}
        assert judge(LICENSEE, (1, 1, 2), wager("total:4", 100, 6_100), **posted) == []
        [draft] = judge(LICENSEE, (1, 1, 2), wager("total:4", 100, 5_100), **posted)
        assert (draft.code, draft.required_cents) == ("SETTLE-UNDERPAID", 6_100)
