"""Rounds that are void by how they were conducted, and were settled: NSW 8.3, RWS 5.3.1 and 5.3.3, MBS 5.1, SkyCity
7.b and 7.c. What happens to streaks is in test_streaks.py."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from rounds.engine.settle import TableEquipment
from rounds.intake.protocol.round import Wager
from tests.compliance.audit.checks.round.test_settlement import found, judge
from tests.compliance.audit.round_builders import (
    LICENSEE,
    MBS,
    NSW,
    ORDER,
    RWS,
    SKYCITY,
    at,
    build_round,
    rules_in_force,
    wager,
)


def stakes(rules: str) -> list[Wager]:
    """Two wagers, settled by 4-2-4."""
    return [wager("small", 100, 200, rules=rules), wager("big", 300, 0, rules=rules, player="p-02")]


def events_of(rules: str, *, left_out: Sequence[str] = (), moved: Mapping[str, float] | None = None) -> dict[str, Any]:
    """The usual events without some, or with one at another second."""
    usual = [each for each in build_round(rules, (4, 2, 4)).events if each.name not in left_out]
    seconds = moved or {}
    moves = (replace(each, at=at(seconds[each.name])) if each.name in seconds else each for each in usual)
    return {"events": tuple(moves)}


class TestTumbles:
    @pytest.mark.parametrize(("rules", "clause"), [(NSW, "8.3"), (RWS, "5.3.1"), (SKYCITY, "7.b")])
    @pytest.mark.parametrize("tumbles", [None, 0, 2])
    def test_fewer_than_three_tumbles_make_the_round_void(self, rules: str, clause: str, tumbles: int | None) -> None:
        """None: the tumbler was not activated at all."""
        how = {"tumbles": tumbles} if tumbles is not None else events_of(rules, left_out=("tumbled",))
        drafts = judge(rules, (4, 2, 4), *stakes(rules), round=how)
        assert found(drafts) == [("SETTLE-SHOULD-BE-VOID", 400, 200, clause)]

    @pytest.mark.parametrize("rules", [NSW, RWS, SKYCITY])
    @pytest.mark.parametrize("how", [{"tumbles": 3}, {"tumbles": 4}, {"tumbles": None}], ids=str)
    def test_enough_tumbles_or_a_number_that_was_not_reported(self, rules: str, how: dict[str, Any]) -> None:
        assert judge(rules, (4, 2, 4), *stakes(rules), round=how) == []

    def test_documents_without_the_clause_keep_a_round_without_a_tumble(self) -> None:
        how = events_of(LICENSEE, left_out=("tumbled",))
        assert judge(LICENSEE, (4, 2, 4), *stakes(LICENSEE), round=how, equipment=TableEquipment(shaker="manual")) == []


class TestExposed:
    EXPOSED: ClassVar = [
        (NSW, "uncovered", "8.3"),
        (RWS, "uncovered", "5.3.3"),
        (MBS, "drawn", "5.1"),
        (SKYCITY, "uncovered", "7.c"),
    ]

    @pytest.mark.parametrize(("rules", "event", "clause"), EXPOSED)
    def test_a_result_in_sight_before_the_close_makes_the_round_void(self, rules: str, event: str, clause: str) -> None:
        """Betting closes at 30 s."""
        for second, expected in ((29.999, [("SETTLE-SHOULD-BE-VOID", 400, 200, clause)]), (30, []), (30.001, [])):
            how = events_of(rules, moved={event: second})
            assert found(judge(rules, (4, 2, 4), *stakes(rules), round=how)) == expected

    @pytest.mark.parametrize(("rules", "event", "clause"), EXPOSED)
    def test_a_result_in_sight_without_any_close_makes_the_round_void(
        self, rules: str, event: str, clause: str
    ) -> None:
        closing = rules_in_force(rules).pack.conduct.no_more_bets.events
        [draft] = judge(rules, (4, 2, 4), *stakes(rules), round=events_of(rules, left_out=closing))
        assert found([draft]) == [("SETTLE-SHOULD-BE-VOID", 400, 200, clause)]
        assert draft.explanation[0].endswith("betting never closed.")
        only_the_result = events_of(rules, left_out=[name for name in ORDER[rules] if name != event])
        assert judge(rules, (4, 2, 4), *stakes(rules), round=only_the_result) == [], "a past round without its events"

    @pytest.mark.parametrize("left_out", [(), ("no-more-bets-called",)], ids=str)
    def test_licensee_has_no_such_clause(self, left_out: tuple[str, ...]) -> None:
        how = events_of(LICENSEE, left_out=left_out)
        assert judge(LICENSEE, (4, 2, 4), *stakes(LICENSEE), round=how) == []
