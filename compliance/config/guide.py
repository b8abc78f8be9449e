"""The help pages for those who run the service: scale, backup, runbook, threat model, drills."""

import json
from collections.abc import Mapping
from typing import Any

from compliance.config import scale
from compliance.config.environment import PROJECT, VARIABLES
from compliance.config.runbook import CHECKS, DUTIES, LOGGED
from compliance.web.help import HelpPage

OPERATORS = "Those who run the service"
# The last full run of each drill: python -m tests.drills --json FILE keeps it there.
LAST_RUNS = PROJECT / "templates" / "docs" / "drills.json"
# In the order in which they run.
DRILLS = ("crash", "rogue", "intruder", "fuzz", "load", "clock", "operations")


def variables() -> Mapping[str, Any]:
    return {"variables": list(VARIABLES.values())}


def drills() -> Mapping[str, Any]:
    """The sections of the page, one a drill, each with its last full run."""
    kept = json.loads(LAST_RUNS.read_text())
    return {"sections": [{"name": name, "page": f"docs/drills/{name}.html", "last": kept.get(name)} for name in DRILLS]}


def runbook() -> Mapping[str, Any]:
    groups = (
        ("checks", "Parts on the status page and in /readyz", "Part", CHECKS),
        ("duties", "Alerts", "Duty", DUTIES),
        ("logged", "Errors in the log", "Event", LOGGED),
    )
    return {"groups": groups}


PAGES = (
    scale.PAGE,
    HelpPage("backup", "Backup and restore", "What to back up, how to come back, changing secrets.", OPERATORS, 91),
    HelpPage("runbook", "When an alarm rings", "Every alarm, what it means, what to do.", OPERATORS, 92, facts=runbook),
    HelpPage("threat-model", "Who might attack", "What stops them, what finds them, what remains.", OPERATORS, 93),
    HelpPage(
        "configuration", "Configuration", "Every environment variable, its default and purpose.", OPERATORS, 95,
        facts=variables,
    ),
    HelpPage(
        "drills", "Drills", "How we try to lose a round, fake a record or get in, and what came of it.", OPERATORS, 97,
        facts=drills,
    ),
)  # fmt: skip
