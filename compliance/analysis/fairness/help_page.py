"""The help page "fairness", with levels from the code and figures from the last trial."""

import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from compliance.core.web.help_pages import HelpPage

TRIAL_COMMAND = "python manage.py fairness_trial"


def help_facts() -> Mapping[str, Any]:
    from compliance.analysis.fairness.statistics.dice_tests import RETURN_TEST, TEST_LABELS
    from compliance.analysis.fairness.statistics.significance import (
        DAYS_PER_YEAR,
        FIRST_TEST_ROUNDS,
        LEVEL_PER_DAY,
        LEVEL_PER_YEAR,
    )

    figures_file = settings.BASE_DIR / "templates" / "docs" / "fairness.json"
    return {
        "tests": [words for test, words in TEST_LABELS.items() if test != RETURN_TEST],
        "a_year": f"{float(LEVEL_PER_YEAR * 100):g} %",
        "one_a_year": LEVEL_PER_YEAR.denominator,
        "days": DAYS_PER_YEAR,
        "a_day": f"{float(LEVEL_PER_DAY):.2g}",
        "looks": [FIRST_TEST_ROUNDS * 2**step for step in range(4)],
        "trial": json.loads(figures_file.read_text()),
        "command": TRIAL_COMMAND,
    }


PAGE = HelpPage(
    "fairness",
    "Fairness: are the dice even?",
    "What is counted, when something is signalled, what a signal means and what to do.",
    "Inspectors, supervisors, compliance officers",
    order=53,
    facts=help_facts,
)
