"""Which decisions make settled rounds void is read from the document: the reason must reach settled rounds, or the
position must decide what the document does not cover."""

import pytest

from rounds.engine.settle import judge_later_void
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, RWS, SKYCITY, pack_of


@pytest.mark.parametrize(
    ("slug", "reason", "expected"),
    [
        # RWS 5.4: all rounds affected by damaged dice; 5.9: their bets are returned.
        (RWS, "damaged-dice", (True, "5.4", "5.9")),
        # NSW 8.5 and Licensee 6(c) void the round in progress; SkyCity and MBS name no such reason.
        (NSW, "damaged-dice", (False, "", "8.6")),
        (SKYCITY, "damaged-dice", (False, "", "")),
        (LICENSEE, "damaged-dice", (False, "", "")),
        (MBS, "damaged-dice", (False, "", "")),
        # NSW 9.4 and 9.5, SkyCity 8.a; the others know no invalidation.
        (NSW, "invalidated", (True, "9.4", "9.5")),
        (SKYCITY, "invalidated", (True, "8.a", "")),
        (LICENSEE, "invalidated", (False, "", "")),
        (MBS, "invalidated", (False, "", "")),
        (RWS, "invalidated", (False, "5.10", "5.9")),
        # A reason of the round in progress does not reach one that was settled.
        (NSW, "broken", (False, "8.5", "8.6")),
    ],
)
def test_whether_a_settled_round_becomes_void(slug: str, reason: str, expected: tuple[bool, str, str]) -> None:
    judged = judge_later_void(pack_of(slug), reason)
    assert (judged.is_void, judged.clause, judged.stakes_clause) == expected


@pytest.mark.parametrize(("position", "is_void"), [("shift-manager", True), ("compliance-officer", False), ("", False)])
def test_the_position_that_decides_uncovered_cases_may_void_a_round(position: str, is_void: bool) -> None:
    """RWS 5.10: the Table Games Shift Manager."""
    assert judge_later_void(pack_of(RWS), "invalidated", position).is_void is is_void
    assert not judge_later_void(pack_of(NSW), "damaged-dice", position).is_void
