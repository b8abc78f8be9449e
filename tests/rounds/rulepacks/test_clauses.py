"""Every clause of the five documents is in its pack's clause map."""

import re
from collections.abc import Iterable

import pytest

from rounds.engine.pack import ClauseEntry
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, RWS, SKYCITY, pack_of


def run(prefix: str, first: int, last: int) -> list[str]:
    """`run("3.1", 1, 3)` is 3.1.1, 3.1.2, 3.1.3."""
    return [f"{prefix}.{number}" for number in range(first, last + 1)]


def letters(prefix: str, last: str) -> list[str]:
    return [f"{prefix}.{chr(code)}" for code in range(ord("a"), ord(last) + 1)]


def clauses_of(slug: str) -> Iterable[tuple[str, ClauseEntry]]:
    return pack_of(slug).clauses.items()


NSW_TERMS = [
    "casino promotional voucher", "casino supervisor", "colour checks", "dealer", "games supervisor", "float tray",
    "inspector", "promotional prize(s)", "marker button", "Super Streak", "total", "triple", "value chips", "void",
    "WND",
]  # fmt: skip

CLAUSES = {
    NSW: [
        "1.1",
        *(f"1.1 {term}" for term in NSW_TERMS),
        *run("2", 1, 7),
        *run("2.7", 1, 2),
        *run("3", 1, 13),
        *run("3.1", 1, 8),
        *run("3.1.1", 1, 2),
        *run("3.1.2", 1, 2),
        *run("3.2", 1, 3),
        *run("3.2.1", 1, 2),
        *run("3.2.2", 1, 2),
        *run("4", 1, 6),
        *run("5", 1, 6),
        *run("6", 1, 7),
        *run("6.3", 1, 4),
        *run("6.4", 1, 2),
        *run("7", 1, 2),
        *run("8", 1, 9),
        "8.7.1",
        *run("9", 1, 14),
        *run("9.3", 1, 3),
        *run("9.4", 1, 2),
        *run("10", 1, 12),
        *run("10.5", 1, 5),
        *run("10.7", 1, 11),
        *run("10.7.11", 1, 4),
        *run("10.8", 1, 4),
        "10.9.1",
        "10.10.1",
        *(f"Diagram {letter}" for letter in "ABCD"),
    ],
    RWS: [
        "Cover",
        *run("1", 1, 10),
        "2.1",
        "2.1.1",
        "2.2",
        "2.2.1",
        *run("3", 1, 9),
        *run("3.9", 1, 5),
        "4.1",
        *run("4.1", 1, 3),
        *run("5", 1, 10),
        *run("5.1", 1, 2),
        *run("5.2", 1, 2),
        *run("5.3", 1, 3),
        *(f"App. {letter}" for letter in "ABC"),
    ],
    MBS: [
        "Cover",
        "1.1",
        *run("1.1", 1, 2),
        *run("2", 1, 3),
        *run("3", 1, 9),
        *run("3.6", 1, 6),
        "4.1",
        *run("4.1", 1, 2),
        *run("5", 1, 6),
        *run("5.2", 1, 2),
        "Diagram A",
        "Diagram B",
    ],
    SKYCITY: [
        "1",
        *letters("1", "c"),
        "2",
        "3",
        *letters("3", "i"),
        "4",
        *letters("4", "e"),
        "5",
        *letters("5", "l"),
        *(f"5.k({number})" for number in range(1, 15)),
        "6",
        *letters("6", "o"),
        "7",
        *letters("7", "e"),
        "8",
        *letters("8", "l"),
        "8.a(i)",
        "8.a(ii)",
        *(f"Diagram {number}" for number in (1, 2, 3)),
    ],
    LICENSEE: [
        "1",
        "2(a)",
        *(f"2(a)({number})" for number in range(1, 9)),
        "3(a)",
        "3(b)",
        "3(c)",
        "4(a)",
        "4(b)",
        "4(c)",
        "5(a)",
        "5(a)(1)",
        "5(a)(2)",
        "5(b)",
        "5(c)",
        "5(d)",
        "5(d)(1)",
        "5(d)(2)",
        "5(e)",
        "5(f)",
        "5(g)",
        "6(a)",
        "6(b)",
        "6(c)",
        "6(d)",
    ],
}


@pytest.mark.parametrize("slug", list(CLAUSES))
def test_no_clause_is_left_out_and_none_is_made_up(slug: str) -> None:
    assert len(CLAUSES[slug]) == len(set(CLAUSES[slug]))
    assert set(pack_of(slug).clauses) == set(CLAUSES[slug])


@pytest.mark.parametrize("slug", list(CLAUSES))
def test_only_informational_clauses_are_not_automated(slug: str) -> None:
    for clause, entry in pack_of(slug).clauses.items():
        if entry.not_automated_because:
            assert entry.classes == ("I",), clause
        else:
            assert entry.bind, clause


SETTLEMENT_CHECK = re.compile(r"check:(SETTLE-|STREAK-MISCOUNT)")
SETTLING = {
    NSW: ["3.1.4", "4.2", "4.3", "6.2", "7.1", "8.6", "8.7.1", "9.5", "1.1 casino promotional voucher"],
    RWS: ["1.9", "3.9.5", "4.1.2", "5.2.2", "5.6", "5.9"],
    MBS: ["2.2", "3.6.6", "4.1.2", "5.3", "5.5", "5.6"],
    SKYCITY: ["3.f", "5.k(14)", "6.g", "7.e", "8.d", "8.e", "8.f"],
    LICENSEE: ["2(a)(7)", "3(c)", "4(b)", "4(c)", "5(f)", "6(a)", "6(b)"],
}


@pytest.mark.parametrize("slug", list(CLAUSES))
def test_a_clause_bound_to_a_check_of_settlements_decides_a_settlement(slug: str) -> None:
    """The appendices of RWS are layouts: each says which pay table a terminal has, not what that table pays."""
    checks = {
        clause: [name for name in entry.bind if SETTLEMENT_CHECK.match(name)] for clause, entry in clauses_of(slug)
    }
    assert sum(map(bool, checks.values())) > 15
    for clause, entry in clauses_of(slug):
        assert "S" in entry.classes or not checks[clause] or clause.startswith("App. "), clause


@pytest.mark.parametrize("slug", list(SETTLING))
def test_clauses_that_decide_a_settlement_are_classed_so(slug: str) -> None:
    for clause in SETTLING[slug]:
        assert "S" in pack_of(slug).clauses[clause].classes
