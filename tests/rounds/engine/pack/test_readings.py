"""Every reading changes exactly what it is documented to change. Counts are bets and outcomes that differ."""

from collections import Counter

import pytest

from rounds.engine.odds.truth_table import streak_differences, truth_table_differences
from rounds.engine.pack.clause_readings import adopt_readings, apply_readings, non_default_choices
from rounds.engine.pack.compiled_rules import compile_rules
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, PAY_TABLES, RWS, SKYCITY, pack_of, rules_of, settle_case

PAIRS = [f"pair:{a}-{b}" for a in range(1, 7) for b in range(a + 1, 7)]
SINGLES = [f"single:{n}" for n in range(1, 7)]
FOURS = ["four:1-2-3-4", "four:2-3-4-5", "four:2-3-5-6", "four:3-4-5-6"]

# (rule set, pay table, reading, choice): bet -> number of the 216 outcomes with different odds
CELLS: dict[tuple[str, str, str, str], dict[str, int]] = {
    (NSW, "1", "even", "every-even-total"): {"even": 28},
    (NSW, "1", "even", "printed-no-triple"): {"even": 1},
    (NSW, "1", "four-number", "repeats-allowed"): dict.fromkeys(FOURS, 40),
    (RWS, "2", "double-single", "all-thirty"): {"double-single:1-1-2": 216, "double-single:6-6-5": 216},
    (RWS, "3", "double-single", "all-thirty"): {"double-single:1-1-2": 216, "double-single:6-6-5": 216},
    (RWS, "1", "domino", "twice"): dict.fromkeys(PAIRS, 6),
    (RWS, "2", "domino", "twice"): dict.fromkeys(PAIRS, 6),
    (RWS, "3", "domino", "twice"): dict.fromkeys(PAIRS, 6),
    (MBS, "1", "totals-on-triples", "lose"): {"total:6": 1, "total:9": 1, "total:12": 1, "total:15": 1},
    (SKYCITY, "1", "field-on-triples", "lose"): {"field": 2},
    (SKYCITY, "1", "domino", "twice"): dict.fromkeys(PAIRS, 6),
    (LICENSEE, "1", "one-of-a-kind", "even-money"): dict.fromkeys(SINGLES, 75),
    (LICENSEE, "1", "one-of-a-kind-pair", "any-pair"): dict.fromkeys(SINGLES, 15),
    (LICENSEE, "1", "two-of-a-kind", "exactly-two"): {f"double:{n}": 1 for n in range(1, 7)},
    (LICENSEE, "1", "one-of-a-kind-levels", "exact"): dict.fromkeys(SINGLES, 16),
    (LICENSEE, "1", "big", "as-printed"): {"big": 105},
}
STREAK_CHOICES = {
    (NSW, "1", "streak-count", "opening-counts"),
    (NSW, "1", "streak-count", "first-result-sets"),
    (NSW, "1", "streak-ten", "breaks"),
    (NSW, "1", "streak-ten", "neutral"),
}
EVERY_CHOICE = [
    (slug, table, reading, choice)
    for slug, table in PAY_TABLES
    for reading, choice in non_default_choices(pack_of(slug))
]


@pytest.mark.parametrize(("slug", "table", "reading", "choice"), EVERY_CHOICE)
def test_a_choice_moves_exactly_these_cells_of_the_truth_table(
    slug: str, table: str, reading: str, choice: str
) -> None:
    before, after = compile_rules(pack_of(slug), table), compile_rules(pack_of(slug), table, {reading: choice})
    moved = Counter(each.code for each in truth_table_differences(before, after))
    assert dict(moved) == CELLS.get((slug, table, reading, choice), {})
    assert bool(streak_differences(before, after)) == ((slug, table, reading, choice) in STREAK_CHOICES)


# Changes of the law outside the truth table, by choice.
SECTIONS = {
    "even": {"wager"},
    "four-number": {"wager"},
    "streak-count": {"streak"},
    "streak-ten": {"streak"},
    "streak-invalidated": {"void"},
    "streak-fault": {"streak"},
    "promo-token": {"settlement"},
    "double-single": {"wager"},
    "outcome-established": {"void"},
    "totals-on-triples": {"wager"},
    "field-on-triples": {"wager"},
    "payable-gap": {"settlement"},
    "lower-multiple": {"settlement"},
    "lights-fail": {"settlement"},
    "domino": {"wager", "pay_table"},
    "one-of-a-kind": {"pay_table"},
    "one-of-a-kind-pair": {"wager"},
    "two-of-a-kind": {"wager"},
    "one-of-a-kind-levels": {"pay_table"},
    "big": {"wager"},
}


@pytest.mark.parametrize(("slug", "table", "reading", "choice"), EVERY_CHOICE)
def test_a_choice_touches_no_other_section_of_the_law(slug: str, table: str, reading: str, choice: str) -> None:
    pack = pack_of(slug)
    law = apply_readings(pack, adopt_readings(pack, {reading: choice}))
    sections = ("wager", "pay_table", "void", "settlement", "streak", "on_triple_only_wins")
    assert {name for name in sections if getattr(law, name) != getattr(pack.law, name)} == SECTIONS[reading]


def test_every_even_total_gains_ten_and_loses_triple_six() -> None:
    moved = truth_table_differences(rules_of(NSW), rules_of(NSW, even="every-even-total"))
    gained = [each.outcome for each in moved if each.before is None]
    assert len(gained) == 27
    assert all(sum(dice) == 10 for dice in gained)
    assert [each.outcome for each in moved if each.after is None] == [(6, 6, 6)]


def test_choices_of_different_readings_add_up() -> None:
    readings = {"one-of-a-kind": "even-money", "one-of-a-kind-pair": "any-pair"}
    assert settle_case(LICENSEE, "single:5", "5-3-3", readings=readings)["returned"] == 300
    assert settle_case(LICENSEE, "single:5", "5-3-4", readings=readings)["returned"] == 200
    assert settle_case(LICENSEE, "single:5", "3-3-4", readings=readings)["returned"] == 0


def test_a_domino_paid_twice_keeps_its_stake_once() -> None:
    assert settle_case(RWS, "pair:1-2", "1-2-2", pay_table="1", readings={"domino": "twice"})["returned"] == 1300
    assert settle_case(RWS, "pair:1-2", "1-2-3", pay_table="1", readings={"domino": "twice"})["returned"] == 700
    assert settle_case(SKYCITY, "pair:1-2", "1-2-2", readings={"domino": "twice"})["odds"] == "11 to 1"
