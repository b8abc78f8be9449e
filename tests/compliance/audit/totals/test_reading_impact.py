"""Impact of readings: counted by hand for a few rounds, and the same with and without screening."""

import random
from dataclasses import replace
from typing import cast

import pytest

from compliance.audit.context.round_columns import build_columns
from compliance.audit.context.rules_in_force import RulesTimeline
from compliance.audit.context.streak_history import StreakHistory
from compliance.audit.models import Block, ReadingImpact
from compliance.audit.screening.screen import rounds_to_check
from compliance.audit.selectors import ReadingImpactRow, reading_impacts
from compliance.audit.totals.clause_reading_impact import Impact, total_impact
from rounds.floor.fact_values import WagersOfferedValue
from rounds.rulebook.models import RuleVersion
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import MBS, NSW, build_round, round_context, rules_in_force, wager
from tests.compliance.audit.screening.test_screen import FACTS, Always, packed, random_round
from tests.compliance.core.accounts.people import browser_of

# Wagers that depend on a reading but are too rare among random rounds: one paid correctly and one not, so that one is
# weighed from its column and the other by itself.
RARE_ROUNDS = {
    MBS: [build_round(MBS, (3, 3, 3), wager("total:9", 100, returned, rules=MBS)) for returned in (800, 700)],
}


@pytest.mark.parametrize("rules", FACTS)
def test_columns_weigh_what_single_rounds_weigh(rules: str) -> None:
    dice, governing = random.Random(20261118), rules_in_force(rules, **FACTS[rules])
    bodies = [random_round(dice, rules, governing) for _ in range(1_000)] + RARE_ROUNDS.get(rules, [])
    columns = build_columns(packed(*bodies), lambda *_: cast(RulesTimeline, Always(governing)))
    every = [replace(round_context(body, governing), index=index) for index, body in enumerate(bodies)]
    suspected = set(rounds_to_check(columns))
    quickly = total_impact(columns, [each for each in every if each.index in suspected], StreakHistory())
    assert quickly == total_impact(columns, every, StreakHistory())
    assert quickly, "no wager depended on a reading"
    assert len(suspected) < len(every)


def test_a_reading_that_was_not_adopted_by_default_has_the_default_as_its_rival() -> None:
    """Even at 6-6-6 where every triple loses: read as printed it would win (NSW 3.2.2.1)."""
    governing = rules_in_force(NSW)
    governing = rules_in_force(NSW, readings={**governing.readings, "even": "every-even-total"})
    body = build_round(NSW, (6, 6, 6), wager("even", 1_000, 0))
    columns = build_columns(packed(body), lambda *_: cast(RulesTimeline, Always(governing)))
    weights = total_impact(columns, (), StreakHistory())
    assert weights[1, "even", "as-printed"] == Impact(wagers=1, adopted_cents=0, other_cents=2_000)


def offer_even(house: House) -> None:
    table = house.open_table()
    house.state(table, WagersOfferedValue(wagers=("even",)), at=table.added_at)


def hangs(version: RuleVersion, reading: str, choice: str) -> ReadingImpactRow:
    [found] = [each for each in reading_impacts(version) if (each.reading, each.choice) == (reading, choice)]
    return found


def test_money_is_counted_for_each_choice(house: House) -> None:
    offer_even(house)
    house.play((2, 4, 4), wager("even", 1_000, 0, id="w-1"), wager("even", 2_500, 0, id="w-2", player="p-02"))
    house.play((6, 6, 6), wager("even", 1_000, 2_000, id="w-3"), wager("small", 1_000, 0, id="w-4"))
    house.play((1, 2, 3), wager("small", 500, 500, id="w-5", tender="promotional-token"))
    house.audit()
    version = RuleVersion.objects.get(rules=NSW)
    assert hangs(version, "even", "every-even-total") == ReadingImpactRow("even", "every-even-total", 3, 2_000, 7_000)
    assert hangs(version, "even", "printed-no-triple") == ReadingImpactRow("even", "printed-no-triple", 1, 2_000, 0)
    assert hangs(version, "promo-token", "token-returned") == ReadingImpactRow(
        "promo-token", "token-returned", 1, 500, 1_000
    )
    assert hangs(version, "four-number", "repeats-allowed").wagers == 0


def test_an_audit_done_again_counts_nothing_twice(house: House) -> None:
    offer_even(house)
    house.play((2, 4, 4), wager("even", 1_000, 0))
    house.audit()
    before = list(ReadingImpact.objects.values("first", "reading", "choice", "wagers", "other_cents"))
    Block.objects.filter(log="harbour").update(audited_to=0, generation=2)
    house.audit()
    assert list(ReadingImpact.objects.values("first", "reading", "choice", "wagers", "other_cents")) == before


def test_the_page_says_it_before_and_after_the_audit(house: House) -> None:
    offer_even(house)
    browser = browser_of(house.crew.cast.ines)
    version = f"/casinos/harbour/rulebook/{NSW}/1/"
    weights = f"/casinos/harbour/findings/readings/{NSW}/1/"
    assert f'hx-get="{weights}"' in browser.get(version).content.decode()
    assert "Nothing was audited yet" in browser.get(weights).content.decode()
    house.play((2, 4, 4), wager("even", 1_000, 2_000))
    house.audit()
    shown = browser.get(weights).content.decode()
    for words in ("every-even-total", "$0.00", "$20.00", ">Yes<"):
        assert words in shown
