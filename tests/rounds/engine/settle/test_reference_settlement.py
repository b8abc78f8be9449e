"""Compares the engine with the golden cases and with an independent implementation written from the documents alone."""

from itertools import chain, combinations_with_replacement
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rounds.engine.bets.bet_codes import BET_CODES
from rounds.engine.settle.json_lines import settle_line
from rounds.rulepacks import shipped_packs
from tests.rounds.engine.cases import PAY_TABLES
from tests.rounds.reference.golden import SLUGS, GoldenCase, golden_cases
from tests.rounds.reference.naive import READINGS_OF, naive_settle

EVERY_CASE = list(chain.from_iterable(golden_cases(slug) for slug in SLUGS))
EVERY_ROLL = list(combinations_with_replacement(range(1, 7), 3))


def comparable(answer: dict[str, Any]) -> dict[str, Any]:
    """The comparable part of an answer: the error code, or verdict, amounts and sorted alternatives."""
    if "code" in answer:
        return {"code": answer["code"]}
    others = [
        {key: other[key] for key in ("reading", "choice", "verdict", "returned")} for other in answer["alternatives"]
    ]
    amounts = {key: answer[key] for key in ("verdict", "odds", "winnings", "returned")}
    return amounts | {"alternatives": sorted(others, key=lambda other: (other["reading"], other["choice"]))}


@pytest.mark.parametrize("case", EVERY_CASE, ids=lambda case: case.name)
def test_a_golden_case_settles_as_worked_by_hand(case: GoldenCase) -> None:
    answer = settle_line(shipped_packs(), case.line)
    assert comparable(answer) == case.expect, case.why
    assert frozenset(answer.get("clauses", ())) == case.cited, case.why


@pytest.mark.parametrize(("slug", "pay_table"), PAY_TABLES)
def test_every_bet_on_every_roll_settles_alike_under_every_reading(slug: str, pay_table: str) -> None:
    """The alternatives of each line cover all other choices of all readings."""
    plain = {"rules": slug, "stake": 200}
    if len([1 for other, _ in PAY_TABLES if other == slug]) > 1:
        plain["pay_table"] = pay_table
    for bet in BET_CODES:
        if not bet.startswith("streak"):
            for roll in EVERY_ROLL:
                line = plain | {"bet": bet, "dice": list(roll)}
                assert comparable(settle_line(shipped_packs(), line)) == comparable(naive_settle(line)), line


ROLLS = st.lists(st.integers(1, 6), min_size=3, max_size=3)
STREAKS = st.sampled_from(sorted(code for code in BET_CODES if code.startswith("streak")))


@given(
    bet=STREAKS,
    history=st.lists(st.one_of(st.none(), ROLLS), max_size=20),
    fault=st.booleans(),
    adopted=st.fixed_dictionaries(
        {}, optional={name: st.sampled_from(choices) for name, choices in READINGS_OF["nsw-sic-bo"].items()}
    ),
)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example(
    bet="streak:odd-even", history=[[1, 3, 6], [1, 1, 2]], fault=False, adopted={"streak-count": "first-result-sets"}
)
def test_any_streak_settles_alike(bet: str, history: list[Any], fault: bool, adopted: dict[str, str]) -> None:
    line: dict[str, Any] = {"rules": "nsw-sic-bo", "bet": bet, "stake": 1000, "history": history, "readings": adopted}
    if fault:
        line["lights_failed"] = True
    assert comparable(settle_line(shipped_packs(), line)) == comparable(naive_settle(line))


@given(
    bet=st.sampled_from(BET_CODES).filter(lambda code: not code.startswith("streak")),
    roll=ROLLS,
    stake=st.integers(1, 40_000),
    least=st.sampled_from([100, 250, 500, 1000]),
    most=st.sampled_from([5_000, 20_000, 100_000]),
    multiples=st.booleans(),
    unit=st.sampled_from([1, 50, 100, 250, 500]),
    warned=st.booleans(),
    adopted=st.fixed_dictionaries(
        {}, optional={name: st.sampled_from(choices) for name, choices in READINGS_OF["skycity-big-and-small"].items()}
    ),
)
@settings(max_examples=600, deadline=None)
def test_any_limits_and_roundings_of_skycity_settle_alike(
    bet: str,
    roll: list[int],
    stake: int,
    least: int,
    most: int,
    multiples: bool,
    unit: int,
    warned: bool,
    adopted: dict[str, str],
) -> None:
    limits = {"min": least, "max": most, "multiples": multiples, "payable_unit": unit}
    line = {"rules": "skycity-big-and-small", "bet": bet, "dice": roll, "stake": stake, "limits": limits}
    line |= {"warned": warned, "readings": adopted}
    assert comparable(settle_line(shipped_packs(), line)) == comparable(naive_settle(line))
