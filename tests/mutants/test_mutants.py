"""A seeded sample of the mutants of every pack, and every justification. `make mutants` runs all of them."""

import random

import pytest

from rounds.rulepacks import shipped_packs
from tests.mutants.mutated_pack import pack_mutants, pack_table
from tests.mutants.mutations import Mutant
from tests.mutants.score import Justification, find_killer, justification_of, justifications
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, RWS

SEED = 25
SAMPLE = 30
SLUGS = sorted(pack.slug for pack in shipped_packs())


def mutant_named(slug: str, name: str, change: str) -> Mutant:
    return next(each for each in pack_mutants(slug) if each.name == name and each.change == change)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_changed_value_is_noticed_or_its_survival_is_justified(slug: str) -> None:
    sample = random.Random(SEED).sample(pack_mutants(slug), SAMPLE)
    unexplained = [each for each in sample if justification_of(slug, each) is None and find_killer(slug, each) is None]
    assert [f"{each.name}: {each.change}" for each in unexplained] == []


@pytest.mark.parametrize("known", justifications(), ids=lambda known: f"{known.slug} {known.path} {known.change}")
def test_a_justification_excuses_a_survivor(known: Justification) -> None:
    excused = (mutant for mutant in pack_mutants(known.slug) if known.excuses(known.slug, mutant))
    assert any(find_killer(known.slug, mutant) is None for mutant in excused), "Nothing survives: remove it."
    assert known.because.endswith(".")


@pytest.mark.parametrize(
    ("slug", "name", "change", "killer"),
    [
        (NSW, "law.pay_table.1.pays.triple.odds", "180 to 1 → 181 to 1", "golden case"),
        (NSW, "law.wager.small.wins.win.is_triple", "False → True", "golden case"),
        (NSW, "law.settlement.over_maximum.clause", "4.3 → 4.4", "golden case"),
        (RWS, 'readings.domino.choices.twice.sets."wager.pair.wins".win', "removed", "validation"),
        (MBS, "conduct.cards.most_decks", "6 → 7", "house edge"),
        (MBS, "conduct.cards.cards_a_deck", "48 → 47", "validation"),
        (LICENSEE, "law.wager.small.bets.0", "small removed", "validation"),
        (LICENSEE, "roles.casino supervisor", "removed", "validation"),
        (LICENSEE, "duties.dice_custody.at_most_hours", "24 → 23", "violation case"),
        (LICENSEE, "duties.dice_custody.at_most_hours", "24 → 25", "violation case"),
        (NSW, "duties.promotions.scrutineer.over_cents", "1000000 → 999999", "violation case"),
        (NSW, "conduct.late_wagers.increased", "base-stands → silent", "violation case"),
        (RWS, "roles.Table Games Shift Manager.outranked_by.0", "compliance-officer removed", "violation case"),
        (MBS, 'clauses."3.2".bind.1', "check:ROUND-ORDER removed", "violation case"),
    ],
)  # fmt: skip
def test_what_notices_a_change(slug: str, name: str, change: str, killer: str) -> None:
    assert find_killer(slug, mutant_named(slug, name, change)) == killer


def test_every_sort_of_value_is_changed() -> None:
    changes = {each.name: each.change for each in pack_mutants(LICENSEE)}
    assert changes["duties.dice_custody.at_most_hours"] == "24 → 23"
    assert changes["duties.equipment_fault.told_at_once"] == "False → True"
    assert changes["duties.dice_custody.clause"] == "1 → 2(a)"
    assert changes["duties.dice_custody"] == "made silent"
    assert changes["conduct.agitation.counted"] == "shakes → tumbles"
    assert changes["conduct.tenders.accepted.2"] == "plaques removed"


@pytest.mark.parametrize("slug", SLUGS)
def test_a_change_leaves_the_pack_itself_alone(slug: str) -> None:
    before = repr(pack_table(slug))
    for mutant in pack_mutants(slug):
        assert mutant.apply(pack_table(slug)) != pack_table(slug), mutant.name
    assert repr(pack_table(slug)) == before
