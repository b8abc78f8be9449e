"""Simulated tables that leak money are signalled and honest ones are not; the bound of the betting score holds for them
too."""

import json

import numpy as np
import pytest
from django.conf import settings

from compliance.analysis.fairness.simulation.payout_leaks import (
    ALL_LEAKS,
    NO_LEAK,
    PayoutLeak,
    box_returns,
    simulate_tables,
)


def test_the_simulated_boxes_pay_what_the_rules_say() -> None:
    on = box_returns()
    assert on.chances.sum() == pytest.approx(1)
    assert on.laid.sum() == pytest.approx(1)
    average = on.chances @ on.pays
    assert np.isclose(average, 1 - 6 / 216 * 1).any(), "Big and small lose to triples alone."
    assert (average < 1).all()


def test_a_gross_leak_is_signalled_either_way_and_honest_money_is_not() -> None:
    for points in (25, -25):
        tried = simulate_tables(PayoutLeak("gross", "", points), tables=3, most=6_400, seed=3)
        assert tried.signalled_count == 3, points
    assert simulate_tables(NO_LEAK, tables=3, most=6_400, seed=3).signalled_count == 0


def test_the_help_page_shows_the_last_trial_of_each_sort() -> None:
    kept = json.loads((settings.BASE_DIR / "templates" / "docs" / "fairness.json").read_text())
    assert [line["slug"] for line in kept["money"]] == [leak.slug for leak in ALL_LEAKS]
    assert kept["money"][0]["signalled"] == 0
