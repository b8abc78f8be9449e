"""Refused wagers (NSW 9.11, SkyCity 8.b): which refusals the documents allow, and what is due on the others.

Betting closes at 30 s.
"""

from dataclasses import replace
from typing import Any

import pytest

from compliance.audit.checks import evaluate_round
from compliance.audit.context.finding_draft import FindingDraft
from rounds.engine.settle import RecordedRefusal
from rounds.intake.protocol.round import Change, Refusal, Wager
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

CLAUSE = {NSW: "9.11", SKYCITY: "8.b"}
SIXES, TEN = (6, 6, 6), (4, 2, 4)


def refused(rules: str = NSW, bet: str = "small", stake: int = 1_000, **rest: Any) -> Wager:
    return wager(bet, stake, stake, rules=rules, **{"verdict": "refused"} | rest)


def judge(rules: str, dice: Any, *wagers: Wager, records: Any = (), **rest: Any) -> list[FindingDraft]:
    facts = rest.pop("facts", {})
    context = round_context(build_round(rules, dice, *wagers, **rest), rules_in_force(rules, **facts))
    drafts = evaluate_round(replace(context, recorded_refusals=dict(records)))
    return [draft for draft in drafts if not draft.code.startswith("ROUND-")]


def codes(drafts: list[FindingDraft]) -> list[tuple[str, int | None, str]]:
    return [(draft.code, draft.required_cents, draft.clause) for draft in drafts]


@pytest.mark.parametrize(("second", "is_found"), [(29.999, False), (30, False), (30.001, True)])
@pytest.mark.parametrize("rules", [NSW, SKYCITY])
def test_a_wager_may_be_refused_up_to_the_close(rules: str, second: float, is_found: bool) -> None:
    one = refused(rules, refusal=Refusal(at=at(second), grounds="touching"))
    expected = [("WAGER-REFUSED", 2_000, CLAUSE[rules])] if is_found else []
    assert codes(judge(rules, TEN, one)) == expected


@pytest.mark.parametrize(("rules", "due"), [(NSW, 18_100_000), (SKYCITY, 19_100_000)])
def test_a_winning_triple_that_is_refused_after_the_result_is_due(rules: str, due: int) -> None:
    one = refused(rules, "triple:6", 100_000, refusal=Refusal(at=at(45), grounds="touching"))
    [draft] = judge(rules, SIXES, one)
    assert (draft.code, draft.required_cents, draft.found_cents) == ("WAGER-REFUSED", due, 100_000)
    assert draft.explanation[0].startswith("It was refused at 09:00:45.000000 UTC, after betting closed at 09:00:30")


def test_a_losing_wager_that_is_refused_after_the_result() -> None:
    [draft] = judge(NSW, SIXES, refused(refusal=Refusal(at=at(45))))
    assert (draft.code, draft.required_cents, draft.found_cents) == ("WAGER-REFUSED", 0, 1_000)


@pytest.mark.parametrize(
    ("grounds", "expected"),
    [
        ("touching", []),
        ("other", [("WAGER-REFUSED", 2_000, "8.b")]),
        ("identity", [("WAGER-REFUSED", 2_000, "8.b")]),
        (None, [("WAGER-REFUSED-UNPROVEN", None, "8.b")]),
    ],
)
def test_skycity_knows_one_ground_only(grounds: Any, expected: list[Any]) -> None:
    assert codes(judge(SKYCITY, TEN, refused(SKYCITY, refusal=Refusal(at=at(25), grounds=grounds)))) == expected


def test_nsw_asks_for_grounds() -> None:
    """NSW 9.11: in time, and nothing says why."""
    [draft] = judge(NSW, TEN, refused(refusal=Refusal(at=at(25))))
    assert (draft.code, draft.clause) == ("WAGER-REFUSED-UNPROVEN", "9.11")
    assert "on grounds of the rules" in draft.sentence


@pytest.mark.parametrize("grounds", ["other", "limits", "identity"])
def test_nsw_knows_any_ground(grounds: Any) -> None:
    assert judge(NSW, TEN, refused(refusal=Refusal(at=at(25), grounds=grounds))) == []


@pytest.mark.parametrize("rules", [NSW, SKYCITY])
def test_where_nothing_says_how_it_was_refused_it_is_only_noted_with_what_it_would_be_due(rules: str) -> None:
    [draft] = judge(rules, SIXES, refused(rules, "triple:6", 100_000))
    assert (draft.code, draft.required_cents, draft.found_cents) == ("WAGER-REFUSED-UNPROVEN", None, 100_000)
    due = "$181,000.00" if rules == NSW else "$191,000.00"
    assert draft.sentence.endswith(f"had it stood, {due} would have been due.")


@pytest.mark.parametrize(
    ("rules", "grounds", "second", "expected"),
    [
        (NSW, "other", 30, []),
        (NSW, "other", 31, ["WAGER-REFUSED"]),
        (SKYCITY, "touching", 30, []),
        (SKYCITY, "touching", 31, ["WAGER-REFUSED"]),
        (SKYCITY, "other", 30, ["WAGER-REFUSED"]),
    ],
)
def test_what_people_recorded_of_it_counts(rules: str, grounds: str, second: float, expected: list[str]) -> None:
    one = refused(rules)
    drafts = judge(rules, TEN, one, records={one.id: RecordedRefusal(at(second), grounds)})
    assert [draft.code for draft in drafts] == expected


class TestWagersThatTheDocumentsDoNotAccept:
    @pytest.mark.parametrize("rules", [NSW, RWS, MBS, SKYCITY])
    def test_late(self, rules: str) -> None:
        assert judge(rules, TEN, refused(rules, placed_at=at(31), refusal=Refusal(at=at(32)))) == []

    @pytest.mark.parametrize("rules", [NSW, SKYCITY, LICENSEE])
    def test_cash(self, rules: str) -> None:
        assert judge(rules, TEN, refused(rules, tender="cash", refusal=Refusal(at=at(45)))) == []

    def test_spoken_without_chips(self) -> None:
        assert judge(SKYCITY, TEN, refused(SKYCITY, tender="cash", spoken=True, refusal=Refusal(at=at(45)))) == []

    def test_not_offered(self) -> None:
        offered = rules_in_force(NSW).offered - {"odd"}
        one = refused(bet="odd", refusal=Refusal(at=at(45)))
        assert judge(NSW, (4, 2, 5), one, facts={"offered": offered}) == []

    def test_withdrawn_before_the_close(self) -> None:
        assert judge(NSW, TEN, refused(changes=(Change(what="withdrawn", at=at(25)),))) == []

    def test_under_the_minimum_after_a_warning(self) -> None:
        one = refused(SKYCITY, stake=400, warned=True, refusal=Refusal(at=at(45), grounds="limits"))
        assert judge(SKYCITY, TEN, one, facts=limits(500, 50_000)) == []


def test_a_refused_wager_leaves_room_for_the_next_one() -> None:
    """The maximum is $500: $400 refused and $300 that wins."""
    first = refused(stake=40_000, refusal=Refusal(at=at(25), grounds="limits"))
    second = wager("small", 30_000, 60_000, placed_at=at(26))
    assert judge(NSW, TEN, first, second, facts=limits(500, 50_000)) == []


def test_in_a_void_round_the_stake_is_due_in_any_case() -> None:
    assert judge(NSW, None, refused(refusal=Refusal(at=at(45))), **void("not-flat")) == []
