"""The help page of fairness, and what it prints from the code and from the last trial."""

import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from compliance.web.help import HelpPage

COMMAND = "python manage.py fairness_trial"


def facts() -> Mapping[str, Any]:
    from compliance.fairness.chance import RETURN, WORDS
    from compliance.fairness.levels import A_DAY, A_YEAR, DAYS, FIRST_LOOK

    kept = settings.BASE_DIR / "templates" / "docs" / "fairness.json"
    return {
        "tests": [words for test, words in WORDS.items() if test != RETURN],
        "a_year": f"{float(A_YEAR * 100):g} %",
        "one_a_year": A_YEAR.denominator,
        "days": DAYS,
        "a_day": f"{float(A_DAY):.2g}",
        "looks": [FIRST_LOOK * 2**step for step in range(4)],
        "trial": json.loads(kept.read_text()),
        "command": COMMAND,
    }


PAGE = HelpPage(
    "fairness",
    "Fairness: are the dice even?",
    "What is counted, when something is signalled, what a signal means and what to do.",
    "Inspectors, supervisors, compliance officers",
    order=53,
    facts=facts,
)
