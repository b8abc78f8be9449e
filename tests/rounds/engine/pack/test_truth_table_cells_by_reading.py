"""The exact truth table cells that each reading changes, with their odds before and after.

Written from the documents and the list of readings; rolls are selected by plain Python, not by the engine.
"""

from collections.abc import Callable, Iterable
from itertools import combinations, product

import pytest

from rounds.engine.odds.truth_table import TruthTableDifference, streak_differences, truth_table_differences
from rounds.engine.pack.clause_readings import non_default_choices
from rounds.engine.pack.compiled_rules import compile_rules
from rounds.rulebook.packs.diff import after_text, before_text
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, PAY_TABLES, RWS, SKYCITY, pack_of, settle_case

Roll = tuple[int, ...]
Cell = tuple[str, Roll, str, str]
ROLLS: list[Roll] = list(product(range(1, 7), repeat=3))
SIX = range(1, 7)
FOURS = [(1, 2, 3, 4), (2, 3, 4, 5), (2, 3, 5, 6), (3, 4, 5, 6)]


def moved(code: str, before: str, after: str, rolls: Iterable[Roll]) -> set[Cell]:
    return {(code, roll, before, after) for roll in rolls}


def every(cells: list[set[Cell]]) -> set[Cell]:
    return set().union(*cells)


def all_thirty() -> set[Cell]:
    """1-1-2 and 6-6-5 are not approved as printed; approved, they pay 50 to 1 like the other 28."""
    boxes = {"double-single:1-1-2": [1, 1, 2], "double-single:6-6-5": [5, 6, 6]}
    return every(
        [
            moved(code, "unapproved", "50 to 1", [roll for roll in ROLLS if sorted(roll) == dice])
            | moved(code, "unapproved", "lose", [roll for roll in ROLLS if sorted(roll) != dice])
            for code, dice in boxes.items()
        ]
    )


def domino_twice(once: str, twice: str) -> set[Cell]:
    """Both numbers show, and one of them on two dice, so that the pair occurs twice."""
    return every(
        [
            moved(f"pair:{a}-{b}", once, twice, [roll for roll in ROLLS if set(roll) == {a, b}])
            for a, b in combinations(SIX, 2)
        ]
    )


def repeats_allowed(four: Roll) -> set[Cell]:
    rolls = [roll for roll in ROLLS if set(roll) <= set(four) and len(set(roll)) < 3]
    return moved("four:" + "-".join(map(str, four)), "lose", "7 to 1", rolls)


def singles(before: str, after: str, where: Callable[[Roll, int], bool]) -> set[Cell]:
    return every([moved(f"single:{n}", before, after, [roll for roll in ROLLS if where(roll, n)]) for n in SIX])


TRIPLE_SIX = moved("even", "1 to 1", "lose", [(6, 6, 6)])
TENS = [roll for roll in ROLLS if sum(roll) == 10]
CELLS: dict[tuple[str, str, str, str], set[Cell]] = {
    (NSW, "1", "even", "every-even-total"): TRIPLE_SIX | moved("even", "lose", "1 to 1", TENS),
    (NSW, "1", "even", "printed-no-triple"): TRIPLE_SIX,
    (NSW, "1", "four-number", "repeats-allowed"): every([repeats_allowed(four) for four in FOURS]),
    (RWS, "2", "double-single", "all-thirty"): all_thirty(),
    (RWS, "3", "double-single", "all-thirty"): all_thirty(),
    **{(RWS, table, "domino", "twice"): domino_twice("6 to 1", "12 to 1") for table in ("1", "2", "3")},
    (MBS, "1", "totals-on-triples", "lose"): every(
        [
            moved(f"total:{3 * face}", odds, "lose", [(face, face, face)])
            for face, odds in ((2, "18 to 1"), (3, "7 to 1"), (4, "7 to 1"), (5, "18 to 1"))
        ]
    ),
    (SKYCITY, "1", "field-on-triples", "lose"): moved("field", "1 to 1", "lose", [(2, 2, 2), (5, 5, 5)]),
    (SKYCITY, "1", "domino", "twice"): domino_twice("5.5 to 1", "11 to 1"),
    (LICENSEE, "1", "one-of-a-kind", "even-money"): singles(
        "at least 1 to 10", "at least 1 to 1", lambda roll, number: roll.count(number) == 1
    ),
    (LICENSEE, "1", "one-of-a-kind-pair", "any-pair"): singles(
        "at least 1 to 10",
        "at least 2 to 1",
        lambda roll, number: roll.count(number) == 1 and len(set(roll)) == 2,
    ),
    (LICENSEE, "1", "two-of-a-kind", "exactly-two"): every(
        [moved(f"double:{n}", "at least 8 to 1", "lose", [(n, n, n)]) for n in SIX]
    ),
    (LICENSEE, "1", "one-of-a-kind-levels", "exact"): singles(
        "at least 2 to 1", "2 to 1", lambda roll, number: roll.count(number) == 2
    )
    | singles("at least 3 to 1", "3 to 1", lambda roll, number: roll.count(number) == 3),
    (LICENSEE, "1", "big", "as-printed"): moved(
        "big", "at least 1 to 1", "lose", [roll for roll in ROLLS if 11 <= sum(roll) <= 17 and len(set(roll)) > 1]
    ),
}
# These change how a wager is settled around the table of odds, or a streak: no cell of the table.
BESIDE_THE_TABLE = {
    NSW: {"streak-count", "streak-ten", "streak-invalidated", "streak-fault", "promo-token"},
    RWS: {"outcome-established"},
    SKYCITY: {"payable-gap", "lower-multiple", "lights-fail"},
}
EVERY_CHOICE = [
    (slug, table, reading, choice)
    for slug, table in PAY_TABLES
    for reading, choice in non_default_choices(pack_of(slug))
]


def as_cell(each: TruthTableDifference) -> Cell:
    return each.code, each.outcome, before_text(each), after_text(each)


@pytest.mark.parametrize(("slug", "table", "reading", "choice"), EVERY_CHOICE)
def test_a_reading_moves_these_cells_and_no_other(slug: str, table: str, reading: str, choice: str) -> None:
    pack = pack_of(slug)
    found = truth_table_differences(compile_rules(pack, table), compile_rules(pack, table, {reading: choice}))
    assert {as_cell(each) for each in found} == CELLS.get((slug, table, reading, choice), set())


def test_all_readings_are_here() -> None:
    in_the_table = {(slug, reading) for slug, _, reading, _ in CELLS}
    beside = {(slug, reading) for slug, readings in BESIDE_THE_TABLE.items() for reading in readings}
    assert in_the_table | beside == {(slug, reading) for slug, _, reading, _ in EVERY_CHOICE}
    assert in_the_table & beside == set()
    assert len(in_the_table | beside) == 21


@pytest.mark.parametrize("side", ["breaks", "neutral"])
def test_a_ten_in_a_streak_moves_only_where_ten_lies(side: str) -> None:
    pack = pack_of(NSW)
    rows = streak_differences(compile_rules(pack, "1"), compile_rules(pack, "1", {"streak-ten": side}))
    tens = ["-".join(map(str, roll)) for roll in TENS]
    assert len(tens) == 27
    assert rows == [("before", f"streak odd-even {ten} even") for ten in tens] + [
        ("after", f"streak odd-even {ten} {side}") for ten in tens
    ]


@pytest.mark.parametrize("choice", ["opening-counts", "first-result-sets"])
def test_the_count_of_a_streak_moves_where_it_begins_and_nothing_else(choice: str) -> None:
    pack = pack_of(NSW)
    rows = streak_differences(compile_rules(pack, "1"), compile_rules(pack, "1", {"streak-count": choice}))
    assert [(when, row.partition(" from ")[0]) for when, row in rows] == [
        ("before", "streak counts"),
        ("after", "streak counts"),
    ]


@pytest.mark.parametrize(("reading", "due"), [("minimum", 600), ("exact", 300)])
def test_odds_that_are_exact_are_due_whatever_more_is_posted(reading: str, due: int) -> None:
    posted = {"single:5": ["1 to 1", "5 to 1", "9 to 1"]}
    line = settle_case(LICENSEE, "single:5", "5-5-1", posted_odds=posted, readings={"one-of-a-kind-levels": reading})
    assert line["returned"] == due
    assert [each["returned"] for each in line["alternatives"]] == [900 - due]
