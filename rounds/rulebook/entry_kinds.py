"""Entry kinds of rule versions and rulings."""

from functools import partial

from rounds.ledger import EntryKind, Reaudit

_Act = partial(EntryKind, model="rulebook.RuleVersion")

PROPOSED = _Act(
    "rule-version-proposed",
    "Rule version proposed",
    "{rules}, version {number}",
    meaning="A rule pack with its readings and source document was proposed as a rule version.",
)
RULED = _Act(
    "reading-ruled",
    "Reading ruled",
    "{rules}, version {number}: {reading}",
    meaning="An inspector ruled how a clause is read; once approved, this is a rule version.",
)
APPROVED = _Act(
    "rule-version-approved",
    "Rule version approved",
    "{rules}, version {number}",
    reaudit=Reaudit.RULES_PERIOD,
    meaning="A second person approved a rule version from an instant on.",
)
WITHDRAWN = _Act(
    "rule-version-withdrawn",
    "Rule version withdrawn",
    "{rules}, version {number}: {reason}",
    meaning="A rule version was withdrawn before it took effect.",
)
