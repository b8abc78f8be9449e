"""Input for fuzz tests: valid bytes with something damaged, and random ones."""

from collections.abc import Callable, Sequence
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as st

from tests.drills.support.full_length import repetitions, seed

# Bytes with a meaning to some parser.
TELLING = (
    b"\x00", b"\xff", b"\n", b"\r\n", b"\n\n", b'"', b"\\", b"{", b"}", b"[" * 3000, b"]", b",", b":", b"-", b"+",
    b"=", b" ", b"NaN", b"1e999", b"-0", b"9" * 400, b"\xed\xa0\x80", b"\\ud800", b"\xe2\x80\xae", b"'", b"#", b"null",
    b"\xef\xbb\xbf", b"true", b"0x10", b"2026-02-30", b"\x1b[2J", b"9999-12-31T23:59:59-23:59", b"x" * 140_000,
)  # fmt: skip


@st.composite
def mutated_bytes(draw: st.DrawFn, originals: Sequence[bytes]) -> bytes:
    content = draw(st.sampled_from(originals))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.integers(0, 20)))
        put = draw(st.one_of(st.sampled_from(TELLING), st.binary(max_size=4), st.just(content[start:end] * 2)))
        content = content[:start] + put + content[end:]
    return content


def valid_or_random_bytes(originals: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    return st.one_of(
        mutated_bytes(originals), mutated_bytes(originals), mutated_bytes(originals), st.binary(max_size=500)
    )


def example_count(short: int, *, full: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Hypothesis settings: few examples in `make test`, many in the drill, reproducible by seed."""

    def decorate(test: Callable[..., Any]) -> Callable[..., Any]:
        chosen = hypothesis.settings(
            max_examples=repetitions(short, full=full),
            deadline=None,
            database=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        )
        return chosen(hypothesis.seed(seed())(test))

    return decorate
