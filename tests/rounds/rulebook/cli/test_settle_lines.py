"""The loop of `settle`, with input split at every position and with empty input."""

import io
from itertools import pairwise

import pytest

from rounds.rulebook.cli.settle_lines import RunTally, settle_lines, stream_lines
from rounds.rulepacks import shipped_packs

TEXT = b"one\n\ntwo\r\nthree"
LINES = [b"one", b"", b"two\r", b"three"]


class Pipe(io.RawIOBase):
    """Returns one piece per read, like a pipe whose writer pauses."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = list(pieces)

    def readable(self) -> bool:
        return True

    def readinto(self, room: "bytearray | memoryview") -> int:  # type: ignore[override]
        piece = self.pieces.pop(0) if self.pieces else b""
        room[: len(piece)] = piece
        return len(piece)


@pytest.mark.parametrize("cut", range(1, len(TEXT)))
def test_lines_are_the_same_wherever_a_read_ends(cut: int) -> None:
    for pieces in ((TEXT[:cut], TEXT[cut:]), tuple(TEXT[at:end] for at, end in pairwise(range(len(TEXT) + 1)))):
        assert list(stream_lines(io.BufferedReader(Pipe(*pieces)), lambda: None)) == LINES


def test_a_line_longer_than_a_read() -> None:
    text = b"x" * 200_000 + b"\n" + b"y" * 70_000
    assert list(stream_lines(io.BufferedReader(io.BytesIO(text)), lambda: None)) == text.split(b"\n")


def test_answers_are_sent_before_the_next_read() -> None:
    sent: list[str] = []
    lines = stream_lines(io.BufferedReader(Pipe(b"a\nb\n", b"c\n")), lambda: sent.append("all so far"))
    assert (next(lines), len(sent)) == (b"a", 0)
    assert (next(lines), len(sent)) == (b"b", 0)
    assert (next(lines), len(sent)) == (b"c", 1)
    assert (next(lines, None), len(sent)) == (None, 2)


@pytest.mark.parametrize("nothing", [b"", b"\n", b"\r\n\n  \n", b"   "])
def test_nothing_to_settle(nothing: bytes) -> None:
    answers: list[bytes] = []
    lines = stream_lines(io.BufferedReader(io.BytesIO(nothing)), lambda: None)
    tally = settle_lines(shipped_packs(), lines, answers.append)
    assert answers == []
    assert (tally.settled, tally.failed) == (0, 0)


def test_the_tally_counts_lines_as_an_editor_does() -> None:
    answers: list[bytes] = []
    lines = [b"", b"{", b'{"rules":"nsw-sic-bo","dice":[1,2,3],"bet":"small","stake":100}', b""]
    assert settle_lines(shipped_packs(), lines, answers.append) == RunTally(read=4, settled=1, failed=1)
    assert answers[0].endswith(b'"code":"bad-line","line":2}\n')


@pytest.mark.parametrize(
    ("line", "key"),
    [
        (b'{"stake":100,"stake":900}', "stake"),
        (b'{"stake":100,"st\\u0061ke":100}', "stake"),
        (b'{"limits":{"max":100,"min":1,"max":100}}', "max"),
        (b'{"readings":{"even":"as-printed"},"readings":{}}', "readings"),
        (b'{"history":[{"a":1,"a":1}]}', "a"),
    ],
)
def test_a_key_that_is_there_twice_is_refused_and_named(line: bytes, key: str) -> None:
    answers: list[bytes] = []
    settle_lines(shipped_packs(), [line], answers.append)
    assert answers == [
        b'{"error":"the key \'%s\' is there twice: expected each key once","code":"bad-line","line":1}\n' % key.encode()
    ]


@pytest.mark.parametrize(
    "line",
    [
        b' { "rules" : "nsw-sic-bo", "dice":[1, 2, 3],"bet":"small","stake":100 } ',
        b'{"rules":"nsw-sic-bo","dice":[1,2,3],"b\\u0065t":"small","stake":100}',
        b'{"rules":"nsw-sic-bo","dice":[1,2,3],"bet":"small","stake":100,"limits":{"max":1},"readings":{}}',
    ],
)
def test_other_spellings_of_a_line_are_read_all_the_same(line: bytes) -> None:
    answers: list[bytes] = []
    assert settle_lines(shipped_packs(), [line], answers.append).failed == 0
