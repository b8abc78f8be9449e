"""Interrupted rounds (RWS 5.1 and 5.2), and later decisions about a single round."""

from dataclasses import replace
from typing import Any

import pytest

from compliance.audit.checks import evaluate_round
from rounds.engine.settle import LaterDecisions, ReportedInterruption
from tests.compliance.audit.checks.round.test_settlement import found, judge
from tests.compliance.audit.round_builders import (
    MBS,
    NSW,
    RWS,
    at,
    build_round,
    round_context,
    rules_in_force,
    void,
    wager,
)

# Total 8: "total:8" wins 8.5 to 1 at pay table 1, "big" loses.
DICE = (2, 3, 3)


def at_terminal(bet: str, stake: int, returned: int, **rest: Any) -> Any:
    return wager(bet, stake, returned, rules=RWS, **rest)


class TestTheGameIsInterrupted:
    def test_without_an_outcome_all_stakes_go_back(self) -> None:
        back = at_terminal("big", 100, 100, verdict="void")
        assert judge(RWS, None, back, round=void("interrupted")) == []
        kept = judge(RWS, None, at_terminal("big", 100, 0), round=void("interrupted"))
        assert found(kept) == [("SETTLE-VOID-KEPT", 100, 0, "5.1.2")]
        paid = judge(RWS, None, at_terminal("small", 100, 200), round=void("interrupted"))
        assert found(paid) == [("SETTLE-SHOULD-BE-VOID", 100, 200, "5.1.2")]

    def test_with_all_three_dice_read_the_round_is_concluded(self) -> None:
        settled = [at_terminal("total:8", 100, 950), at_terminal("big", 100, 0)]
        assert judge(RWS, DICE, *settled, round=void("interrupted")) == []
        handed_back = [at_terminal(bet, 100, 100, verdict="void") for bet in ("total:8", "big")]
        drafts = judge(RWS, DICE, *handed_back, round=void("interrupted"))
        assert found(drafts) == [
            ("SETTLE-WINNER-UNPAID", 950, 100, "5.1.1"),
            ("SETTLE-LOSER-PAID", 0, 100, "5.1.1"),
        ]
        assert drafts[0].explanation[0].startswith("An outcome was established when play was interrupted")

    def test_another_reason_voids_the_round_whatever_the_dice_show(self) -> None:
        handed_back = at_terminal("total:8", 100, 100, verdict="void")
        assert judge(RWS, DICE, handed_back, round=void("not-flat")) == []


SMALL_AND_BIG = frozenset({"small", "big"})


class TestNotAllDiceWereRead:
    """R4: an outcome is established as soon as any available bet is decided, or only with all dice read."""

    def judged(self, faces: tuple[int, ...], *wagers: Any, **changes: Any) -> list[Any]:
        body = build_round(RWS, None, *wagers, **void("interrupted", faces_read=faces))
        return found(evaluate_round(round_context(body, rules_in_force(RWS, **changes))))

    @pytest.mark.parametrize(
        ("faces", "offered", "codes"),
        [
            ((), None, []),
            ((3,), None, ["ROUND-REASON"]),
            ((3, 4), None, ["ROUND-REASON"]),
            # Totals of 4 to 15, 8 to 13, 6 to 11 and 13 to 18: only the last decides, against small.
            ((3,), SMALL_AND_BIG, []),
            ((3, 4), SMALL_AND_BIG, []),
            ((1, 4), SMALL_AND_BIG, []),
            ((6, 6), SMALL_AND_BIG, ["ROUND-REASON"]),
        ],
    )
    def test_a_decided_bet_forbids_to_void_the_round(
        self, faces: tuple[int, ...], offered: frozenset[str] | None, codes: list[str]
    ) -> None:
        back = at_terminal("big", 100, 100, verdict="void")
        changes = {"offered": offered} if offered else {}
        drafts = self.judged(faces, back, **changes)
        assert drafts == [(code, None, None, "5.1.1") for code in codes]
        assert self.judged(faces, back, readings={"outcome-established": "all-dice-read"}, **changes) == []

    def test_a_decided_wager_is_owed_what_every_possible_result_gives(self) -> None:
        about_the_round = ("ROUND-REASON", None, None, "5.1.1")
        lost, won = at_terminal("triple:1", 100, 0), at_terminal("double:5", 100, 1250)
        assert self.judged((5, 5), lost, won) == [about_the_round]
        paid = at_terminal("triple:1", 100, 200)
        assert self.judged((3,), paid) == [("SETTLE-LOSER-PAID", 0, 200, "4.1.1"), about_the_round]
        short = at_terminal("double:5", 100, 0, verdict="void")
        assert self.judged((5, 5), short) == [("SETTLE-WINNER-UNPAID", 1250, 0, "5.1.1"), about_the_round]

    def test_a_stake_handed_back_follows_the_other_reading(self) -> None:
        back = at_terminal("triple:1", 100, 100, verdict="void")
        drafts = self.judged((3,), back)
        assert drafts == [("SETTLE-READING", 0, 100, "5.1.1"), ("ROUND-REASON", None, None, "5.1.1")]

    @pytest.mark.parametrize(
        ("said", "dice", "codes"),
        [
            (None, None, []),
            ((35, False), None, []),
            ((35, True), None, ["ROUND-REASON"]),
            # The cover comes off at 50 s.
            ((49, False), DICE, []),
            ((50, False), DICE, ["SETTLE-WINNER-UNPAID"]),
            ((51, False), DICE, ["SETTLE-WINNER-UNPAID"]),
            ((49, True), DICE, ["SETTLE-WINNER-UNPAID"]),
            (None, DICE, ["SETTLE-WINNER-UNPAID"]),
        ],
    )
    def test_what_the_table_reported_is_evidence(
        self, said: tuple[int, bool] | None, dice: Any, codes: list[str]
    ) -> None:
        body = build_round(RWS, dice, at_terminal("small", 100, 100, verdict="void"), **void("interrupted"))
        context = round_context(body, rules_in_force(RWS))
        if said is not None:
            context = replace(context, interruptions=[ReportedInterruption(5, at(said[0]), said[1])])
        assert [(draft.code, draft.clause) for draft in evaluate_round(context)] == [(code, "5.1.1") for code in codes]


class TestTerminalsAreInterrupted:
    """R3: the round carries on; what counts is whether the terminal had registered the bet."""

    def test_registered_bets_are_settled(self) -> None:
        handed_back = at_terminal("total:8", 100, 100, verdict="void", registered=True)
        assert found(judge(RWS, DICE, handed_back)) == [("SETTLE-WINNER-UNPAID", 950, 100, "5.2.1")]
        loser = at_terminal("big", 100, 100, verdict="void", registered=True)
        assert found(judge(RWS, DICE, loser)) == [("SETTLE-LOSER-PAID", 0, 100, "5.2.1")]

    @pytest.mark.parametrize(("returned", "codes"), [(100, []), (0, ["WAGER-UNREGISTERED"])])
    def test_unregistered_ones_go_back(self, returned: int, codes: list[str]) -> None:
        bet = at_terminal("big", 100, returned, registered=False, verdict="void" if returned else "lose")
        assert [draft.code for draft in judge(RWS, DICE, bet)] == codes


class TestCardsThatVoidARound:
    """MBS 5.1 to 5.4."""

    @pytest.mark.parametrize(
        ("reason", "clause"),
        [("exposed-early", "5.1"), ("foreign-card", "5.2.1"), ("card-count", "5.3"), ("insufficient-cards", "5.4")],
    )
    def test_the_stake_goes_back(self, reason: str, clause: str) -> None:
        assert judge(MBS, None, wager("small", 100, 100, verdict="void"), round=void(reason)) == []
        drafts = judge(MBS, None, wager("small", 100, 0), round=void(reason))
        assert found(drafts) == [("SETTLE-VOID-KEPT", 100, 0, clause)]


class TestDeterminedLater:
    def judged(self, rules: str, voided: LaterDecisions, *wagers: Any) -> list[tuple[str, int | None, int | None, str]]:
        body = build_round(rules, DICE, *wagers)
        context = replace(round_context(body, rules_in_force(rules)), later_decisions=voided)
        return found(evaluate_round(context))

    def test_stakes_are_owed_and_winnings_are_not_taken_back(self) -> None:
        """R6."""
        voided = LaterDecisions((9,), "damaged-dice", {"back": 100, "short": 60})
        assert self.judged(
            RWS,
            voided,
            at_terminal("total:8", 100, 950, id="won"),
            at_terminal("big", 100, 0, id="lost"),
            at_terminal("big", 100, 0, id="back"),
            at_terminal("big", 100, 0, id="short"),
        ) == [("SETTLE-VOID-KEPT", 100, 0, "5.4"), ("SETTLE-VOID-KEPT", 100, 60, "5.4")]

    @pytest.mark.parametrize(("rules", "reason", "clause"), [(RWS, "not-flat", "5.3.2"), (NSW, "damaged-dice", "")])
    def test_other_reasons_do_not_reach_rounds_that_were_settled(self, rules: str, reason: str, clause: str) -> None:
        """RWS 5.3: the settlement of earlier rounds stands."""
        lost = wager("big", 100, 0, rules=rules)
        assert self.judged(rules, LaterDecisions((9,), reason), lost) == [("ROUND-REASON", None, None, clause)]
        assert self.judged(rules, LaterDecisions((9,), reason), wager("big", 100, 200, rules=rules)) == [
            ("SETTLE-LOSER-PAID", 0, 200, {RWS: "4.1.1", NSW: "3.1.2.2"}[rules]),
            ("ROUND-REASON", None, None, clause),
        ]
