"""Lines that cannot be settled are answered with an error code from a closed list; no line raises."""

import random
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rounds.engine.bets.bet_codes import BET_CODES
from rounds.engine.errors import ErrorCode
from rounds.engine.settle.json_lines import LINE_KEYS, settle_line
from rounds.rulepacks import shipped_packs
from tests.rounds.engine.cases import NSW, PAY_TABLES, RWS, pack_of

GOOD: dict[str, Any] = {"rules": NSW, "dice": [1, 2, 3], "bet": "small", "stake": 100}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"rules": "roulette"}, "unknown-rules"),
        ({"rules": None}, "unknown-rules"),
        ({"rules": ["nsw-sic-bo"]}, "unknown-rules"),
        ({"version": "99"}, "unknown-version"),
        ({"pay_table": "2"}, "unknown-pay-table"),
        ({"rules": RWS}, "unknown-pay-table"),
        ({"rules": RWS, "pay_table": "4"}, "unknown-pay-table"),
        ({"bet": "total:19"}, "unknown-bet"),
        ({"bet": "pair:2-1"}, "unknown-bet"),
        ({"bet": None}, "unknown-bet"),
        ({"stake": 0}, "bad-stake"),
        ({"stake": -100}, "bad-stake"),
        ({"stake": 100.0}, "bad-stake"),
        ({"stake": True}, "bad-stake"),
        ({"stake": 2**53}, "bad-stake"),
        ({"stake": 10**5000}, "bad-stake"),
        ({"stake": "100"}, "bad-stake"),
        ({"dice": [1, 2]}, "bad-dice"),
        ({"dice": [1, 2, 7]}, "bad-dice"),
        ({"dice": [1, 2, True]}, "bad-dice"),
        ({"dice": [1, 2, 3.0]}, "bad-dice"),
        ({"dice": None}, "bad-dice"),
        ({"dice": "123"}, "bad-dice"),
        ({"limits": []}, "bad-limits"),
        ({"limits": {"minimum": 5}}, "bad-limits"),
        ({"limits": {"min": 0}}, "bad-limits"),
        ({"limits": {"max": 5.5}}, "bad-limits"),
        ({"limits": {"min": 500, "max": 400}}, "bad-limits"),
        ({"limits": {"multiples": True}}, "bad-limits"),
        ({"limits": {"min": 5, "multiples": "yes"}}, "bad-limits"),
        ({"posted_odds": "60 to 1"}, "bad-odds"),
        ({"posted_odds": {"small": "6 for 1"}}, "bad-odds"),
        ({"posted_odds": {"small": 6}}, "bad-odds"),
        ({"offered": "small"}, "bad-line"),
        ({"offered": ["smal"]}, "unknown-bet"),
        ({"offered": [["small"]]}, "unknown-bet"),
        ({"tender": "beads"}, "unknown-tender"),
        ({"warned": 1}, "bad-line"),
        ({"lights_failed": "yes"}, "bad-line"),
        ({"void": "earthquake"}, "unknown-void-reason"),
        ({"void": "foreign-card"}, "unknown-void-reason"),
        ({"void": ["not-flat"]}, "unknown-void-reason"),
        ({"bet": "streak:small", "opening": [1, 2]}, "bad-dice"),
        ({"bet": "streak:small", "history": "1-2-3"}, "bad-history"),
        ({"bet": "streak:small", "history": [[1, 2]]}, "bad-history"),
        ({"readings": {"evn": "as-printed"}}, "unknown-reading"),
        ({"readings": {"even": "as-we-like"}}, "unknown-reading"),
        ({"readings": {"even": None}}, "unknown-reading"),
        ({"readings": ["even"]}, "unknown-reading"),
        ({"limts": {"max": 500}}, "bad-line"),
    ],
)
def test_a_line_that_cannot_be_settled(change: dict[str, Any], code: str) -> None:
    answer = settle_line(shipped_packs(), GOOD | change)
    assert answer["code"] == code
    assert set(answer) == {"error", "code"}
    assert answer["error"]
    assert settle_line(shipped_packs(), GOOD)["verdict"] == "win"


def test_a_wrong_pay_table_is_told_which_there_are() -> None:
    line = {**GOOD, "rules": RWS}
    assert settle_line(shipped_packs(), line)["error"].endswith("no pay table is named, expected one of 1, 2, 3")


def test_versions_and_empty_values() -> None:
    packs = shipped_packs()
    assert settle_line(packs, {**GOOD, "rules": RWS, "pay_table": 1, "version": 8})["verdict"] == "win"
    nothing = dict.fromkeys(LINE_KEYS - GOOD.keys())
    assert settle_line(packs, {**GOOD, **nothing}) == settle_line(packs, GOOD)


def test_an_unapproved_bet_is_no_error() -> None:
    line = settle_line(shipped_packs(), {**GOOD, "bet": "field"})
    assert (line["verdict"], line["returned"]) == ("unapproved", None)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(BET_CODES),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(LINE_KEYS)), ANYTHING, max_size=3))
def test_no_line_crashes_the_run(change: dict[str, Any]) -> None:
    answer = settle_line(shipped_packs(), GOOD | change)
    assert "verdict" in answer or answer["code"] in {code.value for code in ErrorCode}


@given(ANYTHING)
def test_what_is_not_even_an_object_is_refused(raw: object) -> None:
    answer = settle_line(shipped_packs(), raw)
    assert "code" in answer


def test_a_hundred_thousand_lines_fit_into_ten_seconds() -> None:
    """Tests a tenth of the lines in a tenth of the time, in CPU seconds, so that a busy machine does not matter."""
    dice = random.Random(4)
    lines = []
    for _ in range(10_000):
        slug, table = dice.choice(PAY_TABLES)
        line: dict[str, Any] = {"rules": slug, "pay_table": table, "stake": 100 * dice.randint(1, 50)}
        line |= {"bet": dice.choice(BET_CODES[:-2]), "dice": [dice.randint(1, 6) for _ in range(3)]}
        if dice.random() < 0.5:
            line["limits"] = {"min": 500, "max": 2500, "payable_unit": 50}
        if dice.random() < 0.2:
            line["readings"] = {
                name: dice.choice(list(reading.choices)) for name, reading in pack_of(slug).readings.items()
            }
        lines.append(line)
    settle_line(shipped_packs(), GOOD)
    started = time.process_time()
    answers = [settle_line(shipped_packs(), line) for line in lines]
    # One second for the lines; the rest is for compiling the rules once.
    assert time.process_time() - started < 2.5
    assert not any("error" in answer for answer in answers)
