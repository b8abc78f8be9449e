"""`manage.py settle` as a subprocess with real pipes and no database."""

import json
import random
import subprocess
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from compliance.config.environment import PROJECT
from tests.rounds.engine.cases import LICENSEE, NSW, RWS, SKYCITY
from tests.rounds.rulebook.command_runner import COMMAND, environment, run_settle

GOOD = b'{"rules":"nsw-sic-bo","dice":[1,2,3],"bet":"small","stake":100}'
TOTAL_4 = {"rules": LICENSEE, "dice": [1, 1, 2], "bet": "total:4", "stake": 100}
EXAMPLES: list[dict[str, Any]] = [
    {"rules": RWS, "pay_table": "1", "dice": [2, 3, 3], "bet": "total:8", "stake": 100},
    {"rules": RWS, "pay_table": "2", "dice": [1, 1, 2], "bet": "double-single:1-1-2", "stake": 100},
    {"rules": NSW, "dice": [2, 4, 4], "bet": "even", "stake": 100},
    {"rules": NSW, "dice": [2, 4, 4], "bet": "even", "stake": 100, "readings": {"even": "every-even-total"}},
    {"rules": SKYCITY, "dice": [1, 2, 6], "bet": "pair:1-2", "stake": 500, "limits": {"payable_unit": 100}},
    TOTAL_4,
    {**TOTAL_4, "posted_odds": {"total:4": "60 to 1"}},
    {**TOTAL_4, "posted_odds": {"total:4": "45 to 1"}},
    {"rules": NSW, "dice": [1, 2, 3], "bet": "small", "stake": 2**53 - 1},
]
BAD: dict[bytes, str] = {
    b"not json": "bad-line",
    b'{"rules":': "bad-line",
    b"\xff\xfe": "bad-line",
    b'{"bet":"sm\xffll"}': "bad-line",
    b"[" * 50_000: "bad-line",
    b"[1,2,3]": "bad-line",
    GOOD + GOOD: "bad-line",
    GOOD.replace(b'"stake":100', b'"stake":100,"stake":900'): "bad-line",
    GOOD.replace(b"small", b"smal"): "unknown-bet",
    GOOD.replace(b"nsw", b"qld"): "unknown-rules",
    GOOD.replace(b"100", b"100.0"): "bad-stake",
    GOOD.replace(b"100", b"1" + b"0" * 4000): "bad-stake",
    GOOD.replace(b"[1,2,3]", b"[1,2,7]"): "bad-dice",
}


class Mixed:
    """One run over 2,000 random lines (some blank, some invalid) with their expected answers, then the examples."""

    def __init__(self) -> None:
        self.expected: list[tuple[str, int]] = []
        lines = [*self._lines(2000), *(json.dumps(example).encode() for example in EXAMPLES)]
        self.result = run_settle(b"\n".join(lines))
        answers = self.result.stdout.splitlines()
        self.answers = answers[: -len(EXAMPLES)]
        self.examples = answers[-len(EXAMPLES) :]

    def _lines(self, count: int) -> Iterator[bytes]:
        dice = random.Random(17)
        for number in range(1, count + 1):
            kind = dice.random()
            if kind < 0.05:
                yield dice.choice([b"", b"   ", b"\t\r"])
            elif kind < 0.15:
                line = dice.choice(list(BAD))
                self.expected.append((BAD[line], number))
                yield line
            else:
                stake = dice.randint(1, 99_999)
                self.expected.append(("win", 2 * stake))
                yield GOOD.replace(b"100", str(stake).encode()) + dice.choice([b"", b"\r"])


@pytest.fixture(scope="module")
def mixed() -> Mixed:
    return Mixed()


def test_every_line_is_answered_in_order_and_the_bad_ones_are_numbered(mixed: Mixed) -> None:
    answers = [json.loads(answer) for answer in mixed.answers]
    assert [
        (each["code"], each["line"]) if "error" in each else (each["verdict"], each["returned"]) for each in answers
    ] == mixed.expected
    assert all(list(each) == ["error", "code", "line"] for each in answers if "error" in each)


def test_a_run_with_errors_goes_on_to_the_end_and_exits_with_2(mixed: Mixed) -> None:
    failed = 1 + sum(1 for code, _ in mixed.expected if code != "win")
    asked = len(mixed.expected) + len(EXAMPLES)
    assert failed > 100
    assert mixed.result.returncode == 2
    assert mixed.result.stderr.decode() == (
        f"CommandError: {failed} of {asked:,} lines could not be settled; each says why.\n"
    )


def test_an_answer_is_the_line_of_the_contract_byte_for_byte(mixed: Mixed) -> None:
    assert mixed.examples[0] == (
        b'{"verdict":"win","odds":"8.5 to 1","winnings":850,"returned":950,"clauses":["4.1.1"],"alternatives":[]}'
    )


def test_the_examples(mixed: Mixed) -> None:
    total, unapproved, even, other_even, rounded, minimum, posted, below, large = map(json.loads, mixed.examples)
    assert (total["verdict"], total["returned"]) == ("win", 950)
    assert (unapproved["verdict"], unapproved["returned"]) == ("unapproved", None)
    assert (even["verdict"], even["returned"]) == ("lose", 0)
    every_even_total = {"reading": "even", "choice": "every-even-total", "verdict": "win", "returned": 200}
    assert even["alternatives"] == [every_even_total]
    assert (other_even["verdict"], other_even["returned"]) == ("win", 200)
    assert [(each["choice"], each["verdict"]) for each in other_even["alternatives"]] == [
        ("as-printed", "lose"),
        ("printed-no-triple", "lose"),
    ]
    assert (rounded["winnings"], rounded["returned"]) == (2800, 3300)
    assert (minimum["odds"], minimum["winnings"]) == ("50 to 1", 5000)
    assert (posted["odds"], posted["winnings"]) == ("60 to 1", 6000)
    assert (below["code"], below["line"]) == ("posted-below-minimum", 2008)
    # No float holds this amount to the cent.
    assert large["returned"] == 18_014_398_509_481_982


@pytest.fixture
def asking() -> Iterator["subprocess.Popen[bytes]"]:
    """The running command. Killed after 30 seconds, so that a missing answer fails the test instead of hanging."""
    pipe = subprocess.PIPE
    command = subprocess.Popen(
        [*COMMAND, "settle"], cwd=PROJECT, env=environment(), stdin=pipe, stdout=pipe, stderr=pipe
    )
    end = threading.Timer(30, command.kill)
    end.start()
    yield command
    end.cancel()
    command.kill()
    command.wait()


def test_a_program_may_ask_one_line_at_a_time_and_exits_with_0(asking: "subprocess.Popen[bytes]") -> None:
    assert asking.stdin is not None
    assert asking.stdout is not None
    for part in (b"\n", GOOD[:20], GOOD[20:] + b"\n" + GOOD[:30]):
        asking.stdin.write(part)
        asking.stdin.flush()
        time.sleep(0.05)
    assert json.loads(asking.stdout.readline())["returned"] == 200
    answer, said = asking.communicate(GOOD[30:])
    assert json.loads(answer)["returned"] == 200
    assert said == b""
    assert asking.returncode == 0


def test_a_reader_that_leaves_ends_the_run_without_a_word(asking: "subprocess.Popen[bytes]") -> None:
    assert asking.stdout is not None
    asking.stdout.close()
    asking.stdout = None
    _, said = asking.communicate((GOOD + b"\n") * 2000)
    assert said == b""
    assert asking.returncode == 1
